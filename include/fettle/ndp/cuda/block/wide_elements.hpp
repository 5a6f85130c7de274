// wide_elements: structures in memory, read by accesses of up to 16 bytes.
//
// A structure of four floats is aligned to four bytes, so that a compiler reads it by four
// instructions, and a warp touches the same memory four times. Where the memory turns out to be
// aligned to more than the type says, one instruction reads up to 16 bytes. Needs no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Structures that can be read by wider accesses than their type allows.
template <typename T>
inline constexpr bool is_narrow_structure_v = [] {
  constexpr std::size_t least = alignof(T) > 4 ? alignof(T) : 4;
  return std::is_class_v<T> && std::is_trivially_copyable_v<T> &&
         std::is_default_constructible_v<T> && sizeof(T) > sizeof(double) && sizeof(T) <= 128 &&
         packet_alignment(sizeof(T), 1) > least;
}();

/// Contiguous T's, each of which is aligned to as much as divides its size, up to 16 bytes.
template <typename T>
struct wide_sequence {
  using value_type = T;
  static constexpr std::size_t alignment = packet_alignment(sizeof(T), 1);

  sequence<const T> source;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return source.size(); }
  FETTLE_HOST_DEVICE T operator[](index_t i) const {
    check_index("sequence", i, source.size());
    return *static_cast<const T*>(__builtin_assume_aligned(source.data() + i, alignment));
  }
};

/// S with narrow structures read widely: `type` is S itself where it has none, or where it hands
/// out the elements' addresses, as a zip does.
template <typename S>
struct widened {
  using type = S;
  static FETTLE_HOST_DEVICE constexpr bool is_aligned(const S& /*s*/) { return true; }
  static FETTLE_HOST_DEVICE constexpr const S& of(const S& s) { return s; }
};
template <typename S>
using widened_t = typename widened<S>::type;
template <typename S>
inline constexpr bool has_narrow_structures_v = !std::is_same_v<S, widened_t<S>>;

template <typename T>
  requires is_narrow_structure_v<std::remove_const_t<T>>
struct widened<sequence<T>> {
  using type = wide_sequence<std::remove_const_t<T>>;
  static FETTLE_HOST_DEVICE bool is_aligned(const sequence<T>& s) {
    return reinterpret_cast<std::uintptr_t>(s.data()) % type::alignment == 0;
  }
  static FETTLE_HOST_DEVICE constexpr type of(const sequence<T>& s) { return {s}; }
};
template <typename S>
  requires has_narrow_structures_v<S>
struct widened<window<S>> {
  using type = window<widened_t<S>>;
  static FETTLE_HOST_DEVICE constexpr bool is_aligned(const window<S>& s) {
    return widened<S>::is_aligned(s.base());
  }
  static FETTLE_HOST_DEVICE constexpr type of(const window<S>& s) {
    return type(widened<S>::of(s.base()), s.first(), s.size());
  }
};
template <typename S, typename Indices>
  requires has_narrow_structures_v<S>
struct widened<gathered_sequence<S, Indices>> {
  using type = gathered_sequence<widened_t<S>, Indices>;
  static FETTLE_HOST_DEVICE constexpr bool is_aligned(const gathered_sequence<S, Indices>& s) {
    return widened<S>::is_aligned(s.source);
  }
  static FETTLE_HOST_DEVICE constexpr type of(const gathered_sequence<S, Indices>& s) {
    return {widened<S>::of(s.source), s.indices};
  }
};
// A function has to take values and to yield one: the address of an element is lost.
template <typename F, typename... S>
  requires(takes_values<F, S...> &&
           !std::is_reference_v<typename transformed_sequence<F, S...>::inner_type> &&
           (has_narrow_structures_v<S> || ...))
struct widened<transformed_sequence<F, S...>> {
  using type = transformed_sequence<F, widened_t<S>...>;
  using each = std::index_sequence_for<S...>;
  template <std::size_t... Is>
  static FETTLE_HOST_DEVICE constexpr bool all_aligned(const tuple<S...>& sources,
                                                       std::index_sequence<Is...> /*each*/) {
    return (widened<S>::is_aligned(get<Is>(sources)) && ...);
  }
  template <std::size_t... Is>
  static FETTLE_HOST_DEVICE constexpr type all(const transformed_sequence<F, S...>& s,
                                               std::index_sequence<Is...> /*each*/) {
    return {s.function, tuple_of<widened_t<S>...>(widened<S>::of(get<Is>(s.sources))...)};
  }
  static FETTLE_HOST_DEVICE constexpr bool is_aligned(const transformed_sequence<F, S...>& s) {
    return all_aligned(s.sources, each{});
  }
  static FETTLE_HOST_DEVICE constexpr type of(const transformed_sequence<F, S...>& s) {
    return all(s, each{});
  }
};

/// f(s), with narrow structures read widely where they are aligned for it.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <typename S, typename F>
FETTLE_HOST_DEVICE decltype(auto) with_wide_elements(const S& s, const F& f) {
  if constexpr (has_narrow_structures_v<S>) {
    if (widened<S>::is_aligned(s)) return f(widened<S>::of(s));
  }
  return f(s);
}

}  // namespace fettle::ndp::cuda::detail
