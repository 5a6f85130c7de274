// Runs stencil.cu on the host, thread after thread: what is CUDA's own in it, as plain C++. A
// group's barrier is the end of a loop over its threads. Included before and after stencil.cu, see
// on_host.cpp.
#ifndef STENCIL_ON_HOST
#define STENCIL_ON_HOST

#define __device__

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
#define STORE_2(place, x, y) \
  *(float2*)(place) = float2 { x, y }
#define STORE_4(place, x, y, z, w) \
  *(float4*)(place) = float4 { x, y, z, w }

using Texture = const float*;
static inline float fetch(Texture texture, int place) { return texture[place]; }
static inline float __ldg(const float* place) { return *place; }
static struct {
  unsigned x, y, z;
} blockDim, threadIdx;

#else

static inline void be(unsigned thread) {
  threadIdx = {thread % blockDim.x, thread / blockDim.x % blockDim.y,
               thread / (blockDim.x * blockDim.y)};
}

extern "C" void run_stencil(const float* input, float* tile, float* output, unsigned size_x,
                            unsigned size_y, unsigned size_z) {
  blockDim = {size_x, size_y, size_z};
  const unsigned threads = size_x * size_y * size_z;
  for (unsigned z = 0; z < ELEMENTS_Z; z += GROUP_Z) {
    for (unsigned y = 0; y < ELEMENTS_Y; y += GROUP_Y) {
      for (unsigned x = 0; x < ELEMENTS_X; x += GROUP_X) {
        const Place group = {x, y, z};
#if LOADING == LOADING_LOCAL
        for (unsigned thread = 0; thread < threads; ++thread) stage(tile, input, group, thread);
        const float* source = tile;
#else
        const float* source = input;
        (void)tile;
#endif
        for (unsigned thread = 0; thread < threads; ++thread) {
          be(thread);
          compute(source, input, output, group, thread);
        }
      }
    }
  }
}

#endif
