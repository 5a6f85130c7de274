// Transposition of a large matrix on a GPU in two passes, by the slots of slots.hpp.
#pragma once

#include <utility>

#include "device_strips.cuh"

namespace transpose::device {

/// One slot in 2^3 is a head: chains have 8 slots in the mean; the longest among half a million
/// slots has some 90.
constexpr number head_distance = 3;

/// For few columns: slots as long as tiles of 16 KiB allow, of 512 bytes at least up to 64 columns,
/// else of 256 bytes.
template <class Value>
slot_layout short_tiles_of(number m, number n) {
  number shift = 0;
  const auto bytes = [&] { return sizeof(Value) << shift; };
  const std::size_t least = n <= 64 ? 512 : 256;
  while (bytes() < least || bytes() * 2 * n <= 16 * 1024) ++shift;
  return {m, n, shift};
}

/// Whether a matrix is transposed with whole tiles in a multiprocessor.
template <class Value>
bool is_in_ring(const slot_layout& a) {
  return has_few_edges(a.m, a.shift) && ring_of<Value>(a).blocks > 0;
}

/// Whether a matrix is transposed by strips of tiles.
template <class Value>
bool is_in_strips(const slot_layout& a) {
  return has_few_edges(a.m, a.shift) && strips_of<Value>(a).shared > 0;
}

/// For strips: slots of 256 bytes, or down to 64 where the matrix has too few rows or a tile is too
/// large for a strip.
template <class Value>
slot_layout long_tiles_of(number m, number n) {
  number shift = 0;
  while (sizeof(Value) << shift < 256) ++shift;
  while (sizeof(Value) << shift > 64 && !is_in_strips<Value>({m, n, shift})) --shift;
  return {m, n, shift};
}

/// Memory for the heads, an eighth of the matrix, and the rows with loose elements, at most an
/// eighth.
template <class Value>
std::pair<Value*, Value*> slot_memory(const slot_layout& a, number heads) {
  using examples::device::scratch;
  return {static_cast<Value*>(scratch(1, (std::size_t{heads} << a.shift) * sizeof(Value))),
          static_cast<Value*>(scratch(2, std::size_t{a.edge_rows()} * a.n * sizeof(Value)))};
}

template <bool InRing, class Value>
void regroup(Value* data, const slot_chains<true>& chains, Value* saved, Value* edges) {
  const slot_layout& a = chains.layout;
  if constexpr (InRing) {
    const ring_launch ring = ring_of<Value>(a);
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

template <bool InRing, class Value>
void ungroup(Value* data, const slot_layout& a) {
  if constexpr (InRing) {
    const ring_launch ring = ring_of<Value>(a);
    static const auto kernel = with_shared_memory(&ungroup_kernel<Value>);
    launch_together(kernel, ring.blocks, regroup_threads, ring.shared, data, a, ring.rows);
  } else {
    static const auto kernel = with_shared_memory(&ungroup_strips_kernel<Value>);
    const strip_plan plan = strips_of<Value>(a);
    launch_together(kernel, multiprocessors(), strip_threads, plan.shared, data, a, plan);
  }
}

/// From m rows of n elements to n lines of m.
template <bool InRing, class Value>
void to_lines_by_slots(Value* data, const slot_layout& a) {
  const slot_chains<true> chains{a, head_distance};
  const auto [saved, edges] = slot_memory<Value>(a, chains.heads);
  regroup<InRing>(data, chains, saved, edges);
  follow_chains(chains, data, saved, sizeof(Value));
  place_edges<true>(data, a, edges);
}

/// The inverse.
template <bool InRing, class Value>
void to_rows_by_slots(Value* data, const slot_layout& a) {
  const slot_chains<false> chains{a, head_distance};
  const auto [saved, edges] = slot_memory<Value>(a, chains.heads);
  save_edges_of_lines(data, a, edges);
  save_heads(chains, data, saved, sizeof(Value));
  follow_chains(chains, data, saved, sizeof(Value));
  ungroup<InRing>(data, a);
  place_edges<false>(data, a, edges);
}

}  // namespace transpose::device
