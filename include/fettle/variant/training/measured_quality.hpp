// The quality that set_quality defines: a function of two copies of the output, and how to take a
// copy.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/selection/evidence.hpp>
#include <fettle/variant/training/bitwise.hpp>
#include <fettle/variant/training/captured_output.hpp>
#include <fettle/variant/training/quality.hpp>
#include <fettle/variant/training/restore_arguments.hpp>

namespace fettle::inline FETTLE_ABI::detail {

template <typename Arg>
inline constexpr bool is_output_v = changing_argument<Arg> || span_argument<Arg>;

/// Takes a copy of the one argument that variants may change.
template <typename... Args>
struct capture_argument {
  auto operator()(observed<Args>... args) const {
    return std::get<0>(std::tuple_cat(copied<Args>(args)...));
  }

 private:
  template <typename Arg>
  static auto copied(observed<Arg> argument) {
    if constexpr (is_output_v<Arg>) {
      return std::tuple(saved_argument<Arg>(argument).copy);
    } else {
      return std::tuple<>();
    }
  }
};

/// Takes a copy of the function's result.
struct capture_result {
  template <typename Result, typename... Rest>
  auto operator()(const Result& result, const Rest&... /*args*/) const {
    return result;
  }
};

template <typename Quality, typename Copy>
concept measures_error =
    std::invocable<Quality&, const Copy&, const Copy&> &&
    std::convertible_to<std::invoke_result_t<Quality&, const Copy&, const Copy&>, double>;

template <typename Quality, typename Capture, typename Result, typename... Args>
class measured_quality final : public quality<Result, Args...> {
  using copy = std::decay_t<captured_t<Capture, Result, Args...>>;
  using erased = erased_variant<Result, Args...>;
  static constexpr bool restores = (is_restorable_v<Args> && ...);

 public:
  measured_quality(Quality error_of, Capture capture, double bound)
      : error_of_(std::move(error_of)), capture_(std::move(capture)), is_bitwise_(bound == 0) {}

  /// Whether outputs can be compared bit by bit, which a bound of 0 needs.
  static constexpr bool tells_bits = bitwise_comparable<copy>();

  void keep_reference(result_pointer<Result> result, observed<Args>... args) override {
    reference_.emplace(output(result, args...));
  }
  void forget() override { reference_.reset(); }

  std::optional<double> error(result_pointer<Result> result, observed<Args>... args) override {
    if (!reference_) return std::nullopt;
    const copy out = output(result, args...);
    double found = 0;
    try {
      found = compared(*reference_, out);
    } catch (const std::exception& thrown) {
      throw fettle::error(std::string("the quality function of set_quality threw: ") +
                          thrown.what());
    }
    if (is_nan(found) || found < 0) {
      throw fettle::error("the quality function of set_quality returned " + number_text(found) +
                          "; an error is 0 (exact) or more");
    }
    return found;
  }

  Result call(const deployed_call<Args...>& it, Args&&... args) override {
    quality_gate& gate = *it.plan.deployed().gate;
    const std::size_t k = it.chosen.index;
    if (!gate.is_due(it.function.settings.check_every)) [[likely]]
      return erased::call(it.plan.variant_at(k), static_cast<Args&&>(args)...);
    if (!restores && it.resets_in_training_only) {
      gate.close(
          k,
          "its inputs cannot be restored for the exact variant, because set_reset's function "
          "is for training only: give it to the constructor",
          it.function, it.shared);
      return erased::call(it.plan.variant_at(it.plan.default_variant()),
                          static_cast<Args&&>(args)...);
    }
    evidence known;
    note_features(it, known, args...);
    kept_arguments<Args...> kept{kept_argument<Args>(static_cast<Args&&>(args))...};
    const auto saved = std::apply(
        [](auto&... its) { return std::tuple(saved_or_nothing<Args>(its.change())...); }, kept);
    std::optional<copy> approximate;
    {
      result_slot<Result> result;
      run(it.plan.variant_at(k), kept, result);
      approximate.emplace(shown(kept, result));
    }
    restore(it, kept, saved);
    result_slot<Result> exact;
    run(it.plan.variant_at(it.plan.default_variant()), kept, exact);
    std::string problem;
    try {
      gate.note(k, compared(shown(kept, exact), *approximate),
                known.feature_failed ? std::span<const double>() : known.of(it.plan), it.function,
                it.shared);
    } catch (const std::exception& thrown) {
      problem = std::string("its quality function threw: ") + thrown.what();
    } catch (...) {
      problem = "its quality function threw";
    }
    if (!problem.empty()) gate.close(k, problem, it.function, it.shared);
    if constexpr (std::is_lvalue_reference_v<Result>) {
      return *exact.value;
    } else if constexpr (!std::is_void_v<Result>) {
      return *std::move(exact.value);
    }
  }

 private:
  struct nothing {};

  template <typename Arg>
  static auto saved_or_nothing(const std::remove_reference_t<Arg>& argument) {
    if constexpr (restores) {
      return saved_argument<Arg>(argument);
    } else {
      return nothing();
    }
  }

  // The constructor's reset, which serves the inputs of any call; else what was copied.
  template <typename Saved>
  static void restore(const deployed_call<Args...>& it, kept_arguments<Args...>& kept,
                      const Saved& saved) {
    if (it.reset) {
      std::apply([&](auto&... its) { it.reset(its.change()...); }, kept);
    } else if constexpr (restores) {
      restore_all(kept, saved, std::index_sequence_for<Args...>());
    }
  }
  template <typename Saved, std::size_t... Place>
  static void restore_all(kept_arguments<Args...>& kept, const Saved& saved,
                          std::index_sequence<Place...> /*places*/) {
    (std::get<Place>(saved).restore(std::get<Place>(kept).change()), ...);
  }

  template <typename Variant>
  static void run(const Variant& variant, kept_arguments<Args...>& kept,
                  result_slot<Result>& result) {
    std::apply(
        [&](auto&... its) {
          if constexpr (std::is_void_v<Result>) {
            erased::call(variant, its.pass()...);
          } else if constexpr (std::is_lvalue_reference_v<Result>) {
            result.value = &erased::call(variant, its.pass()...);
          } else {
            result.value.emplace(erased::call(variant, its.pass()...));
          }
        },
        kept);
  }

  copy shown(kept_arguments<Args...>& kept, const result_slot<Result>& result) {
    return std::apply([&](auto&... its) { return output(result.get(), its.show()...); }, kept);
  }

  copy output(result_pointer<Result> result, observed<Args>... args) {
    return captured_output<Result, Args...>(capture_, result, args...);
  }

  double compared(const copy& exact, const copy& out) {
    const auto found = static_cast<double>(std::invoke(error_of_, exact, out));
    if constexpr (tells_bits) {
      if (is_bitwise_ && found == 0 && !same_bits<copy>(exact, out)) {
        return std::numeric_limits<double>::min();
      }
    }
    return found;
  }

  static void note_features(const deployed_call<Args...>& it, evidence& known,
                            observed<Args>... args) {
    known.feature_failed = false;
    try {
      for (std::size_t i = 0; i < it.plan.feature_count(); ++i) {
        const call_plan::feature& feature = it.plan.feature_at(i);
        known.values[feature.position] = erased_feature<Args...>::call(feature, args...);
      }
    } catch (...) {
      known.feature_failed = true;
    }
  }

  Quality error_of_;
  Capture capture_;
  bool is_bitwise_;  // a bound of 0
  std::optional<copy> reference_;
};

}  // namespace fettle::detail
