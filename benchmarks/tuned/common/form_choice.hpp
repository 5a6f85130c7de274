// form_choice: the upper level of two-level selection, a tuned function whose variants are forms of
// a program, each of which consists of tuned computations.
#pragma once

#include <cstdlib>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/variant.hpp>

#include "bench.hpp"

namespace ndp_tuned {

/// Without a model, the form that was added first runs.
template <typename Policy>
class form_choice {
 public:
  /// `elements` is what the choice knows of the input.
  form_choice(const platform_type& on, std::int64_t elements)
      : on_(on),
        elements_(static_cast<double>(elements)),
        context_(quiet_until_tuned()),
        forms_(context_) {
    forms_.add_input_feature("elements", [](double all) { return all; });
  }

  void add(std::string_view name, std::function<void()> form) {
    added_.push_back(form);
    // A tuner times a form until the platform is done.
    const bool waits = std::getenv("FETTLE_TRAINING_LOG") != nullptr;
    forms_.add_variant(name, [form = std::move(form), waits, on = on_](double) {
      form();
      if (waits) examples::wait(on);
    });
  }

  void operator()() { forms_(elements_); }

  /// All forms, in the order in which they were added.
  [[nodiscard]] const std::vector<std::function<void()>>& forms() const { return added_; }

 private:
  platform_type on_;
  double elements_;
  fettle::context context_;
  fettle::code_variant<Policy, void(double)> forms_;
  std::vector<std::function<void()>> added_;
};

/// Runs each form once and checks its result.
template <typename Policy>
void check_forms(bench& b, const fb::comparison& c, const form_choice<Policy>& choice) {
  for (const std::function<void()>& form : choice.forms()) b.check(c, form);
}

}  // namespace ndp_tuned
