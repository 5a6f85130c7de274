// training_gate: what a tuned computation does in training beyond a code_variant: its variants'
// results are compared with the default's, a destination that is also read is restored before each
// run, and candidates come from shards. In programs that are compiled with FETTLE_NDP_TRAINING.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/tuned/captured.hpp>
#include <fettle/ndp/tuned/context.hpp>
#include <fettle/ndp/tuned/features.hpp>
#include <fettle/ndp/tuned/row_facts.hpp>
#include <fettle/ndp/tuned/written.hpp>
#include <fettle/variant/registration/training_request.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

template <typename E, typename D, typename Platform>
class training_gate {
 public:
  /// Where a variant is timed by the platform, it returns the seconds.
  using result = std::conditional_t<platform_traits<Platform>::times_calls, double, void>;

  /// What belongs to one call.
  struct call_facts {
    row_facts rows{};
    bool in_training = false;
    bool is_repeatable = false;        // several runs in a row do what one does
    bool is_compared = false;          // whole calls are measured, each of which asks features anew
    std::optional<captured> before{};  // what is written in place, as the first run found it
  };

  /// The first call's arguments show whether the computation works in place.
  training_gate(std::string_view function, const E& e, const D& destination)
      : function_(function),
        in_training_(requested() != nullptr && requested()->function == function),
        in_place_(in_training_ && is_in_place(e, destination)) {}

  template <typename Function>
  void install(Function& function) const {
    if (!in_training_) return;
    if constexpr (is_verifiable_v<E, D>) {
      function.set_verify(
          [in_place = in_place_](const E& e, const D& destination, const Platform& on,
                                 const call_facts& /*facts*/) {
            captured copy = written(e, destination, on);
            if (!in_place) poison(e, destination, on);
            return copy;
          },
          [](const captured& reference, const captured& output) {
            return reference.agrees_with(output);
          });
    }
    if (in_place_) {
      function.set_reset(
          [](const E& e, const D& destination, const Platform& on, call_facts& facts) {
            if (!facts.before) {
              facts.before = written(e, destination, on);
              return;
            }
            std::size_t index = 0;
            for_each_written(e, destination,
                             [&](const auto& leaf) { facts.before->restore(index, leaf, on); });
          });
    }
  }

  /// Whether this call can be measured.
  [[nodiscard]] bool admits(const E& e, const D& destination) const {
    if (!in_training_ || in_place_ || !is_in_place(e, destination)) return true;
    tuning_context().warn_once(function_ +
                               ": a call that overwrites its own input is not measured, because "
                               "the first call of the program did not");
    return false;
  }

  [[nodiscard]] call_facts facts() const {
    const bool is_compared = in_training_ && requested()->compares;
    return {.rows = row_facts(!in_training_ || is_compared),
            .in_training = in_training_,
            .is_repeatable = is_verifiable_v<E, D> && !in_place_,
            .is_compared = is_compared};
  }

  template <typename Call>
  static result run(const Platform& on, call_facts& facts, const Call& call) {
    if (facts.is_compared)
      facts.rows = row_facts();  // selected by already; the next call asks anew
    if constexpr (platform_traits<Platform>::times_calls) {
      if (facts.in_training) {
        return platform_traits<Platform>::seconds(on, facts.is_repeatable, call);
      }
      call();
      return 0.0;
    } else {
      call();
    }
  }

 private:
  static const fettle::detail::training_request* requested() {
    return fettle::detail::active_training();
  }

  static captured written(const E& e, const D& destination, const Platform& on) {
    captured copy(elements_going_in(e));
    if constexpr (is_returned_value_v<D>) {
      copy.add(*destination.value);
    } else {
      for_each_written(e, destination, [&](const auto& leaf) { copy.add(leaf, on); });
    }
    return copy;
  }

  std::string function_;
  bool in_training_;
  bool in_place_;
};

}  // namespace fettle::ndp::detail
