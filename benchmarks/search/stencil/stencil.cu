// One stencil kernel with all of its optimizations, chosen by macros when it is compiled: see
// space.py for what the parameters mean and source.py for how their macros are given. The stencil
// itself is stencil_terms.inc: for each row of elements that are read STENCIL_ROW(dy, dz, first
// dx, last dx), then STENCIL_TERM(dx, dy, dz, weight) for each element, then STENCIL_END, a line
// each. So offsets and weights are known to the compiler.
//
// ELEMENTS_X, ... of the output in each dimension; the input has a halo around it
// ROW, PLANE      from an input element to the next in y, in z
// ORIGIN          from the input's first element to the one that belongs to output (0, 0, 0)
// REACH_X, ...    how far the stencil extends
// WORK_GROUP_X, BLOCK_MERGE_X, CYCLIC_MERGE_X, ...; without WORK_GROUP_X, ... groups are of the
//                 size that the kernel is launched with
// VECTOR_WIDTH    1, or BLOCK_MERGE_X where rows are loaded and stored by vectors
// LOADING         one of the numbers below
#define LOADING_GLOBAL 0
#define LOADING_VECTOR 1
#define LOADING_LOCAL 2
#define LOADING_READ_ONLY 3
#define LOADING_TEXTURE 4

#ifdef WORK_GROUP_X
#define THREAD_X (thread % WORK_GROUP_X)
#define THREAD_Y (thread / WORK_GROUP_X % WORK_GROUP_Y)
#define THREAD_Z (thread / (WORK_GROUP_X * WORK_GROUP_Y))
#define THREAD threadIdx.x
#define BOUNDS __launch_bounds__(THREADS)
#else
#define WORK_GROUP_X ((int)blockDim.x)
#define WORK_GROUP_Y ((int)blockDim.y)
#define WORK_GROUP_Z ((int)blockDim.z)
#define THREAD_X threadIdx.x
#define THREAD_Y threadIdx.y
#define THREAD_Z threadIdx.z
#define THREAD ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)
#define BOUNDS
#endif
#define THREADS (WORK_GROUP_X * WORK_GROUP_Y * WORK_GROUP_Z)
#define GROUP_X (WORK_GROUP_X * BLOCK_MERGE_X * CYCLIC_MERGE_X)
#define GROUP_Y (WORK_GROUP_Y * BLOCK_MERGE_Y * CYCLIC_MERGE_Y)
#define GROUP_Z (WORK_GROUP_Z * BLOCK_MERGE_Z * CYCLIC_MERGE_Z)
#define TILE_X (GROUP_X + 2 * REACH_X)
#define TILE_Y (GROUP_Y + 2 * REACH_Y)
#define TILE_Z (GROUP_Z + 2 * REACH_Z)

#ifdef __CUDACC__
// What CUDA's headers call cudaTextureObject_t and tex1Dfetch. They are left out (--minimal): they
// took the compiler longer than most stencils.
typedef unsigned long long Texture;

static __device__ inline float fetch(Texture texture, int place) {
  float x, y, z, w;
  asm("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
      : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
      : "l"(texture), "r"(place));
  return x;
}

#define STORE_2(place, x, y) \
  asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(place), "f"(x), "f"(y))
#define STORE_4(place, x, y, z, w)                                                              \
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(place), "f"(x), "f"(y), "f"(z), \
               "f"(w))
#endif

// Where a group's part of the output begins.
struct Place {
  unsigned x, y, z;
};

#if LOADING == LOADING_LOCAL
// The group's threads load all that the group reads, neighbours by neighbours.
static __device__ void stage(float* tile, const float* __restrict__ input, Place group,
                             unsigned thread) {
  const float* corner = input + ORIGIN + ((int)group.z - REACH_Z) * PLANE +
                        ((int)group.y - REACH_Y) * ROW + ((int)group.x - REACH_X);
  for (unsigned i = thread; i < TILE_X * TILE_Y * TILE_Z; i += THREADS) {
    const unsigned x = i % TILE_X;
    const unsigned y = i / TILE_X % TILE_Y;
    const unsigned z = i / (TILE_X * TILE_Y);
    tile[i] = corner[z * PLANE + y * ROW + x];
  }
}
#endif

#if LOADING == LOADING_VECTOR
// Loops here are written out, or by recursion: the compiler took longer to unroll thousands of
// short loops than for all else.
template <int Width, int At = 0>
static __device__ inline void load_vectors(float* row, const float* place) {
  if constexpr (At < Width) {
#if VECTOR_WIDTH == 2
    const float2 pair = *(const float2*)(place + At);
    row[At] = pair.x;
    row[At + 1] = pair.y;
    load_vectors<Width, At + 2>(row, place);
#else
    const float4 four = *(const float4*)(place + At);
    row[At] = four.x;
    row[At + 1] = four.y;
    row[At + 2] = four.z;
    row[At + 3] = four.w;
    load_vectors<Width, At + 4>(row, place);
#endif
  }
}

// In PTX, because the compiler makes four stores of one where it sees the vector's elements apart.
static __device__ inline void store_vector(float* place, const float* element) {
#if VECTOR_WIDTH == 2
  STORE_2(place, element[0], element[1]);
#else
#pragma unroll
  for (int i = 0; i < VECTOR_WIDTH; i += 4) {
    STORE_4(place + i, element[i], element[i + 1], element[i + 2], element[i + 3]);
  }
#endif
}

// Of a row's aligned vectors those are loaded whole that the terms read: what is not aligned is put
// together from two.
#define ALIGNED(dx) (((dx) + 64 * VECTOR_WIDTH) / VECTOR_WIDTH * VECTOR_WIDTH - 64 * VECTOR_WIDTH)
#define STENCIL_ROW(dy, dz, first, last)                                             \
  {                                                                                  \
    constexpr int begin = ALIGNED(first);                                            \
    constexpr int width = ALIGNED((last) + VECTOR_WIDTH - 1) + VECTOR_WIDTH - begin; \
    float row[width];                                                                \
    load_vectors<width>(row, center + ((dz) + bz) * PLANE + ((dy) + by) * ROW + begin);
#define STENCIL_TERM(dx, dy, dz, weight)        \
  {                                             \
    const float* from = row + ((dx) - (begin)); \
    STENCIL_LANES(weight)                       \
  }
#define STENCIL_LANE(weight, i) sum[i] += (weight) * from[i];
#define STENCIL_2(weight, i) STENCIL_LANE(weight, i) STENCIL_LANE(weight, i + 1)
#define STENCIL_4(weight, i) STENCIL_2(weight, i) STENCIL_2(weight, i + 2)
#if VECTOR_WIDTH == 2
#define STENCIL_LANES(weight) STENCIL_2(weight, 0)
#elif VECTOR_WIDTH == 4
#define STENCIL_LANES(weight) STENCIL_4(weight, 0)
#else
#define STENCIL_LANES(weight) \
  _Pragma("unroll") for (int i = 0; i < VECTOR_WIDTH; ++i) { STENCIL_LANE(weight, i) }
#endif
#define STENCIL_END }
#elif LOADING == LOADING_LOCAL
#define LOADED(dx, dy, dz) center[(dz) * TILE_X * TILE_Y + (dy) * TILE_X + (dx)]
#elif LOADING == LOADING_READ_ONLY
#define LOADED(dx, dy, dz) __ldg(center + (dz) * PLANE + (dy) * ROW + (dx))
#elif LOADING == LOADING_TEXTURE
#define LOADED(dx, dy, dz) fetch(texture, center + (dz) * PLANE + (dy) * ROW + (dx))
#else
#define LOADED(dx, dy, dz) center[(dz) * PLANE + (dy) * ROW + (dx)]
#endif
#if LOADING != LOADING_VECTOR
#define STENCIL_ROW(dy, dz, first, last)
#define STENCIL_END
#define STENCIL_TERM(dx, dy, dz, weight) sum += (weight) * LOADED(bx + (dx), by + (dy), bz + (dz));
#endif

// What a thread computes. `source` is the tile where the group has one, else the input.
static __device__ void compute(const float* source, Texture texture, float* output, Place group,
                               unsigned thread) {
  const unsigned thread_x = THREAD_X, thread_y = THREAD_Y, thread_z = THREAD_Z;
  for (unsigned cz = 0; cz < CYCLIC_MERGE_Z; ++cz) {
    for (unsigned cy = 0; cy < CYCLIC_MERGE_Y; ++cy) {
      for (unsigned cx = 0; cx < CYCLIC_MERGE_X; ++cx) {
        const unsigned x = (cx * WORK_GROUP_X + thread_x) * BLOCK_MERGE_X;
        const unsigned y = (cy * WORK_GROUP_Y + thread_y) * BLOCK_MERGE_Y;
        const unsigned z = (cz * WORK_GROUP_Z + thread_z) * BLOCK_MERGE_Z;
        float* target =
            output + ((group.z + z) * ELEMENTS_Y + group.y + y) * ELEMENTS_X + group.x + x;
#if LOADING == LOADING_LOCAL
        const float* center =
            source + ((z + REACH_Z) * TILE_Y + y + REACH_Y) * TILE_X + x + REACH_X;
#else
        const unsigned place = ORIGIN + (group.z + z) * PLANE + (group.y + y) * ROW + group.x + x;
#if LOADING == LOADING_TEXTURE
        const int center = (int)place;
#else
        const float* center = source + place;
#endif
#endif
        float sums[BLOCK_MERGE_Z][BLOCK_MERGE_Y][BLOCK_MERGE_X] = {};
#pragma unroll
        for (int bz = 0; bz < BLOCK_MERGE_Z; ++bz) {
#pragma unroll
          for (int by = 0; by < BLOCK_MERGE_Y; ++by) {
#if LOADING == LOADING_VECTOR
            float* sum = sums[bz][by];
#include "stencil_terms.inc"
#else
#pragma unroll
            for (int bx = 0; bx < BLOCK_MERGE_X; ++bx) {
              float sum = 0.0f;
#include "stencil_terms.inc"
              sums[bz][by][bx] = sum;
            }
#endif
          }
        }
#pragma unroll
        for (int bz = 0; bz < BLOCK_MERGE_Z; ++bz) {
#pragma unroll
          for (int by = 0; by < BLOCK_MERGE_Y; ++by) {
            float* row = target + (bz * ELEMENTS_Y + by) * ELEMENTS_X;
#if LOADING == LOADING_VECTOR
            store_vector(row, sums[bz][by]);
#else
#pragma unroll
            for (int bx = 0; bx < BLOCK_MERGE_X; ++bx) row[bx] = sums[bz][by][bx];
#endif
          }
        }
      }
    }
  }
}

#ifdef __CUDACC__
#if LOADING == LOADING_READ_ONLY
#define INPUT const float* __restrict__
#else
#define INPUT const float*
#endif

extern "C" __global__ void BOUNDS stencil(INPUT input, Texture texture, float* output) {
  const Place group = {blockIdx.x * GROUP_X, blockIdx.y * GROUP_Y, blockIdx.z * GROUP_Z};
#if LOADING == LOADING_LOCAL
  extern __shared__ float tile[];
  stage(tile, input, group, THREAD);
  __syncthreads();
  compute(tile, texture, output, group, THREAD);
#else
  compute(input, texture, output, group, THREAD);
#endif
}
#endif
