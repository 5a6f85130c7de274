// The rows of slots.hpp with elements that are in no whole slot, on a GPU: they are copied before
// anything moves, and these elements are put where they belong after all.
#pragma once

#include "device_launch.cuh"
#include "slots.hpp"

namespace transpose::device {

constexpr unsigned edge_threads = 256;

/// Whether these rows, with slots of 2^shift elements, are an eighth of m at most.
inline bool has_few_edges(number m, number shift) { return m >> shift >= 24; }

/// Copies these rows out of the rows' array, by all threads of the grid.
template <class Value>
__device__ void save_edges(const Value* data, const slot_layout& a, Value* edges) {
  const number size = a.edge_rows() * a.n;
  for (number k = blockIdx.x * blockDim.x + threadIdx.x; k < size; k += gridDim.x * blockDim.x) {
    const number row = a.by_n.quotient(k);
    edges[k] = data[std::size_t{a.edge_row(row)} * a.n + (k - row * a.n)];
  }
}

/// Copies them out of the lines' array.
template <class Value>
__global__ void save_edges_kernel(const Value* data, slot_layout a, Value* edges) {
  const number rows = a.edge_rows();
  const number k = blockIdx.x * blockDim.x + threadIdx.x;
  const number j = k / rows;
  const number row = k - j * rows;
  if (j < a.n) edges[row * a.n + j] = data[std::size_t{j} * a.m + a.edge_row(row)];
}

template <class Value>
void save_edges_of_lines(const Value* data, const slot_layout& a, Value* edges) {
  const unsigned blocks = blocks_for(std::size_t{a.edge_rows()} * a.n, edge_threads);
  save_edges_kernel<<<blocks, edge_threads>>>(data, a, edges);
}

/// Puts the loose elements where they belong.
template <bool ToLines, class Value>
__global__ void place_edges_kernel(Value* data, slot_layout a, const Value* edges) {
  const number rows = a.edge_rows();
  const number k = blockIdx.x * blockDim.x + threadIdx.x;
  const number j = ToLines ? k / rows : k % a.n;
  const number edge = ToLines ? k - j * rows : k / a.n;
  if (j >= a.n || edge >= rows) return;
  const number row = a.edge_row(edge);
  // The rows behind the last tile are in no regrouped slot of their own.
  if (a.is_loose(row, j) || (!ToLines && row >= a.tiles << a.shift))
    data[ToLines ? std::size_t{j} * a.m + row : std::size_t{row} * a.n + j] = edges[edge * a.n + j];
}

template <bool ToLines, class Value>
void place_edges(Value* data, const slot_layout& a, const Value* edges) {
  const unsigned blocks = blocks_for(std::size_t{a.edge_rows()} * a.n, edge_threads);
  place_edges_kernel<ToLines><<<blocks, edge_threads>>>(data, a, edges);
}

}  // namespace transpose::device
