// The stencil kernels of stencil.cu on a processor's cores, with optimizations of their own, chosen
// by macros when it is compiled (openmp.py). The terms are the same stencil_terms.inc.
//
// ELEMENTS, ROW, PLANE, ORIGIN    as in stencil.cu
// TILE_X, TILE_Y, TILE_Z          of the output, what a thread computes at a time
// MERGE_Y                         rows that are computed together, so that what they share is
// loaded
//                                 once
// SIMD_WIDTH                      elements of a row that are computed together, one vector
// operation
//                                 a term; 1: what the compiler makes of the loop
// SCHEDULE                        of the tiles over the threads: static, dynamic or guided
// A row's elements that are computed together. Vectors are written as such: a loop a term took the
// compiler minutes where there are a thousand terms.
#if SIMD_WIDTH > 1
typedef float Lanes __attribute__((vector_size(4 * SIMD_WIDTH), aligned(4), may_alias));
#else
typedef float Lanes;
#endif

#define STENCIL_ROW(dy, dz, first, last)
#define STENCIL_END
#define STENCIL_TERM(dx, dy, dz, weight)                                                         \
  for (int by = 0; by < MERGE_Y; ++by) {                                                         \
    sum[by] += (weight) * *(const Lanes*)(center + (dz) * PLANE + ((dy) + by) * ROW + (dx) + x); \
  }

extern "C" void stencil(const float* __restrict__ input, float* __restrict__ output) {
#pragma omp parallel for collapse(3) schedule(SCHEDULE)
  for (int tile_z = 0; tile_z < ELEMENTS; tile_z += TILE_Z) {
    for (int tile_y = 0; tile_y < ELEMENTS; tile_y += TILE_Y) {
      for (int tile_x = 0; tile_x < ELEMENTS; tile_x += TILE_X) {
        for (int z = tile_z; z < tile_z + TILE_Z; ++z) {
          for (int y = tile_y; y < tile_y + TILE_Y; y += MERGE_Y) {
            const float* center = input + ORIGIN + z * PLANE + y * ROW + tile_x;
            float* target = output + (z * ELEMENTS + y) * ELEMENTS + tile_x;
            for (int x = 0; x < TILE_X; x += SIMD_WIDTH) {
              Lanes sum[MERGE_Y] = {};
#include "stencil_terms.inc"
              for (int by = 0; by < MERGE_Y; ++by) *(Lanes*)(target + by * ELEMENTS + x) = sum[by];
            }
          }
        }
      }
    }
  }
}
