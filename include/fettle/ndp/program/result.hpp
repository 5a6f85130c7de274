// program_result: what a program's computation yields, as a sequence that later computations read.
//
// It carries the computation's expression, so that a later computation can be fused with it, and
// the place of its values, which the program gives it when it is executed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// Where a program's result lies; a program has one for each of its computations.
struct result_place {
  std::string_view name;
  const void* program = nullptr;
  void* data = nullptr;  // null until the program is executed
  bool host_reads = false;
  bool is_fused = false;  // into those that read it, so it is in no memory
  bool is_read = false;   // by later computations, which may have overwritten it
};

/// The type of one value that E yields, and how many it yields.
template <typename E>
struct result_of {
  using type = typename E::value_type;
  [[nodiscard]] static index_t count(const E& e) { return e.size(); }
};
template <scalar_reduce_node E>
struct result_of<E> {
  using type = typename E::value_type;
  [[nodiscard]] static index_t count(const E& /*e*/) { return 1; }
};
template <by_index_node E>
struct result_of<E> {
  using type = typename E::value_type;
  [[nodiscard]] static index_t count(const E& e) { return e.bins; }
};
template <random_access E>
  requires scalar_reduce_node<typename E::value_type>
struct result_of<E> {
  using type = typename E::value_type::value_type;
  [[nodiscard]] static index_t count(const E& e) { return e.size(); }
};
/// Rows lie where the rows of the first nested argument do.
template <random_access E>
  requires(has_outer_shape_v<E> && sequence_like<typename E::value_type> &&
           !is_reduced_v<typename E::value_type>)
struct result_of<E> {
  using type = typename E::value_type::value_type;
  [[nodiscard]] static index_t count(const E& e) {
    if constexpr (requires { outer_shape(e).source.size(); }) return outer_shape(e).source.size();
    return e.size();
  }
};

template <typename E>
using result_value_t = std::remove_cvref_t<typename result_of<E>::type>;

[[noreturn]] inline void throw_not_computed(const result_place& place) {
  if (place.is_fused) {
    throw error("program: the result \"" + std::string(place.name) +
                "\" is fused into what reads it, so it is in no memory: give it a destination");
  }
  throw error("program: the result \"" + std::string(place.name) +
              (place.data == nullptr
                   ? "\" is read before it is computed: give it to the program's add(), or execute "
                     "the program first"
                   : "\" lies in memory that the host cannot read: give it a destination, and copy "
                     "that; where a function object holds it, give it to map as a sequence"));
}

[[noreturn]] inline void throw_overwritten(const result_place& place) {
  throw error("program: the result \"" + std::string(place.name) +
              "\" is read by later computations, and its memory may be theirs by now: give it a "
              "destination");
}

}  // namespace detail

/// A computation's name as a type: nvcc cannot match strings among template arguments.
template <fixed_string Name>
struct result_name {
  static constexpr auto value = Name;
};

/// The values of a program's computation; made by program::add.
template <typename Name, typename E>
struct program_result {
  using value_type = detail::result_value_t<E>;
  using expression_type = E;
  static constexpr auto name = Name::value;

  E expression;
  const detail::result_place* place;
  index_t count;

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return count; }

  /// Of an executed program that ran on the host, where no later computation reads it. In a
  /// computation the program reads its own memory.
  FETTLE_HOST_DEVICE const value_type& operator[](index_t i) const {
    check_index("program_result", i, count);
#ifndef __CUDA_ARCH__
    if (place->data == nullptr || !place->host_reads) detail::throw_not_computed(*place);
    if (place->is_read) detail::throw_overwritten(*place);
#endif
    return static_cast<const value_type*>(place->data)[i];
  }
};

/// S is a program's result.
template <typename S>
inline constexpr bool is_program_result_v = false;
template <typename Name, typename E>
inline constexpr bool is_program_result_v<program_result<Name, E>> = true;

}  // namespace fettle::ndp
