// program_graph: the computations of a program in the order in which they were added, what each
// reads and writes, and which may be fused into the computations that read them.
//
// A computation may be fused where all of these hold; the first that does not is its reason:
//   it has no destination, and a later computation reads it
//   its elements are values that can be computed where they are read, and each of its readers takes
//   them so
//   nothing that it reads is written before its last reader is done: by addresses, and where a
//   function object may hold addresses, by any memory that is not the program's own
//   its functions yield the same each time
//
// Two neighbours may be computed side by side (rewrite.hpp) where they are equally long, neither is
// fused, and neither writes what the other reads, by addresses. A reduction may be computed in one
// pass with the maps before it, where it reads what they write at its own index only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/program/memory_plan.hpp>
#include <fettle/ndp/program/memory_ranges.hpp>

// Not of ndp, whose names depend on the vector instructions: fettle::compiled holds the
// definitions.
namespace fettle::inline FETTLE_ABI::detail {

/// What is known of one computation.
struct program_node {
  std::string_view name;
  std::string_view expression;
  std::size_t bytes = 0;            // of its result in the program's memory; 0: a destination
  std::vector<memory_range> reads;  // memory that is not the program's
  std::vector<memory_range> writes;
  std::vector<std::size_t> results;    // the computations whose results it reads
  std::vector<std::size_t> read_once;  // of these, whose elements it reads once each
  bool writes_unseen = false;          // its functions write
  bool may_hold_addresses = false;     // its function objects hold something
  bool is_single = false;              // a result of one value
  bool yields_values = false;          // can be computed where it is read
  bool is_deterministic = true;

  [[nodiscard]] double bytes_outside() const;
};

/// What is known of one rewrite (rewrite.hpp).
struct program_rewrite {
  std::string name;
  std::size_t first = 0;  // the computations that it takes the place of
  std::size_t last = 0;
  std::size_t bytes = 0;     // of the program's memory that it needs for itself
  bool is_useless = false;   // one tile is all
  bool is_one_pass = false;  // the last one reads what the others write, at its own index
  bool is_preferred = true;  // by the default rule, where it is of several computations
};

/// For each computation whether it is fused into its readers, then for each rewrite whether it is
/// chosen.
using fusion = std::vector<bool>;

class program_graph {
 public:
  std::vector<program_node> nodes;
  std::vector<program_rewrite> rewrites;

  /// The rewrite that computes `index`; none where it is computed as it was added.
  [[nodiscard]] const program_rewrite* rewrite_of(std::size_t index, const fusion& fused) const;

  /// Why rewrite `r` cannot be chosen under `fused`, in which it is; empty where it can.
  [[nodiscard]] std::string_view obstacle_to_rewrite(std::size_t r, const fusion& fused) const;

  /// Why two computations cannot be in one kernel; a reduction may read what the first writes.
  [[nodiscard]] static std::string_view obstacle_together(const program_node& a,
                                                          const program_node& b, bool reduces);

  [[nodiscard]] std::vector<std::size_t> readers_of(std::size_t index) const;

  [[nodiscard]] bool reads_once(std::size_t reader, std::size_t index) const;

  /// Both read some memory, or a result of several values.
  [[nodiscard]] bool reads_in_common(std::size_t a, std::size_t b) const;

  /// The last step at which `index` is computed under a fusion: where its readers are.
  [[nodiscard]] std::size_t computed_until(std::size_t index, const fusion& fused) const;

  /// Why computation `index` cannot be fused under `fused`, in which it is; empty where it can.
  /// What readers can take, the program knows.
  [[nodiscard]] std::string_view obstacle(std::size_t index, const fusion& fused) const;

  /// The lives of the results that are in memory, and of what rewrites need; `offsets` gets where
  /// each lies. Returns the bytes of all.
  [[nodiscard]] std::size_t place_results(const fusion& fused, std::vector<std::size_t>& offsets,
                                          bool with_rooms = true) const;

  [[nodiscard]] std::size_t peak_bytes(const fusion& fused, bool with_rooms = true) const;
};

}  // namespace fettle::detail

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

using fettle::detail::fusion;
using fettle::detail::program_graph;
using fettle::detail::program_node;
using fettle::detail::program_rewrite;

}  // namespace fettle::ndp::detail

#ifndef FETTLE_COMPILED
#include <fettle/ndp/program/program_graph.ipp>
#endif
