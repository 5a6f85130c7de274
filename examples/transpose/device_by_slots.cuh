// Transposition of a large matrix on a GPU in two passes, by the slots of slots.hpp.
#pragma once

#include <utility>

#include "device_strips.cuh"

namespace transpose::device {

/// The kernels below cost less than those of device_decomposition.cuh from this many elements on.
constexpr std::size_t least_by_slots = std::size_t{1} << 19;

/// One slot in 2^3 is a head: chains have 8 slots in the mean; the longest among half a million
/// slots has some 90.
constexpr number head_distance = 3;

/// Slots as long as tiles of 16 KiB allow, of 512 bytes at least where there are few columns, else
/// of 256 bytes, or down to 64 where the matrix has too few rows or a tile is too large for a
/// strip.
template <class Value>
slot_layout slots_of(number m, number n) {
  number shift = 0;
  const auto bytes = [&] { return sizeof(Value) << shift; };
  const std::size_t least = n <= 64 ? 512 : 256;
  while (bytes() < least || bytes() * 2 * n <= 16 * 1024) ++shift;
  const auto fits = [&] {
    return has_few_edges(m, shift) && strips_of<Value>({m, n, shift}).shared > 0;
  };
  while (bytes() > 64 && !fits()) --shift;
  return {m, n, shift};
}

/// Whether a matrix is transposed by slots.
template <class Value>
bool is_by_slots(const slot_layout& a) {
  return std::size_t{a.m} * a.n >= least_by_slots && has_few_edges(a.m, a.shift) &&
         strips_of<Value>(a).shared > 0;
}

/// Memory for the heads, an eighth of the matrix, and the rows with loose elements, at most an
/// eighth.
template <class Value>
std::pair<Value*, Value*> slot_memory(const slot_layout& a, number heads) {
  using examples::device::scratch;
  return {static_cast<Value*>(scratch(1, (std::size_t{heads} << a.shift) * sizeof(Value))),
          static_cast<Value*>(scratch(2, std::size_t{a.edge_rows()} * a.n * sizeof(Value)))};
}

template <class Value>
void regroup(Value* data, const slot_chains<true>& chains, Value* saved, Value* edges) {
  const slot_layout& a = chains.layout;
  if (const ring_launch ring = ring_of<Value>(a); ring.blocks > 0) {
    static const auto kernel = with_shared_memory(&regroup_kernel<Value>);
    launch_together(kernel, ring.blocks, regroup_threads, ring.shared, data, chains, ring.rows,
                    saved, edges);
  } else {
    static const auto kernel = with_shared_memory(&regroup_strips_kernel<Value>);
    const strip_plan plan = strips_of<Value>(a);
    launch_together(kernel, multiprocessors(), strip_threads, plan.shared, data, chains, plan,
                    saved, edges);
  }
}

template <class Value>
void ungroup(Value* data, const slot_layout& a) {
  if (const ring_launch ring = ring_of<Value>(a); ring.blocks > 0) {
    static const auto kernel = with_shared_memory(&ungroup_kernel<Value>);
    launch_together(kernel, ring.blocks, regroup_threads, ring.shared, data, a, ring.rows);
  } else {
    static const auto kernel = with_shared_memory(&ungroup_strips_kernel<Value>);
    const strip_plan plan = strips_of<Value>(a);
    launch_together(kernel, multiprocessors(), strip_threads, plan.shared, data, a, plan);
  }
}

/// From m rows of n elements to n lines of m.
template <class Value>
void to_lines_by_slots(Value* data, const slot_layout& a) {
  const slot_chains<true> chains{a, head_distance};
  const auto [saved, edges] = slot_memory<Value>(a, chains.heads);
  regroup(data, chains, saved, edges);
  follow_chains(chains, data, saved, sizeof(Value));
  place_edges<true>(data, a, edges);
}

/// The inverse.
template <class Value>
void to_rows_by_slots(Value* data, const slot_layout& a) {
  const slot_chains<false> chains{a, head_distance};
  const auto [saved, edges] = slot_memory<Value>(a, chains.heads);
  save_edges_of_lines(data, a, edges);
  save_heads(chains, data, saved, sizeof(Value));
  follow_chains(chains, data, saved, sizeof(Value));
  ungroup(data, a);
  place_edges<false>(data, a, edges);
}

}  // namespace transpose::device
