// require_device_functions: all function objects in an expression can be called in kernels.
//
// The operators of the layer are for both sides, and must not warn of functions that only the host
// can call, because OpenMP takes those. So nvcc would compile a kernel that calls such a function
// to one that does something else, without a word. Here it is made to say
//   error: calling a __host__ function("scale::operator ()(double) const") from a __device__
//   function("fettle::ndp::cuda::detail::mark_the_function_FETTLE_HOST_DEVICE<scale, double>")
#pragma once

#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/operator/filter.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reduce_by_index.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/runs_by_key.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/window.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

// The name is read by those who forgot to. Never runs.
template <typename F, typename... Arguments>
__device__ void mark_the_function_FETTLE_HOST_DEVICE(const F* f,
                                                     std::remove_reference_t<Arguments>*... x) {
  static_cast<void>((*f)(static_cast<Arguments&&>(*x)...));
}

template <typename F, typename... Arguments>
__device__ void try_call() {
  mark_the_function_FETTLE_HOST_DEVICE<F, Arguments...>(
      nullptr, static_cast<std::remove_reference_t<Arguments>*>(nullptr)...);
}

// Calls every function that an expression or a sequence holds, wherever it is fused.
template <typename E>
struct functions_of;

template <typename Members>
struct functions_of_members;
template <typename... E>
struct functions_of_members<tuple<E...>> {
  static __device__ void call() { (functions_of<E>::call(), ...); }
};

template <typename E>
struct functions_of {
  static __device__ void call() {
    if constexpr (requires(E e) { e.sources; }) {
      functions_of_members<decltype(E::sources)>::call();
    }
    if constexpr (requires(E e) { e.source; }) functions_of<decltype(E::source)>::call();
    if constexpr (requires(E e) { e.indices; }) functions_of<decltype(E::indices)>::call();
    if constexpr (requires(E e) { e.offsets; }) functions_of<decltype(E::offsets)>::call();
    if constexpr (requires(E e) { e.keys; }) functions_of<decltype(E::keys)>::call();
    if constexpr (operation<E> && requires { typename E::inner_type; }) {
      using inner = std::remove_cvref_t<typename E::inner_type>;
      if constexpr (operation<inner>) functions_of<inner>::call();
    }
    call_own(static_cast<const E*>(nullptr));
  }

 private:
  static __device__ void call_own(const void* /*no function*/) {}
  template <typename F, typename... S>
  static __device__ void call_own(const transformed_sequence<F, S...>* /*e*/) {
    try_call<F, element_t<S>...>();
  }
  template <typename Op, typename S, typename P>
  static __device__ void call_own(const reduced<Op, S, P>* /*e*/) {
    try_call<Op, P, element_t<S>>();
  }
  template <typename Op, typename S, typename P, typename Tag>
  static __device__ void call_own(const scanned_sequence<Op, S, P, Tag>* /*e*/) {
    try_call<Op, P, element_t<S>>();
  }
  template <typename F, typename S, typename Tag>
  static __device__ void call_own(const selected_sequence<F, S, Tag>* /*e*/) {
    try_call<F, element_t<S>>();
  }
  template <typename Op, typename S, typename Indices, typename P>
  static __device__ void call_own(const reduced_by_index<Op, S, Indices, P>* /*e*/) {
    try_call<Op, P, element_t<S>>();
  }
  template <typename Less, typename K, typename S>
  static __device__ void call_own(const sorted_sequence<Less, K, S>* /*e*/) {
    try_call<Less, element_t<K>, element_t<K>>();
  }
  template <typename Op, typename S, typename K, typename P>
  static __device__ void call_own(const keyed_runs<Op, S, K, P>* /*e*/) {
    try_call<Op, P, element_t<S>>();
  }
  template <typename Op, typename S, typename K, typename P>
  static __device__ void call_own(const reduced_by_key<Op, S, K, P>* /*e*/) {
    try_call<Op, P, element_t<S>>();
  }
};
template <typename S>
struct functions_of<window<S>> : functions_of<S> {};

// Never launched, and empty but for what the compiler has to understand.
template <typename E>
__global__ void never_launched() {
  if (false) functions_of<E>::call();
}

/// A lambda that is neither __host__ __device__ nor __device__. Only its name tells it from a
/// function object.
template <typename F>
[[nodiscard]] consteval bool is_plain_lambda() {
  constexpr std::string_view name = __PRETTY_FUNCTION__;
  return (name.find("=lambda [") != name.npos || name.find("= lambda [") != name.npos ||
          name.find("<lambda(") != name.npos) &&
         !__nv_is_extended_host_device_lambda_closure_type(F) &&
         !__nv_is_extended_device_lambda_closure_type(F);
}

/// E, or a type that it is made of, is a plain lambda: no kernel can be compiled for it.
template <typename E>
inline constexpr bool holds_plain_lambda_v = is_plain_lambda<E>();
template <template <typename...> class Node, typename... T>
inline constexpr bool holds_plain_lambda_v<Node<T...>> = (holds_plain_lambda_v<T> || ...);

/// Compiles where kernels can call all functions of an expression of type E.
template <typename E>
void require_device_functions() {
  static_cast<void>(&never_launched<E>);
}

}  // namespace fettle::ndp::cuda::detail
