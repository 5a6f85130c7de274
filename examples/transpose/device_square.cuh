// square.hpp on a GPU.
#pragma once

#include "../support/device.cuh"
#include "divider.hpp"

namespace transpose::device {

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
