// Transposition in place on a GPU: in one pass or in two where the shape allows it, else by the
// steps of decomposition.hpp. There a block shuffles a row, or a group of columns as wide as a
// memory transaction, through shared memory, or through scratch memory of at most an eighth of the
// matrix where shared memory is too small.
#pragma once

#include <numeric>

#include "device_by_slots.cuh"
#include "device_on_chip.cuh"

namespace transpose::device {

/// m rows and n columns, of fewer than 2^31 elements.
struct decomposition {
  number m;
  number n;
  number c = std::gcd(m, n);
  divider by_a{m / c};
  divider by_b{n / c};
  divider by_m{m};
  divider by_n{n};

  /// The row, by step 3, from which row i comes before column j is rotated.
  __device__ number permuted_row(number i) const {
    const number before = by_m.remainder(i * n);
    const number back = by_a.quotient(i);  // below c, which is at most m
    return before >= back ? before - back : before + m - back;
  }
  /// The column to which step 2 moves element j of row i.
  __device__ number destination(number i, number j) const {
    number rotated = i + by_b.quotient(j);
    if (rotated >= m) rotated -= m;
    return by_n.remainder(rotated + j * m);
  }
};

constexpr unsigned block_size = 512;

/// What a block copies to: shared memory, or its part of the scratch memory.
template <class Value>
__device__ Value* buffer_of_block(Value* scratch, std::size_t line) {
  extern __shared__ __align__(16) unsigned char shared[];
  return scratch == nullptr ? reinterpret_cast<Value*>(shared) : scratch + blockIdx.x * line;
}

template <bool Back, class Value>
__global__ void shuffle_rows_kernel(Value* data, decomposition d, Value* scratch) {
  Value* const line = buffer_of_block(scratch, d.n);
  for (number i = blockIdx.x; i < d.m; i += gridDim.x) {
    Value* const row = data + std::size_t{i} * d.n;
    for (number j = threadIdx.x; j < d.n; j += blockDim.x) {
      line[Back ? j : d.destination(i, j)] = row[j];
    }
    __syncthreads();
    for (number j = threadIdx.x; j < d.n; j += blockDim.x)
      row[j] = line[Back ? d.destination(i, j) : j];
    __syncthreads();
  }
}

/// Replaces element (i, j) by element (source(i) + rotation(j)) mod m of its column: source is i or
/// the permuted row, rotation j / b or j mod m; or the reverse.
template <bool Back, bool Permute, class Value>
__global__ void gather_columns_kernel(Value* data, decomposition d, number width, Value* scratch) {
  Value* const group = buffer_of_block(scratch, std::size_t{d.m} * width);
  const number column = threadIdx.x % width;
  const number rows_at_once = blockDim.x / width;
  for (number first = blockIdx.x * width; first < d.n; first += gridDim.x * width) {
    const number j = first + column;
    const bool is_inside = j < d.n;
    const number rotation = Permute ? d.by_m.remainder(j) : d.by_b.quotient(j);
    if (is_inside)
      for (number i = threadIdx.x / width; i < d.m; i += rows_at_once)
        group[std::size_t{i} * width + column] = data[std::size_t{i} * d.n + j];
    __syncthreads();
    if (is_inside)
      for (number i = threadIdx.x / width; i < d.m; i += rows_at_once) {
        number from = (Permute ? d.permuted_row(i) : i) + rotation;
        if (from >= d.m) from -= d.m;
        const std::size_t to = std::size_t{Back ? from : i} * d.n + j;
        data[to] = group[std::size_t{Back ? i : from} * width + column];
      }
    __syncthreads();
  }
}

/// Where the lines of blocks lie, and how many blocks there are.
template <class Value>
struct line_memory {
  /// `lines` lines of `line` elements each, for a matrix of `elements`.
  line_memory(std::size_t lines, std::size_t line, std::size_t elements) {
    std::size_t count = lines;
    if (line * sizeof(Value) <= most_shared) {
      shared = line * sizeof(Value);
      count = std::min<std::size_t>(count, 65535);
    } else {
      count = std::min<std::size_t>({count, multiprocessors() * std::size_t{2},
                                     std::max<std::size_t>(1, elements / 8 / line)});
      scratch = static_cast<Value*>(examples::device::scratch(0, count * line * sizeof(Value)));
    }
    blocks = static_cast<unsigned>(count);
  }

  unsigned blocks;
  std::size_t shared = 0;
  Value* scratch = nullptr;
};

template <bool Back, class Value>
void shuffle_rows(Value* data, const decomposition& d) {
  static const auto kernel = with_shared_memory(&shuffle_rows_kernel<Back, Value>);
  const line_memory<Value> memory(d.m, d.n, std::size_t{d.m} * d.n);
  const unsigned threads = std::clamp((d.n + 31) / 32 * 32, 32U, block_size);
  kernel<<<memory.blocks, threads, memory.shared>>>(data, d, memory.scratch);
}

/// The groups are 128 bytes wide, or down to 32 where more blocks share a multiprocessor then.
template <bool Back, bool Permute, class Value>
void gather_columns(Value* data, const decomposition& d) {
  static const auto kernel = with_shared_memory(&gather_columns_kernel<Back, Permute, Value>);
  number width = 128 / sizeof(Value);
  const auto fits = [&](std::size_t bytes) {
    return std::size_t{d.m} * width * sizeof(Value) <= bytes;
  };
  while (width * sizeof(Value) > 32 && !fits(most_shared / 2)) width /= 2;
  if (!fits(most_shared)) width = 64 / sizeof(Value);
  const line_memory<Value> memory((d.n + width - 1) / width, std::size_t{d.m} * width,
                                  std::size_t{d.m} * d.n);
  kernel<<<memory.blocks, block_size, memory.shared>>>(data, d, width, memory.scratch);
}

/// Transposes an array of m rows and n columns. Precondition: m n < 2^31.
template <class Value>
void c2r(Value* data, number m, number n) {
  if (m <= 1 || n <= 1) return;
  if (transpose_on_chip<true>(data, m, n)) return;
  if (const slot_layout a = long_tiles_of<Value>(m, n); is_in_strips<Value>(a))
    return to_lines_by_slots<false>(data, a);
  const decomposition d{m, n};
  if (d.c > 1) gather_columns<false, false>(data, d);
  shuffle_rows<false>(data, d);
  gather_columns<false, true>(data, d);
}

/// The same by the inverse steps, as n rows of m elements.
template <class Value>
void r2c(Value* data, number m, number n) {
  if (m <= 1 || n <= 1) return;
  if (transpose_on_chip<false>(data, n, m)) return;
  if (const slot_layout a = long_tiles_of<Value>(n, m); is_in_strips<Value>(a))
    return to_rows_by_slots<false>(data, a);
  const decomposition d{n, m};
  gather_columns<true, true>(data, d);
  shuffle_rows<true>(data, d);
  if (d.c > 1) gather_columns<true, false>(data, d);
}

}  // namespace transpose::device
