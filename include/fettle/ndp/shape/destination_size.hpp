// destination_size: refuses a destination that is too small for the result, before anything is
// written. Its own parts have to fit together too, such as the sequences of a zip.
//
// The length of a row is what its computation says, which the host asks of the first and the last
// one where it runs the computation itself. How many runs a reduce_by_key has is known when its
// keys are read: that all of them fit is checked there.
#pragma once

#include <string>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/operator/filter.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/reduce_by_key.hpp>
#include <fettle/ndp/operator/row_function.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/shape/argument_sizes.hpp>
#include <fettle/ndp/shape/counted.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/node.hpp>
#include <fettle/ndp/shape/row_ends.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_too_small(const computation& named,
                                                                   const char* what, index_t size,
                                                                   const char* result,
                                                                   index_t needed) {
  throw error(std::string(named.name) + ": the destination has " + std::to_string(size) + ' ' +
              what + ", the result has " + result + std::to_string(needed));
}

inline void require_size(const computation& named, const char* what, index_t size, index_t needed,
                         const char* result = "") {
  if (size < needed) throw_too_small(named, what, size, result, needed);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_short_row(const computation& named,
                                                                   index_t i, index_t size,
                                                                   index_t needed) {
  throw error(std::string(named.name) + ": row " + std::to_string(i) +
              " of the destination has room for " + std::to_string(size) +
              " elements, that of the result has " + std::to_string(needed));
}

/// Of a reduce_by_key, when its keys have been read.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_too_many_runs(index_t room, index_t runs) {
  throw error("reduce_by_key: the destination has room for " + std::to_string(room) +
              " runs, the keys have " + std::to_string(runs));
}

/// How many elements the result of one row's computation has, as far as that is known.
template <typename Row>
[[nodiscard]] index_t elements_written(const Row& row) {
  if constexpr (row_reduce_node<Row>) {
    return row.seed.size();
  } else if constexpr (is_reduced_by_key_v<Row> || std::is_void_v<typename Row::value_type>) {
    return 0;
  } else {
    return row.size();
  }
}

/// Rows into the rows of a nested destination.
template <typename Platform, typename E, typename D>
void check_nested_rows(const computation& named, const E& e, const D& destination) {
  require_size(named, "rows", destination.size(), e.size());
  if constexpr (Platform::runs_on_host) {
    visit_ends(e.size(), [&](index_t i) {
      const index_t size = destination[i].size();
      const index_t needed = elements_written(e[i]);
      if (size < needed) throw_short_row(named, i, size, needed);
    });
  }
}

/// Rows into a flat destination, where those lie that give the computation its shape.
template <typename Platform, typename Shape, typename E, typename D>
void check_flat_rows(const computation& named, const Shape& shape, const E& e,
                     const D& destination) {
  if (e.size() == 0) return;
  constexpr bool reads_offsets = requires { shape.offsets; };
  if constexpr (Platform::runs_on_host || !reads_offsets) {
    require_size(named, "elements", destination.size(), shape.row_begin(e.size()));
  }
  if constexpr (Platform::runs_on_host) {
    visit_ends(e.size(), [&](index_t i) {
      const index_t size = destination.size() - shape.row_begin(i);
      const index_t needed = elements_written(e[i]);
      if (size < needed) throw_short_row(named, i, size, needed);
    });
  }
}

template <typename Platform, typename E, typename D>
void check_rows(const computation& named, const E& e, const D& destination) {
  using row = typename E::value_type;
  if constexpr (nested<D>) {
    check_nested_rows<Platform>(named, e, destination);
  } else if constexpr (row_reduce_node<row>) {
    if constexpr (Platform::runs_on_host) {
      visit_ends(e.size(), [&](index_t i) {
        require_size(named, "elements", destination.size(), (i + 1) * elements_written(e[i]));
      });
    }
  } else if constexpr (has_row_offsets<E>) {
    check_flat_rows<Platform>(named, e, e, destination);
  } else if constexpr (has_outer_shape_v<E>) {
    check_flat_rows<Platform>(named, outer_shape(e), e, destination);
  }
}

/// A reduce_by_key: room for one run, if there is a key.
template <typename E, typename D>
void check_runs(const computation& named, const E& e, const D& destination) {
  if (e.size() == 0) return;
  if constexpr (sequence_like<typename E::value_type> && !nested<D>) {
    require_size(named, "elements", destination.size(), e.seed.size(), "at least ");
  } else {
    require_size(named, nested<D> ? "rows" : "elements", destination.size(), 1, "at least ");
  }
}

template <typename Platform, typename E, typename D>
void check_destination_size(const computation& named, const E& e, const D& destination) {
  check_arguments<Platform>(named, destination);
  if constexpr (is_counted_v<D>) {
    if (destination.results.size() < 1) {
      throw error(std::string(named.name) +
                  ": counted: the sequence that takes the number of "
                  "results has no element");
    }
  }
  if constexpr (is_map_of_programs_v<E> && !is_sized_map_v<E>) {
    check_destination_size<Platform>(named, with_team<sizing_team>(e), destination);
  } else if constexpr (row_reduce_node<E>) {
    require_size(named, "elements", destination.size(), e.seed.size());
  } else if constexpr (is_reduced_v<E>) {
    require_size(named, "elements", destination.size(), 1);
  } else if constexpr (is_reduced_by_key_v<E>) {
    check_runs(named, e, destination);
  } else if constexpr (is_selected_v<E>) {
    require_size(named, "elements", destination.size(), E::is_partition ? e.size() : 0);
  } else if constexpr (sequence_like<typename E::value_type>) {
    check_rows<Platform>(named, e, destination);
  } else if constexpr (row_reduce_node<typename E::value_type>) {
    check_rows<Platform>(named, e, destination);
  } else {
    require_size(named, "elements", destination.size(), e.size());
  }
}

}  // namespace fettle::ndp::detail
