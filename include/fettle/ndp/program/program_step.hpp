// program_step: one computation of a program with its types hidden, so that a program can hold any
// number of them. How one is executed stands above: Execute::run<name>(e, destination, on), for the
// expressions for which Execute::applies_v.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/program/fusing.hpp>
#include <fettle/ndp/program/resolve.hpp>
#include <fettle/ndp/program/result.hpp>
#include <fettle/ndp/program/rewrite.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>
#include <fettle/ndp/shape/expression.hpp>

#ifdef FETTLE_NDP_TRAINING
#include <fettle/ndp/tuned/captured.hpp>
#include <fettle/ndp/tuned/written.hpp>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// Names of computations that are fused.
using fused_names = std::vector<std::string_view>;

/// E and its destination; a mask has a bit for each result that E may be fused with.
template <typename Execute, fixed_string Name, typename E, typename D, typename Platform>
struct typed_step {
  E e;
  D destination;
  const result_place& place;

  [[nodiscard]] static fusion_mask mask_of(const fused_names& fused) {
    fusion_mask mask = 0;
    [&]<typename... Results>(type_list<Results...> /*all*/) {
      fusion_mask bit = 1;
      ((mask |=
        std::find(fused.begin(), fused.end(), Results::name.view()) != fused.end() ? bit : 0,
        bit <<= 1),
       ...);
    }(results{});
    return reading<E, results>::reached(mask);
  }

#ifdef FETTLE_NDP_TRAINING
  /// Visits what it writes to the user's memory.
  template <typename Visit>
  static void for_each_output(const void* its, const Visit& visit) {
    const auto& self = *static_cast<const typed_step*>(its);
    if constexpr (!late_destination<D> && (!std::is_same_v<D, no_destination> || effect_only<E>)) {
      for_each_written(self.e, self.destination, visit);
    }
  }
  static void capture(const void* its, captured& into, const Platform& on) {
    for_each_output(its, [&](const auto& leaf) { into.add(leaf, on); });
  }
  /// A result for the user, in the program's memory.
  static void capture_result(const void* its, captured& into, const Platform& on) {
    const auto& self = *static_cast<const typed_step*>(its);
    if constexpr (std::is_same_v<D, no_destination> && !effect_only<E>) {
      if (self.place.data == nullptr || self.place.is_read) return;
      using value = result_value_t<E>;
      into.add(sequence<value>(static_cast<value*>(self.place.data), result_of<E>::count(self.e)),
               on);
    }
  }
  static void restore(const void* its, const captured& from, std::size_t& index,
                      const Platform& on) {
    for_each_output(its, [&](const auto& leaf) { from.restore(index, leaf, on); });
  }
#endif

  [[nodiscard]] static bool takes(const fused_names& fused) {
    return run_of(mask_of(fused)) != nullptr;
  }

  static void run(const void* its, const Platform& on, fusion_mask mask) {
    if (const auto fused = run_of(mask)) fused(*static_cast<const typed_step*>(its), on);
  }

 private:
  using results = typename fusible_results<E>::type;
  using masks = compiled_masks<E, results>;

  template <fusion_mask Mask>
  [[nodiscard]] static consteval bool compiles() {
    if constexpr (!mask_is_valid<E, results, Mask>()) {
      return false;
    } else {
      return Execute::template applies_v<fused_t<E, results, Mask>>;
    }
  }

  using fused_run = void (*)(const typed_step&, const Platform&);

  template <fusion_mask Mask>
  [[nodiscard]] static consteval fused_run fused_run_of() {
    if constexpr (compiles<Mask>()) {
      return run_fused<Mask>;
    } else {
      return nullptr;
    }
  }

  // Null where E does not compile under the mask.
  template <std::size_t... Is>
  [[nodiscard]] static fused_run run_among(fusion_mask mask, std::index_sequence<Is...> /*all*/) {
    constexpr fused_run runs[] = {fused_run_of<masks::masks[Is]>()...};
    for (std::size_t i = 0; i < masks::count; ++i) {
      if (masks::masks[i] == mask) return runs[i];
    }
    return nullptr;
  }
  [[nodiscard]] static fused_run run_of(fusion_mask mask) {
    return run_among(mask, std::make_index_sequence<masks::count>{});
  }

  template <fusion_mask Mask>
  static void run_fused(const typed_step& its, const Platform& on) {
    constexpr auto name = name_with<Name, Mask, 0>(results{});
    const auto e = resolve(its.e, fuse_results<results, Mask>{});
    const auto execute = [&](const auto&... to) {
      if constexpr (requires { Execute::needs_room; }) {
        Execute::template run<name>(e, to..., on, its.place.data);
      } else {
        Execute::template run<name>(e, to..., on);
      }
    };
    if constexpr (late_destination<D>) {
      execute(its.destination.resolved());
    } else if constexpr (!std::is_same_v<D, no_destination>) {
      execute(its.destination);
    } else if constexpr (effect_only<E>) {
      execute();
    } else {
      using value = result_value_t<E>;
      execute(sequence<value>(static_cast<value*>(its.place.data), result_of<E>::count(its.e)));
    }
  }
};

template <typename Platform>
class program_step {
 public:
  template <typename Execute, fixed_string Name, typename E, typename D>
  [[nodiscard]] static program_step of(const E& e, const D& destination,
                                       const result_place& place) {
    using typed = typed_step<Execute, Name, E, D, Platform>;
    program_step made;
    // With a function pointer as deleter: make_shared would instantiate thirty functions for each
    // type.
    made.its_ = std::shared_ptr<const void>(
        static_cast<void*>(new typed{e, destination, place}),
        +[](void* its) { delete static_cast<typed*>(its); });
    made.mask_of_ = typed::mask_of;
    made.takes_ = typed::takes;
    made.run_ = typed::run;
#ifdef FETTLE_NDP_TRAINING
    made.capture_ = typed::capture;
    made.capture_result_ = typed::capture_result;
    made.restore_ = typed::restore;
#endif
    return made;
  }

  /// Whether the expression compiles with those results fused into it.
  [[nodiscard]] bool takes(const fused_names& fused) const { return takes_(fused); }
  /// From now on run() computes them where it reads them.
  void fuse(const fused_names& fused) { mask_ = mask_of_(fused); }
  void run(const Platform& on) const { run_(its_.get(), on, mask_); }

#ifdef FETTLE_NDP_TRAINING
  void capture(captured& into, const Platform& on) const { capture_(its_.get(), into, on); }
  void capture_result(captured& into, const Platform& on) const {
    capture_result_(its_.get(), into, on);
  }
  void restore(const captured& from, std::size_t& index, const Platform& on) const {
    restore_(its_.get(), from, index, on);
  }
#endif

 private:
  std::shared_ptr<const void> its_;
  fusion_mask (*mask_of_)(const fused_names&) = nullptr;
  bool (*takes_)(const fused_names&) = nullptr;
  void (*run_)(const void*, const Platform&, fusion_mask) = nullptr;
#ifdef FETTLE_NDP_TRAINING
  void (*capture_)(const void*, captured&, const Platform&) = nullptr;
  void (*capture_result_)(const void*, captured&, const Platform&) = nullptr;
  void (*restore_)(const void*, const captured&, std::size_t&, const Platform&) = nullptr;
#endif
  fusion_mask mask_ = 0;
};

}  // namespace fettle::ndp::detail
