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

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/program/memory_plan.hpp>
#include <fettle/ndp/program/memory_ranges.hpp>
#include <fettle/ndp/program/rewrite.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

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

  [[nodiscard]] double bytes_outside() const {
    double sum = 0;
    for (const auto* const ranges : {&reads, &writes}) {
      for (const memory_range& range : *ranges) {
        sum += static_cast<double>(range.end - range.begin);
      }
    }
    return sum;
  }
};

/// For each computation whether it is fused into its readers, then for each rewrite whether it is
/// chosen.
using fusion = std::vector<bool>;

class program_graph {
 public:
  std::vector<program_node> nodes;
  std::vector<program_rewrite> rewrites;

  /// The rewrite that computes `index`; none where it is computed as it was added.
  [[nodiscard]] const program_rewrite* rewrite_of(std::size_t index, const fusion& fused) const {
    for (std::size_t r = 0; r < rewrites.size(); ++r) {
      const program_rewrite& its = rewrites[r];
      if (fused[nodes.size() + r] && its.first <= index && index <= its.last) return &its;
    }
    return nullptr;
  }

  /// Why rewrite `r` cannot be chosen under `fused`, in which it is; empty where it can.
  [[nodiscard]] std::string_view obstacle_to_rewrite(std::size_t r, const fusion& fused) const {
    const program_rewrite& its = rewrites[r];
    for (std::size_t i = its.first; i <= its.last; ++i) {
      if (fused[i]) return "one of its computations is fused";
      if (rewrite_of(i, fused) != &its) return "one of its computations is rewritten otherwise";
    }
    for (std::size_t k = its.first; k < its.last; ++k) {
      for (std::size_t next = k + 1; next <= its.last; ++next) {
        const bool reduces = its.is_one_pass && next == its.last;
        const std::string_view why = obstacle_together(nodes[k], nodes[next], reduces);
        if (!why.empty()) return why;
      }
    }
    return {};
  }

  /// Why two computations cannot be in one kernel; a reduction may read what the first writes.
  [[nodiscard]] static std::string_view obstacle_together(const program_node& a,
                                                          const program_node& b, bool reduces) {
    if (!reduces && overlap(a.writes, b.reads)) return "the second reads what the first writes";
    if (overlap(a.reads, b.writes)) return "the second overwrites what the first reads";
    if ((a.may_hold_addresses && !b.writes.empty()) ||
        (b.may_hold_addresses && !a.writes.empty())) {
      return "a function of one may read what the other writes";
    }
    return {};
  }

  [[nodiscard]] std::vector<std::size_t> readers_of(std::size_t index) const {
    std::vector<std::size_t> out;
    for (std::size_t i = index + 1; i < nodes.size(); ++i) {
      for (const std::size_t read : nodes[i].results) {
        if (read == index) {
          out.push_back(i);
          break;
        }
      }
    }
    return out;
  }

  [[nodiscard]] bool reads_once(std::size_t reader, std::size_t index) const {
    const std::vector<std::size_t>& all = nodes[reader].read_once;
    return std::find(all.begin(), all.end(), index) != all.end();
  }

  /// Both read some memory, or a result of several values.
  [[nodiscard]] bool reads_in_common(std::size_t a, std::size_t b) const {
    if (overlap(nodes[a].reads, nodes[b].reads)) return true;
    for (const std::size_t read : nodes[a].results) {
      const std::vector<std::size_t>& others = nodes[b].results;
      const bool is_common = std::find(others.begin(), others.end(), read) != others.end();
      if (is_common && !nodes[read].is_single) return true;
    }
    return false;
  }

  /// The last step at which `index` is computed under a fusion: where its readers are.
  [[nodiscard]] std::size_t computed_until(std::size_t index, const fusion& fused) const {
    if (!fused[index]) return index;
    std::size_t last = index;
    for (const std::size_t reader : readers_of(index)) {
      const std::size_t until = computed_until(reader, fused);
      last = until > last ? until : last;
    }
    return last;
  }

  /// Why computation `index` cannot be fused under `fused`, in which it is; empty where it can.
  /// What readers can take, the program knows.
  [[nodiscard]] std::string_view obstacle(std::size_t index, const fusion& fused) const {
    const program_node& its = nodes[index];
    if (its.bytes == 0) return "it has a destination";
    if (readers_of(index).empty()) return "no later computation reads it";
    if (!its.yields_values) return "its elements cannot be computed one by one";
    if (!its.is_deterministic) return "it does not yield the same each time";
    const std::size_t until = computed_until(index, fused);
    for (std::size_t i = index + 1; i <= until; ++i) {
      if (nodes[i].writes_unseen) return "functions write memory before it is read";
      if (overlap(its.reads, nodes[i].writes)) return "what it reads is overwritten before";
      if (its.may_hold_addresses && !nodes[i].writes.empty() && i < until) {
        return "its functions may read what is overwritten before";
      }
    }
    return {};
  }

  /// The lives of the results that are in memory, and of what rewrites need; `offsets` gets where
  /// each lies. Returns the bytes of all.
  [[nodiscard]] std::size_t place_results(const fusion& fused, std::vector<std::size_t>& offsets,
                                          bool with_rooms = true) const {
    std::vector<lifetime> lives;
    std::vector<std::size_t> owners;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].bytes == 0 || fused[i]) continue;
      const std::vector<std::size_t> readers = readers_of(i);
      std::size_t last = i;
      for (const std::size_t reader : readers) {
        const std::size_t until = computed_until(reader, fused);
        last = until > last ? until : last;
      }
      if (readers.empty()) last = nodes.size();  // for the program's user
      const program_rewrite* const by = rewrite_of(i, fused);
      lives.push_back({nodes[i].bytes, by == nullptr ? i : by->first, last, 0});
      owners.push_back(i);
    }
    for (std::size_t r = 0; r < rewrites.size(); ++r) {
      const program_rewrite& its = rewrites[r];
      if (its.bytes == 0 || !with_rooms || !fused[nodes.size() + r]) continue;
      lives.push_back({its.bytes, its.first, its.last, 0});
      owners.push_back(nodes.size() + r);
    }
    const std::size_t peak = place_lifetimes(lives);
    offsets.assign(nodes.size() + rewrites.size(), 0);
    for (std::size_t k = 0; k < owners.size(); ++k) offsets[owners[k]] = lives[k].offset;
    return peak;
  }

  [[nodiscard]] std::size_t peak_bytes(const fusion& fused, bool with_rooms = true) const {
    std::vector<std::size_t> offsets;
    return place_results(fused, offsets, with_rooms);
  }
};

}  // namespace fettle::ndp::detail
