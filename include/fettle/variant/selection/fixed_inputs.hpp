// Inputs fixed ahead of the call (fix_inputs), with their features under way in the background
// where the policy asks for it (dissertation 2.2.3). The call is the barrier.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/selection/selector.hpp>

namespace fettle::inline FETTLE_ABI::detail {

struct no_background {
  static void wait() noexcept {}
};

template <typename Evaluation, bool Async>
struct background_of {
  using type = no_background;
};
template <typename Evaluation>
struct background_of<Evaluation, true> {
  using type = typename Evaluation::background;
};

/// The fixed inputs of one code_variant; used by one thread at a time.
template <typename Policy, typename... Args>
class fixed_inputs {
  using evaluation = evaluation_of<Policy>;
  static constexpr policy_settings settings = settings_of<Policy>();
  static constexpr bool async = settings.async_feature_eval;
  using table = selector<Policy, Args...>;

 public:
  /// Forgets what was fixed before, waiting for what still runs on it.
  void keep(Args&&... args) {
    tasks_.wait();
    under_way_ = false;
    chosen_.reset();
    args_.emplace(kept_argument<Args>(static_cast<Args&&>(args))...);
  }

  /// Starts evaluating in the background. The tables that `select` views must outlive the tasks.
  void start(const table& select, const call_plan& plan) {
    static_assert(async);
    table::start(known_);
    under_way_ = true;
    if constexpr (settings.parallel_feature_evaluation) {
      for (std::size_t i = 0; i < plan.feature_count(); ++i) {
        run([this, select, &plan, i](auto&... shown) {
          select.evaluate_feature(plan, i, known_, shown...);
        });
      }
    } else {
      run([this, select, &plan](auto&... shown) {
        select.evaluate_features(plan, known_, shown...);
      });
    }
    if constexpr (table::constraints_ahead) {
      for (std::size_t k = 0; k < select.constrained_variants(); ++k) {
        run([this, select, &plan, k](auto&... shown) {
          select.evaluate_constraints(plan, k, known_, shown...);
        });
      }
    }
  }

  /// Throws fettle::error where no inputs are fixed.
  void require(std::string_view function) const {
    if (args_) return;
    throw error(std::string(function) +
                ": called without arguments, but no inputs are fixed; call fix_inputs first (once "
                "for each call where an argument is move-only)");
  }

  selection select(const table& select, const call_plan& plan) {
    if (!chosen_) {
      tasks_.wait();
      chosen_ = show([&](auto&... shown) {
        return under_way_ ? select.conclude(plan, known_, shown...) : select.choose(plan, shown...);
      });
    }
    return *chosen_;
  }

  /// Calls f with the arguments: copies of the values where that is possible.
  template <typename F>
  decltype(auto) pass_to(F&& f) {
    struct spent {
      fixed_inputs& inputs;
      ~spent() {
        if constexpr (!all_repeatable<Args...>) inputs.args_.reset();
      }
    } const after{*this};
    return std::apply([&](auto&... kept) -> decltype(auto) { return f(kept.pass()...); }, *args_);
  }

 private:
  template <typename F>
  decltype(auto) show(F&& f) {
    return std::apply([&](auto&... kept) -> decltype(auto) { return f(kept.show()...); }, *args_);
  }

  template <typename Job>
  void run(Job job) {
    tasks_.start([this, job = std::move(job)] {
      std::apply([&](auto&... kept) { job(kept.show()...); }, *args_);
    });
  }

  std::optional<kept_arguments<Args...>> args_;
  std::optional<selection> chosen_;
  bool under_way_ = false;
  evidence known_;
  typename background_of<evaluation, async && evaluation::is_concurrent>::type
      tasks_;  // last: waits before the rest goes
};

}  // namespace fettle::detail
