// Four of the computations on a GPU, exact and approximate: sums over fewer paths or numbers, fewer
// rows, and a shorter reach of forces.
#pragma once

#include <cstddef>
#include <cstdint>

namespace approximate::gpu {

inline constexpr unsigned block = 256;

/// A number in (0, 1) for each counter (Steele et al., SplitMix64).
__device__ inline float uniform(std::uint64_t counter) {
  std::uint64_t z = counter * 0x9E3779B97F4A7C15U + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  z ^= z >> 31U;
  return (static_cast<float>(z >> 40U) + 0.5F) * 0x1p-24F;
}

struct contract {
  float drift;
  float volatility;
  float strike;
};

/// Adds the payoffs of `paths` paths of a European call, two by a pair of numbers (Box and Muller).
__global__ void add_payoffs(contract in, std::uint64_t paths, double* sum) {
  float own = 0;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * block;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block + threadIdx.x; i < paths / 2;
       i += threads) {
    const float radius = sqrtf(-2 * logf(uniform(2 * i)));
    float sine = 0;
    float cosine = 0;
    sincospif(2 * uniform(2 * i + 1), &sine, &cosine);
    own += fmaxf(0, expf(in.drift + in.volatility * radius * sine) - in.strike);
    own += fmaxf(0, expf(in.drift + in.volatility * radius * cosine) - in.strike);
  }
  for (int offset = 16; offset > 0; offset /= 2) own += __shfl_down_sync(~0U, own, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, static_cast<double>(own));
}

__global__ void draw_field(float* value, unsigned side, float rough, float tilt, float phase) {
  const unsigned j = blockIdx.x * block + threadIdx.x;
  if (j >= side) return;
  const float scale = 6.28F / static_cast<float>(side);
  for (unsigned i = blockIdx.y; i < side; i += gridDim.y) {
    value[std::size_t{i} * side + j] =
        2 + sinf(rough * static_cast<float>(i) * scale * tilt + phase) *
                cosf(rough * static_cast<float>(j) * scale);
  }
}

/// A 5-point weighted mean of every `step`-th row; rows between take what the one before has.
__global__ void smooth(const float* v, float* out, unsigned n, unsigned step) {
  const unsigned j = blockIdx.x * block + threadIdx.x;
  const unsigned i = 1 + blockIdx.y * step;
  if (j == 0 || j + 1 >= n || i + 1 >= n) return;
  const std::size_t at = std::size_t{i} * n + j;
  const float mean = 0.5F * v[at] + 0.125F * (v[at - 1] + v[at + 1] + v[at - n] + v[at + n]);
  const float result = sqrtf(mean * mean + 1e-3F) + expf(-mean * mean);
  for (unsigned k = i; k < min(i + step, n - 1); ++k) out[std::size_t{k} * n + j] = result;
}

__global__ void draw_numbers(float* value, std::uint64_t count, float power, std::uint64_t seed) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * block + threadIdx.x;
  if (i < count) value[i] = fminf(0.999999F, powf(uniform(seed + i), power));
}

/// Counts the numbers of every `step`-th tile of a block.
__global__ void count_in_bins(const float* value, std::uint64_t count, unsigned bins, unsigned step,
                              unsigned* counts) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (std::uint64_t tile = std::uint64_t{blockIdx.x} * step; tile * block < count;
       tile += std::uint64_t{gridDim.x} * step) {
    const std::uint64_t i = tile * block + threadIdx.x;
    if (i < count) atomicAdd(&own[static_cast<unsigned>(value[i] * static_cast<float>(bins))], 1U);
  }
  __syncthreads();
  if (threadIdx.x < bins && own[threadIdx.x] != 0) {
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
  }
}

/// Particles in a cube, in the order of x: one in each of as many slices.
__global__ void draw_particles(float4* at, unsigned count, std::uint64_t seed) {
  const unsigned i = blockIdx.x * block + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t own = seed + 3 * std::uint64_t{i};
  at[i] = make_float4((static_cast<float>(i) + uniform(own)) / static_cast<float>(count),
                      uniform(own + 1), uniform(own + 2), 0);
}

/// Screened forces of particles in the order of x on each other, as far as `reach` in x; all of
/// them where it is 1.
__global__ void add_forces(const float4* at, float4* force, unsigned count, float inverse,
                           float reach) {
  __shared__ float4 tile[block];
  __shared__ unsigned range[2];
  const unsigned i = blockIdx.x * block + threadIdx.x;
  const float4 own = at[min(i, count - 1)];
  if (threadIdx.x < 2) {
    const unsigned edge =
        threadIdx.x == 0 ? blockIdx.x * block : min((blockIdx.x + 1) * block, count) - 1;
    const float end = at[edge].x + (threadIdx.x == 0 ? -reach : reach);
    unsigned low = 0;
    unsigned high = count;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (at[middle].x < end) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    range[threadIdx.x] = low;
  }
  __syncthreads();
  float fx = 0;
  float fy = 0;
  float fz = 0;
  for (unsigned begin = range[0]; begin < range[1]; begin += block) {
    const unsigned mine = begin + threadIdx.x;
    __syncthreads();
    tile[threadIdx.x] = mine < range[1] ? at[mine] : make_float4(0, 0, 0, 0);
    __syncthreads();
    const unsigned size = min(block, range[1] - begin);
    for (unsigned j = 0; j < size; ++j) {
      const float dx = tile[j].x - own.x;
      const float dy = tile[j].y - own.y;
      const float dz = tile[j].z - own.z;
      const float squared = dx * dx + dy * dy + dz * dz + 1e-4F;
      const float distance = sqrtf(squared);
      const float by = expf(-distance * inverse) / (squared * distance);
      fx += by * dx;
      fy += by * dy;
      fz += by * dz;
    }
  }
  if (i < count) force[i] = make_float4(fx, fy, fz, 0);
}

}  // namespace approximate::gpu
