// Definitions of program_graph.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/ndp/program/memory_plan.hpp>
#include <fettle/ndp/program/memory_ranges.hpp>
#include <fettle/ndp/program/program_graph.hpp>

namespace fettle::inline FETTLE_ABI::detail {

FETTLE_INLINE double program_node::bytes_outside() const {
  double sum = 0;
  for (const auto* const ranges : {&reads, &writes}) {
    for (const memory_range& range : *ranges) {
      sum += static_cast<double>(range.end - range.begin);
    }
  }
  return sum;
}

FETTLE_INLINE const program_rewrite* program_graph::rewrite_of(std::size_t index,
                                                               const fusion& fused) const {
  for (std::size_t r = 0; r < rewrites.size(); ++r) {
    const program_rewrite& its = rewrites[r];
    if (fused[nodes.size() + r] && its.first <= index && index <= its.last) return &its;
  }
  return nullptr;
}

FETTLE_INLINE std::string_view program_graph::obstacle_to_rewrite(std::size_t r,
                                                                  const fusion& fused) const {
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

FETTLE_INLINE std::string_view program_graph::obstacle_together(const program_node& a,
                                                                const program_node& b,
                                                                bool reduces) {
  if (!reduces && overlap(a.writes, b.reads)) return "the second reads what the first writes";
  if (overlap(a.reads, b.writes)) return "the second overwrites what the first reads";
  if ((a.may_hold_addresses && !b.writes.empty()) || (b.may_hold_addresses && !a.writes.empty())) {
    return "a function of one may read what the other writes";
  }
  return {};
}

FETTLE_INLINE std::vector<std::size_t> program_graph::readers_of(std::size_t index) const {
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

FETTLE_INLINE bool program_graph::reads_once(std::size_t reader, std::size_t index) const {
  const std::vector<std::size_t>& all = nodes[reader].read_once;
  return std::find(all.begin(), all.end(), index) != all.end();
}

FETTLE_INLINE bool program_graph::reads_in_common(std::size_t a, std::size_t b) const {
  if (overlap(nodes[a].reads, nodes[b].reads)) return true;
  for (const std::size_t read : nodes[a].results) {
    const std::vector<std::size_t>& others = nodes[b].results;
    const bool is_common = std::find(others.begin(), others.end(), read) != others.end();
    if (is_common && !nodes[read].is_single) return true;
  }
  return false;
}

FETTLE_INLINE std::size_t program_graph::computed_until(std::size_t index,
                                                        const fusion& fused) const {
  if (!fused[index]) return index;
  std::size_t last = index;
  for (const std::size_t reader : readers_of(index)) {
    const std::size_t until = computed_until(reader, fused);
    last = until > last ? until : last;
  }
  return last;
}

FETTLE_INLINE std::string_view program_graph::obstacle(std::size_t index,
                                                       const fusion& fused) const {
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

FETTLE_INLINE std::size_t program_graph::place_results(const fusion& fused,
                                                       std::vector<std::size_t>& offsets,
                                                       bool with_rooms) const {
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

FETTLE_INLINE std::size_t program_graph::peak_bytes(const fusion& fused, bool with_rooms) const {
  std::vector<std::size_t> offsets;
  return place_results(fused, offsets, with_rooms);
}

}  // namespace fettle::detail
