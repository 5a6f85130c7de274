// CoMD's kernels for a GPU, its method thread_atom: a kernel a loop, a thread an atom. The atoms'
// slots are listed, box by box, so that threads of a warp mostly share their neighbours.
#pragma once

#include <cuda_runtime.h>

#include "../../common/ndp/device.cuh"
#include "exmatex.hpp"

namespace ndp_tuned::exmatex {

inline constexpr int thread_atom_block = 128;  // CoMD's THREAD_ATOM_CTA

/// Step 1, 2 or 3 of the force.
template <int Step>
__global__ void __launch_bounds__(thread_atom_block)
    eam_force_thread_atom(arrays s, const int* slots, int atoms) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= atoms) return;
  const int slot = slots[i];
  if constexpr (Step == 1) pair_loop(s, slot / max_atoms, slot);
  if constexpr (Step == 2) embedding_loop(s, slot);
  if constexpr (Step == 3) density_loop(s, slot / max_atoms, slot);
}

/// Each block adds up the energies of its atoms; the host adds up the blocks'.
inline __device__ double sum_of_block(double mine) {
  __shared__ double warps[thread_atom_block / 32];
  for (int distance = 16; distance > 0; distance /= 2) {
    mine += __shfl_down_sync(0xffffffffu, mine, distance);
  }
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
  __syncthreads();
  double sum = 0;
  for (const double warp : warps) sum += warp;
  return sum;
}

template <int Block>
__global__ void __launch_bounds__(Block)
    sum_energies(const double* energy, const int* slots, int atoms, double* sum) {
  double mine = 0;
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < atoms; i += step) {
    mine += energy[slots[i]];
  }
  const double total = sum_of_block(mine);
  if (threadIdx.x == 0) atomicAdd(sum, total);
}

/// eamForce() on a GPU. Returns the energy of all atoms, after waiting for it.
inline double eam_force(const arrays& s, const int* slots, int atoms, double* sum,
                        cudaStream_t stream) {
  constexpr int block = thread_atom_block;
  const auto blocks = static_cast<unsigned>((atoms + block - 1) / block);
  ndp_gpu::check(cudaMemsetAsync(sum, 0, sizeof *sum, stream), "cudaMemsetAsync");
  eam_force_thread_atom<1><<<blocks, block, 0, stream>>>(s, slots, atoms);
  eam_force_thread_atom<2><<<blocks, block, 0, stream>>>(s, slots, atoms);
  eam_force_thread_atom<3><<<blocks, block, 0, stream>>>(s, slots, atoms);
  sum_energies<block><<<std::min(blocks, 1024u), block, 0, stream>>>(s.energy, slots, atoms, sum);
  ndp_gpu::check(cudaGetLastError(), "eam_force");
  double energy = 0;
  ndp_gpu::check(cudaMemcpyAsync(&energy, sum, sizeof energy, cudaMemcpyDeviceToHost, stream),
                 "cudaMemcpyAsync");
  ndp_gpu::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return energy;
}

}  // namespace ndp_tuned::exmatex
