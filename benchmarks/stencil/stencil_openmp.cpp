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
#define STENCIL_ROW(dy, dz, first, last)
#define STENCIL_END
#define STENCIL_TERM(dx, dy, dz, weight)                                            \
  for (int by = 0; by < MERGE_Y; ++by) {                                            \
    STENCIL_SIMD for (int i = 0; i < SIMD_WIDTH; ++i) {                             \
      sum[by][i] += (weight)*center[(dz)*PLANE + ((dy) + by) * ROW + (dx) + x + i]; \
    }                                                                               \
  }
#if SIMD_WIDTH > 1
#define STENCIL_SIMD _Pragma("omp simd")
#else
#define STENCIL_SIMD
#endif

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
              float sum[MERGE_Y][SIMD_WIDTH] = {};
#include "stencil_terms.inc"
              for (int by = 0; by < MERGE_Y; ++by) {
                STENCIL_SIMD for (int i = 0; i < SIMD_WIDTH; ++i) {
                  target[by * ELEMENTS + x + i] = sum[by][i];
                }
              }
            }
          }
        }
      }
    }
  }
}
