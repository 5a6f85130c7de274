// skinny.hpp on a GPU: one pass over the rows for all that moves an element by less than 2 n rows,
// and a permutation of whole rows by its cycles, which are cut into pieces that threads follow.
#pragma once

#include "device_decomposition.cuh"

namespace transpose::device {

inline constexpr number most_skinny = 64;

/// The rows of a chunk belong to one block, which passes over them in tiles.
struct chunks {
  number rows;   ///< a chunk
  number count;  ///< of chunks
  number tile;   ///< rows
};

/// A copy of the 2 n rows behind (or before) each chunk, which another block overwrites.
template <bool Behind, class Value>
__global__ void save_halos_kernel(const Value* data, decomposition d, chunks parts, Value* halos) {
  const number elements = 2 * d.n * d.n;
  const number first = min(d.m, blockIdx.x * parts.rows);
  const number last = min(d.m, first + parts.rows);
  for (number k = threadIdx.x; k < elements; k += blockDim.x) {
    const number r = k / d.n;
    // m is added as often as keeps the sum above 0.
    const number row = Behind ? last + r : first + (2 * d.n / d.m + 1) * d.m - 2 * d.n + r;
    halos[std::size_t{blockIdx.x} * elements + k] =
        data[std::size_t{d.by_m.remainder(row)} * d.n + k % d.n];
  }
}

/// Steps 1 and 2 and the rotation of step 3. `window` holds the tile's rows and the 2 n behind it.
template <class Value>
__global__ void forward_kernel(Value* data, decomposition d, chunks parts, const Value* halos) {
  extern __shared__ __align__(16) unsigned char shared[];
  Value* const window = reinterpret_cast<Value*>(shared);
  Value* const result = window + (parts.tile + 2 * d.n) * d.n;
  const Value* const halo = halos + std::size_t{blockIdx.x} * 2 * d.n * d.n;
  const number first = min(d.m, blockIdx.x * parts.rows);
  const number last = min(d.m, first + parts.rows);
  for (number tile = first; tile < last; tile += parts.tile) {
    const number rows = min(parts.tile, last - tile);
    for (number k = threadIdx.x; k < (rows + 2 * d.n) * d.n; k += blockDim.x) {
      const number row = tile + k / d.n;
      window[k] =
          row < last ? data[std::size_t{tile} * d.n + k] : halo[(row - last) * d.n + k % d.n];
    }
    __syncthreads();
    for (number k = threadIdx.x; k < (rows + d.n - 1) * d.n; k += blockDim.x) {
      const number i = k / d.n;  // relative to the tile
      const number j = k % d.n;
      const number column = d.destination(d.by_m.remainder(tile + i), j);
      if (i >= column && i - column < rows)
        result[(i - column) * d.n + column] = window[(i + d.by_b.quotient(j)) * d.n + j];
    }
    __syncthreads();
    for (number k = threadIdx.x; k < rows * d.n; k += blockDim.x)
      data[std::size_t{tile} * d.n + k] = result[k];
    __syncthreads();
  }
}

/// The inverse, from the last tile to the first; the 2 n rows before a tile are in the window.
template <class Value>
__global__ void backward_kernel(Value* data, decomposition d, chunks parts, const Value* halos) {
  extern __shared__ __align__(16) unsigned char shared[];
  Value* const window = reinterpret_cast<Value*>(shared);
  const Value* const halo = halos + std::size_t{blockIdx.x} * 2 * d.n * d.n;
  const number first = min(d.m, blockIdx.x * parts.rows);
  const number last = min(d.m, first + parts.rows);
  const number margin = (2 * d.n / d.m + 1) * d.m;
  const number tiles = (last - first + parts.tile - 1) / parts.tile;
  for (number t = tiles; t-- > 0;) {
    const number tile = first + t * parts.tile;
    const number rows = min(parts.tile, last - tile);
    for (number k = threadIdx.x; k < (rows + 2 * d.n) * d.n; k += blockDim.x) {
      const number row = tile + k / d.n;  // 2 n rows too high
      window[k] = row >= first + 2 * d.n ? data[std::size_t{row - 2 * d.n} * d.n + k % d.n]
                                         : halo[(row - first) * d.n + k % d.n];
    }
    __syncthreads();
    for (number k = threadIdx.x; k < rows * d.n; k += blockDim.x) {
      const number j = k % d.n;
      const number i = k / d.n + 2 * d.n - d.by_b.quotient(j);  // in the window
      const number column = d.destination(d.by_m.remainder(tile + i + margin - 2 * d.n), j);
      data[std::size_t{tile} * d.n + k] = window[(i - column) * d.n + column];
    }
    __syncthreads();
  }
}

/// One head in every 32 rows cuts the cycles of the permutation.
constexpr number head_distance = 32;
__device__ inline number head_of_group(number group, number m) {
  return min(m - 1, group * head_distance + ((group * 0x9E3779B1U) >> 27));
}
__device__ inline bool is_head(number row, number m) {
  return head_of_group(row / head_distance, m) == row;
}

template <class Value>
__global__ void save_heads_kernel(const Value* data, decomposition d, number heads, Value* saved) {
  const number k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < heads * d.n) saved[k] = data[std::size_t{head_of_group(k / d.n, d.m)} * d.n + k % d.n];
}

/// A thread follows a cycle from one head to the next, for one column: row i becomes row q(i), or
/// (Back) row q(i) becomes row i. What another thread overwrites are heads, which are saved.
template <bool Back, class Value>
__global__ void follow_kernel(Value* data, decomposition d, number heads, const Value* saved) {
  const number k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= heads * d.n) return;
  const number column = k % d.n;
  const auto at = [&](number row) -> Value& { return data[std::size_t{row} * d.n + column]; };
  number i = head_of_group(k / d.n, d.m);
  if constexpr (Back) {
    Value carried = saved[k];
    for (;;) {
      i = d.permuted_row(i);
      const bool ends = is_head(i, d.m);
      const Value next = ends ? carried : at(i);
      at(i) = carried;
      if (ends) return;
      carried = next;
    }
  } else {
    for (;;) {
      const number from = d.permuted_row(i);
      if (is_head(from, d.m)) {
        at(i) = saved[from / head_distance * d.n + column];
        return;
      }
      at(i) = at(from);
      i = from;
    }
  }
}

/// The cycles without a head, which are short and few, each by the thread of its smallest row.
template <bool Back, class Value>
__global__ void close_cycles_kernel(Value* data, decomposition d) {
  const number leader = blockIdx.x * blockDim.x + threadIdx.x;
  if (leader >= d.m || is_head(leader, d.m)) return;
  for (number i = d.permuted_row(leader); i != leader; i = d.permuted_row(i))
    if (i < leader || is_head(i, d.m)) return;
  for (number column = 0; column < d.n; ++column) {
    const auto at = [&](number row) -> Value& { return data[std::size_t{row} * d.n + column]; };
    Value carried = at(leader);
    number i = leader;
    if constexpr (Back) {
      do {
        i = d.permuted_row(i);
        const Value next = at(i);
        at(i) = carried;
        carried = next;
      } while (i != leader);
    } else {
      for (number from = d.permuted_row(i); from != leader; i = from, from = d.permuted_row(i))
        at(i) = at(from);
      at(i) = carried;
    }
  }
}

template <bool Back, class Value>
void permute_rows(Value* data, const decomposition& d) {
  using examples::device::blocks_for;
  const number heads = (d.m + head_distance - 1) / head_distance;
  auto* const saved =
      static_cast<Value*>(examples::device::scratch(1, std::size_t{heads} * d.n * sizeof(Value)));
  const unsigned blocks = blocks_for(std::size_t{heads} * d.n, block_size);
  save_heads_kernel<<<blocks, block_size>>>(data, d, heads, saved);
  follow_kernel<Back><<<blocks, block_size>>>(data, d, heads, static_cast<const Value*>(saved));
  close_cycles_kernel<Back><<<blocks_for(d.m, block_size), block_size>>>(data, d);
}

/// Chunks of at least 16 n rows, so that the halos are at most an eighth of the matrix.
inline chunks chunks_of(const decomposition& d) {
  const number tile = std::max<number>(d.n, 4096 / d.n);
  const number blocks = 4 * examples::device::multiprocessors();
  number rows = std::max({16 * d.n, (d.m + blocks - 1) / blocks, tile});
  rows = (rows + tile - 1) / tile * tile;
  return {rows, (d.m + rows - 1) / rows, tile};
}

template <bool Back, class Value>
void pass_over_rows(Value* data, const decomposition& d) {
  static const auto kernel =
      with_shared_memory(Back ? &backward_kernel<Value> : &forward_kernel<Value>);
  const chunks parts = chunks_of(d);
  auto* const halos = static_cast<Value*>(
      examples::device::scratch(1, std::size_t{parts.count} * 2 * d.n * d.n * sizeof(Value)));
  save_halos_kernel<!Back>
      <<<parts.count, block_size>>>(static_cast<const Value*>(data), d, parts, halos);
  const std::size_t shared = std::size_t{2 * parts.tile + 2 * d.n} * d.n * sizeof(Value);
  kernel<<<parts.count, block_size, shared>>>(data, d, parts, static_cast<const Value*>(halos));
}

/// c2r for few columns. Precondition: n <= most_skinny, m n < 2^31.
template <class Value>
void skinny_c2r(Value* data, number m, number n) {
  if (m <= 1 || n <= 1) return;
  const decomposition d{m, n};
  pass_over_rows<false>(data, d);
  permute_rows<false>(data, d);
}

/// r2c for few rows. Precondition: m <= most_skinny, m n < 2^31.
template <class Value>
void skinny_r2c(Value* data, number m, number n) {
  if (m <= 1 || n <= 1) return;
  const decomposition d{n, m};
  permute_rows<true>(data, d);
  pass_over_rows<true>(data, d);
}

/// Tiles that mirror each other change places; a block for each pair of them.
template <class Value>
__global__ void square_kernel(Value* data, number n) {
  constexpr number side = 32;
  __shared__ Value above[side][side + 1];
  __shared__ Value below[side][side + 1];
  if (blockIdx.x < blockIdx.y) return;
  const number column = threadIdx.x;
  const auto element = [&](number p, number q, number i) -> Value& {
    return data[std::size_t{p * side + i} * n + q * side + column];
  };
  const auto is_inside = [&](number p, number q, number i) {
    return p * side + i < n && q * side + column < n;
  };
  for (number i = threadIdx.y; i < side; i += blockDim.y) {
    if (is_inside(blockIdx.y, blockIdx.x, i)) above[i][column] = element(blockIdx.y, blockIdx.x, i);
    if (is_inside(blockIdx.x, blockIdx.y, i)) below[i][column] = element(blockIdx.x, blockIdx.y, i);
  }
  __syncthreads();
  for (number i = threadIdx.y; i < side; i += blockDim.y) {
    if (is_inside(blockIdx.y, blockIdx.x, i)) element(blockIdx.y, blockIdx.x, i) = below[column][i];
    if (is_inside(blockIdx.x, blockIdx.y, i)) element(blockIdx.x, blockIdx.y, i) = above[column][i];
  }
}

template <class Value>
void square_blocks(Value* data, number n) {
  if (n <= 1) return;
  const number tiles = (n + 31) / 32;
  square_kernel<<<dim3(tiles, tiles), dim3(32, 8)>>>(data, n);
}

}  // namespace transpose::device
