// The contenders of a comparison (docs/formats.md, section 2, `mode=compare`): the whole function
// as a user's call runs it, untuned, and by the models of two directories. To training each is what
// a variant is elsewhere: raced, verified and named where it crashes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/registration/registration.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/registration/variant_tables.hpp>
#include <fettle/variant/selection/call_plan.hpp>
#include <fettle/variant/selection/deployment.hpp>
#include <fettle/variant/selection/selection.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// The contender that runs now. Calls from within it, or from another thread meanwhile, run as it
/// does.
inline std::atomic<std::size_t> running_contender{static_cast<std::size_t>(-1)};

template <typename Result, typename... Args>
struct contender {
  using plan_type = call_plan<Result, Args...>;

  std::string name;
  std::string problem{};  ///< why its model cannot be used; empty where it can
  std::unique_ptr<deployment> deployed = std::make_unique<deployment>();
  std::shared_ptr<const plan_type> plan{};
};

/// A contender's whole call, as a variant. `Choose` selects by a plan and `Run` runs what was
/// selected, as the function's own calls do.
template <typename Choose, typename Run, typename Result, typename... Args>
struct contender_call {
  Choose choose;
  Run run;
  const contender<Result, Args...>* self;
  std::size_t number;
  bool charged;  ///< the selection's time is added to the metric that is returned

  Result operator()(Args&&... args) const {
    if (!self->problem.empty()) throw error(self->problem);
    struct running {
      explicit running(std::size_t number) { running_contender = number; }
      ~running() { running_contender = static_cast<std::size_t>(-1); }
    } const now(number);
    const call_plan<Result, Args...>& plan = *self->plan;
    if constexpr (std::is_floating_point_v<Result>) {
      if (charged) {
        const timer clock;
        const selection chosen = choose(plan, args...);
        const double seconds = clock.seconds();
        return run(plan, chosen, static_cast<Args&&>(args)...) + static_cast<Result>(seconds);
      }
    }
    return run(plan, choose(plan, args...), static_cast<Args&&>(args)...);
  }
};

/// The contenders of one tuned function; none but in a comparison.
template <typename Result, typename... Args>
class contenders {
 public:
  using plan_type = typename contender<Result, Args...>::plan_type;
  using tables = variant_tables<Result, Args...>;

  /// Loads the models. They may name points of parameters, which are registered then.
  void load(const training_request& request, registry& function) {
    if (!request.compares) return;
    all_.push_back({"default"});
    add("deployed", request.deployed_model, function);
    add("candidate", request.candidate_model, function);
  }

  /// Makes the plans, when the points are made.
  template <typename Registration>
  void lay_out(const Registration& all) {
    const bool has_points = all.names.variants.size() == all.callables.variants.size();
    for (contender<Result, Args...>& one : all_) {
      if (!has_points && one.deployed->model != nullptr) {
        one.problem = "a point that a model chooses cannot be made";
        *one.deployed = {};
      }
      one.plan = plan_type::make(*one.deployed, all.names, all.callables, all.features, false);
    }
  }

  /// The plan by which calls go now, or null: no contender runs.
  const plan_type* running() const noexcept {
    const std::size_t number = running_contender.load(std::memory_order_relaxed);
    return number < all_.size() ? all_[number].plan.get() : nullptr;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& one : all_) names.push_back(one.name);
    return names;
  }

  /// The contenders as variants.
  template <typename Choose, typename Run>
  tables as_variants(const training_request& request, const tables& own, Choose choose,
                     Run run) const {
    // Where only some variants return their metric, it has to be a time, so the clock serves all.
    const bool returns_metric = std::find(own.returns_metric.begin(), own.returns_metric.end(),
                                          false) == own.returns_metric.end();
    tables made;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      using call = contender_call<Choose, Run, Result, Args...>;
      made.add(erased_variant<Result, Args...>::template owning<call_variant<Result, Args...>>(
                   call{choose, run, &all_[k], k, request.charges_selection}),
               returns_metric, {});
    }
    return made;
  }

 private:
  void add(std::string name, const std::string& directory, registry& function) {
    if (directory.empty()) return;
    contender<Result, Args...>& one =
        all_.emplace_back(contender<Result, Args...>{std::move(name)});
    try {
      auto model =
          std::make_shared<const model::loaded_model>(model::load_model_directory(directory));
      deploy(*one.deployed, std::move(model), function, chosen_among::some_variants);
    } catch (const error& problem) {
      one.problem = problem.what();
      *one.deployed = {};
    }
  }

  std::vector<contender<Result, Args...>> all_;
};

}  // namespace fettle::detail
