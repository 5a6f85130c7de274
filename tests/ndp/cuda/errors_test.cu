// What goes wrong on a GPU is a fettle::error that names the computation and leaves the GPU usable.
#include <cstdint>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>

#include "ndp/support/cuda_platform.cuh"
#include "ndp/support/message_of.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
namespace platform = fettle::ndp::platform;
using ndp::index_t;
using ndp_test::data;
using ndp_test::made_up;
using ndp_test::message_of;
using ndp_test::require_success;

namespace {

[[nodiscard]] bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

[[nodiscard]] bool reads_host_memory() {
  int value = 0;
  require_success(cudaDeviceGetAttribute(&value, cudaDevAttrPageableMemoryAccess, 0));
  return value != 0;
}

struct add_points {
  template <typename A, typename B>
  FETTLE_HOST_DEVICE auto operator()(const A& a, const B& b) const {
    return ndp::map(ndp::plus{}, a, b);
  }
};

struct empty_resource {
  void* allocate(std::size_t /*bytes*/, cudaStream_t /*on*/) {
    throw std::runtime_error("the arena is empty");
  }
  void deallocate(void* /*p*/, std::size_t /*bytes*/, cudaStream_t /*on*/) {}
};

}  // namespace

TEST_CASE("no memory for a temporary names the computation and keeps the resource's words") {
  empty_resource memory;
  const platform::cuda gpu{nullptr, &memory};
  constexpr int count = 4000000;
  const data<double> x(made_up<double>(count));
  data<double> y(std::vector<double>(std::size_t{count}));
  // So many blocks that their results do not fit the room that the stream has.
  using small_blocks = ndp::constant<ndp::cuda::policy{.block_size_x = 32}>;
  const auto reducing = message_of([&] {
    (void)ndp::execute<"norm">(ndp::reduce(ndp::plus{}, x.read(), 0.0), gpu,
                               schedule::cooperative<>{}, small_blocks{});
  });
  INFO(reducing);
  REQUIRE(contains(reducing, "norm: "));
  REQUIRE(contains(reducing, "the arena is empty"));
  const auto scanning = message_of(
      [&] { ndp::execute<"offsets">(ndp::scan(ndp::plus{}, x.read(), 0.0), y.write(), gpu); });
  INFO(scanning);
  REQUIRE(contains(scanning, "offsets: "));
  // A small reduction needs none.
  REQUIRE(ndp::execute(ndp::reduce(ndp::plus{}, ndp::range(0, 1000), 3), gpu) == 499503);
}

TEST_CASE("more memory than there is is an error of the computation, and the next one runs") {
  // Two points of more coordinates than any GPU has bytes for.
  constexpr index_t width = index_t{1} << 44;
  const auto points = ndp::split(ndp::range(index_t{0}, 2 * width), width);
  const auto sum = ndp::reduce(add_points{}, points, ndp::replicate(index_t{0}, width));
  data<index_t> y(std::vector<index_t>(1));
  const ndp::sequence<index_t> out(y.write().data(), width);
  const std::string text = message_of([&] { ndp::execute<"huge">(sum, out, platform::cuda{}); });
  INFO(text);
  REQUIRE(contains(text, "huge: "));
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(ndp::execute(ndp::reduce(ndp::plus{}, ndp::range(0, 100), 0), platform::cuda{}) == 4950);
}

TEST_CASE("a scan of more elements than CUB counts is refused") {
  constexpr index_t count = index_t{1} << 50;
  data<index_t> y(std::vector<index_t>(1));
  const ndp::sequence<index_t> out(y.write().data(), count);
  const auto huge = ndp::scan(ndp::plus{}, ndp::range(index_t{0}, count), index_t{0});
  REQUIRE(
      contains(message_of([&] { ndp::execute<"huge">(huge, out, platform::cuda{}); }), "huge: "));
}

TEST_CASE("memory of the processor is refused before a kernel reads it") {
  if (reads_host_memory()) {
    test::left_out("the processor's memory, which this GPU reads");
    return;
  }
  const std::vector<double> on_host = made_up<double>(1000);
  data<double> y(std::vector<double>(1000));
  const std::string text = message_of([&] {
    ndp::execute<"axpy">(ndp::map(ndp::negate{}, ndp::make_sequence(on_host)), y.write(),
                         platform::cuda{});
  });
  INFO(text);
  REQUIRE(contains(text, "axpy: "));
  REQUIRE(contains(text, "the processor's memory"));
  std::vector<double> result(1000);
  const std::string written = message_of([&] {
    ndp::execute<"axpy">(ndp::map(ndp::negate{}, y.read()), ndp::make_sequence(result),
                         platform::cuda{});
  });
  REQUIRE(contains(written, "axpy: "));
  // Offsets and indices count too.
  const std::vector<int> indices(1000, 0);
  REQUIRE(contains(message_of([&] {
                     (void)ndp::execute<"dot">(
                         ndp::reduce(ndp::plus{},
                                     ndp::gather(y.read(), ndp::make_sequence(indices)), 0.0),
                         platform::cuda{});
                   }),
                   "dot: "));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

namespace {

/// The second GPU is the current one while it lives.
struct on_second_gpu {
  on_second_gpu() { require_success(cudaSetDevice(1)); }
  ~on_second_gpu() { cudaSetDevice(0); }
};

/// The first GPU cannot read the second one's memory while it lives: tests of several devices may
/// have allowed it.
struct without_peer_access {
  bool allowed = cudaDeviceDisablePeerAccess(1) == cudaSuccess;
  without_peer_access() { cudaGetLastError(); }
  ~without_peer_access() {
    if (allowed) cudaDeviceEnablePeerAccess(1, 0);
  }
};

}  // namespace

TEST_CASE("another GPU's memory and streams are errors of the computation") {
  int gpus = 0;
  require_success(cudaGetDeviceCount(&gpus));
  if (gpus < 2) {
    test::left_out("another GPU's memory and streams, which needs two GPUs");
    return;
  }
  const without_peer_access apart;
  cudaStream_t elsewhere = nullptr;
  double* far = nullptr;
  {
    const on_second_gpu second;
    require_success(cudaStreamCreate(&elsewhere));
    require_success(cudaMalloc(&far, 1000 * sizeof(double)));
  }
  data<double> y(std::vector<double>(1000, 2.0));
  const std::string stream = message_of([&] {
    ndp::execute<"copy">(ndp::map(ndp::negate{}, y.read()), y.write(), platform::cuda{elsewhere});
  });
  INFO(stream);
  CHECK(contains(stream, "copy: "));
  CHECK(contains(stream, "the stream belongs to another device"));
  const std::string memory = message_of([&] {
    ndp::execute<"copy">(ndp::map(ndp::negate{}, ndp::make_sequence(far, 1000)), y.write(),
                         platform::cuda{});
  });
  INFO(memory);
  CHECK(contains(memory, "copy: "));
  CHECK(contains(memory, "another GPU's memory"));
  // Nothing has been done to the current one, nor to the other.
  CHECK(ndp::execute(ndp::reduce(ndp::plus{}, y.read(), 0.0), platform::cuda{}) == 2000.0);
  {
    const on_second_gpu second;
    require_success(cudaMemset(far, 0, 1000 * sizeof(double)));
    CHECK(ndp::execute(ndp::reduce(ndp::plus{}, ndp::make_sequence(far, 1000), 3.0),
                       platform::cuda{elsewhere}) == 3.0);
    cudaFree(far);
    cudaStreamDestroy(elsewhere);
  }
}

TEST_CASE("an address that was this GPU's and is another's now is an error of the computation") {
  int gpus = 0;
  require_success(cudaGetDeviceCount(&gpus));
  if (gpus < 2) {
    test::left_out("an address that another GPU got, which needs two GPUs");
    return;
  }
  const without_peer_access apart;
  constexpr std::size_t bytes = std::size_t{1} << 22U;  // CUDA gives such addresses again
  const auto sum_of = [](const double* x) {
    return ndp::execute<"sum">(ndp::reduce(ndp::plus{}, ndp::make_sequence(x, 1000), 3.0),
                               platform::cuda{});
  };
  double* own = nullptr;
  require_success(cudaMalloc(&own, bytes));
  require_success(cudaMemset(own, 0, bytes));
  CHECK(sum_of(own) == 3.0);
  require_success(cudaFree(own));
  double* far = nullptr;
  {
    const on_second_gpu second;
    require_success(cudaMalloc(&far, bytes));
  }
  CHECK(contains(message_of([&] { (void)sum_of(far); }), "another GPU's memory"));
  require_success(cudaFree(far));
}

TEST_CASE("no memory at all is refused") {
  data<double> y(std::vector<double>(10));
  const ndp::sequence<const double> nothing(nullptr, 10);
  const std::string text = message_of(
      [&] { ndp::execute<"copy">(ndp::map(ndp::negate{}, nothing), y.write(), platform::cuda{}); });
  REQUIRE(contains(text, "copy: "));
  REQUIRE(contains(text, "no memory"));
  // Of no elements nothing is read.
  const ndp::sequence<const double> empty(nullptr, 0);
  ndp::execute<"copy">(ndp::map(ndp::negate{}, empty), y.write(), platform::cuda{});
}

TEST_CASE("pinned memory of the processor is within reach") {
  double* pinned = nullptr;
  require_success(cudaMallocHost(&pinned, 100 * sizeof(double)));
  for (int i = 0; i < 100; ++i) pinned[i] = i;
  REQUIRE(ndp::execute(ndp::reduce(ndp::plus{}, ndp::make_sequence(pinned, 100), 0.0),
                       platform::cuda{}) == 4950);
  require_success(cudaFreeHost(pinned));
}

TEST_CASE("a value cannot be waited for during capture, and the message says so") {
  cudaStream_t on = nullptr;
  require_success(cudaStreamCreate(&on));
  const data<double> x(made_up<double>(100));
  require_success(cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal));
  const std::string text = message_of([&] {
    (void)ndp::execute<"norm">(ndp::reduce(ndp::plus{}, x.read(), 0.0), platform::cuda{on});
  });
  cudaGraph_t graph = nullptr;
  require_success(cudaStreamEndCapture(on, &graph));
  INFO(text);
  REQUIRE(contains(text, "norm: the stream is being captured"));
  cudaGraphDestroy(graph);
  cudaStreamDestroy(on);
}

TEST_CASE("a destination that is too small is refused") {
  const data<double> x(made_up<double>(100));
  data<double> y(std::vector<double>(99));
  REQUIRE(contains(message_of([&] {
                     ndp::execute<"copy">(ndp::map(ndp::negate{}, x.read()), y.write(),
                                          platform::cuda{});
                   }),
                   "copy: "));
}
