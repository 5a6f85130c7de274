// platform::cuda's memory: the default pool, the user's own, and what happens when there is none.
// And policies as constants, on their way into a kernel.
#include <cstddef>
#include <cuda_runtime.h>
#include <string>

#include <fettle/core/error.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/runtime/memory_resource.cuh>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/policy.hpp>

#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace platform = fettle::ndp::platform;

namespace {

struct counting_resource {
  std::size_t bytes_in_use = 0;
  int allocations = 0;
  cudaStream_t last_stream = nullptr;

  void* allocate(std::size_t bytes, cudaStream_t stream) {
    ++allocations;
    bytes_in_use += bytes;
    last_stream = stream;
    void* p = nullptr;
    cudaMallocAsync(&p, bytes, stream);
    return p;
  }
  void deallocate(void* p, std::size_t bytes, cudaStream_t stream) {
    bytes_in_use -= bytes;
    last_stream = stream;
    cudaFreeAsync(p, stream);
  }
};

struct stream_guard {
  cudaStream_t stream = nullptr;
  stream_guard() { cudaStreamCreate(&stream); }
  ~stream_guard() { cudaStreamDestroy(stream); }
};

template <typename Policy>
__global__ void write_policy(int* out) {
  constexpr auto p = Policy::value;
  out[0] = p.block_size_x;
  out[1] = p.level[0].grain_size;
  if constexpr (Policy::value.level[1].resource == ndp::cuda::execution_resource::warp) {
    out[2] = p.logical_warp_size;
  }
}

constexpr ndp::cuda::policy tuned{
    .block_size_x = 64,
    .logical_warp_size = 8,
    .level = {{.grain_size = 5}, {.resource = ndp::cuda::execution_resource::warp}}};

}  // namespace

static_assert(ndp::cuda::stream_ordered_resource<counting_resource>);
static_assert(!ndp::cuda::stream_ordered_resource<int>);
static_assert(std::is_trivially_copyable_v<platform::cuda>);
static_assert(std::is_aggregate_v<platform::cuda>);

TEST_CASE("the default pool gives memory in the order of a stream") {
  const stream_guard guard;
  const platform::cuda on{guard.stream};
  void* const p = on.memory.allocate(1 << 20, on.stream);
  REQUIRE(p != nullptr);
  CHECK(cudaMemsetAsync(p, 1, 1 << 20, on.stream) == cudaSuccess);
  on.memory.deallocate(p, 1 << 20, on.stream);
  CHECK(cudaStreamSynchronize(on.stream) == cudaSuccess);
  CHECK(on.memory.allocate(0, on.stream) == nullptr);
  on.memory.deallocate(nullptr, 0, on.stream);
}

TEST_CASE("a stream gets the small blocks again that it gave back, and no other stream does") {
  using blocks = ndp::cuda::detail::stream_blocks;
  STATIC_REQUIRE(blocks::bytes_for(1) == blocks::least_bytes);
  STATIC_REQUIRE(blocks::bytes_for(513) == 1024);
  STATIC_REQUIRE(blocks::bytes_for(blocks::most_bytes + 1) == blocks::most_bytes + 1);
  const stream_guard guard;
  const stream_guard other;
  const platform::cuda on{guard.stream};
  const platform::cuda elsewhere{other.stream};
  void* const small = on.memory.allocate(1000, on.stream);
  void* const second = on.memory.allocate(1000, on.stream);
  CHECK(small != second);
  on.memory.deallocate(small, 1000, on.stream);
  void* const theirs = elsewhere.memory.allocate(1000, other.stream);
  CHECK(theirs != small);
  void* const larger = on.memory.allocate(5000, on.stream);
  CHECK(larger != small);
  CHECK(on.memory.allocate(600, on.stream) == small);
  for (void* const p : {small, second}) on.memory.deallocate(p, 1000, on.stream);
  on.memory.deallocate(larger, 5000, on.stream);
  elsewhere.memory.deallocate(theirs, 1000, other.stream);
  // More than it keeps: all of them are good, and all are given back.
  void* many[2 * blocks::blocks_a_stream];
  for (void*& p : many) {
    p = on.memory.allocate(2000, on.stream);
    CHECK(cudaMemsetAsync(p, 1, 2000, on.stream) == cudaSuccess);
  }
  for (void* const p : many) on.memory.deallocate(p, 2000, on.stream);
  CHECK(cudaStreamSynchronize(guard.stream) == cudaSuccess);
}

TEST_CASE("a graph does not get what a stream has") {
  const stream_guard guard;
  const platform::cuda on{guard.stream};
  void* const before = on.memory.allocate(4096, on.stream);
  on.memory.deallocate(before, 4096, on.stream);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  void* const in_graph = on.memory.allocate(4096, on.stream);
  CHECK(in_graph != before);
  on.memory.deallocate(in_graph, 4096, on.stream);
  REQUIRE(cudaStreamEndCapture(on.stream, &graph) == cudaSuccess);
  void* const after = on.memory.allocate(4096, on.stream);
  CHECK(after == before);
  on.memory.deallocate(after, 4096, on.stream);
  cudaGraphDestroy(graph);
}

TEST_CASE("the user's resource is asked, on the platform's stream") {
  const stream_guard guard;
  counting_resource mine;
  const platform::cuda on{guard.stream, &mine};
  void* const p = on.memory.allocate(1000, on.stream);
  CHECK(p != nullptr);
  CHECK(mine.bytes_in_use == 1000);
  CHECK(mine.last_stream == guard.stream);
  on.memory.deallocate(p, 1000, on.stream);
  CHECK(mine.bytes_in_use == 0);
  CHECK(mine.allocations == 1);
  CHECK(ndp::cuda::memory_resource(&mine) == on.memory);
  CHECK(ndp::cuda::memory_resource{} != on.memory);
  const ndp::cuda::memory_resource none = static_cast<counting_resource*>(nullptr);
  CHECK(none == ndp::cuda::memory_resource{});
  CHECK(cudaStreamSynchronize(guard.stream) == cudaSuccess);
}

TEST_CASE("too much memory is an error that says how much, and leaves no error behind") {
  const platform::cuda on;
  std::string message;
  try {
    static_cast<void>(on.memory.allocate(std::size_t{1} << 50, on.stream));
  } catch (const fettle::error& e) {
    message = e.what();
  }
  CHECK(message.find("1125899906842624 bytes of device memory") != std::string::npos);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("allocation can be captured into a graph") {
  const stream_guard guard;
  const platform::cuda on{guard.stream};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  void* const p = on.memory.allocate(4096, on.stream);
  CHECK(cudaMemsetAsync(p, 0, 4096, on.stream) == cudaSuccess);
  on.memory.deallocate(p, 4096, on.stream);
  REQUIRE(cudaStreamEndCapture(on.stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, on.stream) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, on.stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(on.stream) == cudaSuccess);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

TEST_CASE("a kernel is compiled for its policy") {
  int* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, 3 * sizeof(int)) == cudaSuccess);
  write_policy<ndp::constant<tuned>><<<1, 1>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[0] == 64);
  CHECK(out[1] == 5);
  CHECK(out[2] == 8);
  cudaFree(out);
}
