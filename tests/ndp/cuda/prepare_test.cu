// Prepared computations on a GPU: the same launches at every call, with temporaries of their own,
// by themselves and in graphs.
#include <algorithm>
#include <cstddef>
#include <cuda_runtime.h>
#include <functional>
#include <numeric>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/prepare.hpp>

#include "ndp/support/counting_resource.cuh"
#include "ndp/support/cuda_platform.cuh"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace platform = fettle::ndp::platform;
using ndp::index_t;
using ndp_test::data;
using ndp_test::made_up;
using ndp_test::require_success;

namespace {

constexpr index_t count = 70000;

struct row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};

struct is_large {
  FETTLE_HOST_DEVICE bool operator()(double x) const { return x > 3; }
};

/// A stream and a memory resource, of which every temporary has to come back.
struct place {
  place() { require_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~place() { cudaStreamDestroy(stream); }
  place(const place&) = delete;
  place& operator=(const place&) = delete;

  [[nodiscard]] platform::cuda on() { return {stream, &memory}; }
  void wait() const { require_success(cudaStreamSynchronize(stream)); }

  cudaStream_t stream = nullptr;
  ndp_test::counting_resource memory;
};

using values = std::vector<double>;

/// Calls a prepared computation by itself and in a graph that is launched on another stream, each
/// time on other input, and compares with `expected`.
template <typename Step, typename Result>
void require_replays(place& here, const Step& step, data<double>& x, const data<Result>& y,
                     const std::function<std::vector<Result>(const values&)>& expected) {
  const int allocations = here.memory.allocations;
  for (unsigned int round = 1; round < 4; ++round) {
    const values input = made_up<double>(count, round);
    ndp_test::upload(x.write().data(), input);
    step();
    step();  // what the first leaves behind must not disturb the second
    here.wait();
    REQUIRE(y.values() == expected(input));
  }
  const place other;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  require_success(cudaStreamBeginCapture(here.stream, cudaStreamCaptureModeThreadLocal));
  step();
  require_success(cudaStreamEndCapture(here.stream, &graph));
  require_success(cudaGraphInstantiate(&exec, graph, 0));
  for (unsigned int round = 4; round < 6; ++round) {
    const values input = made_up<double>(count, round);
    ndp_test::upload(x.write().data(), input);
    require_success(cudaGraphLaunch(exec, other.stream));
    require_success(cudaGraphLaunch(exec, other.stream));
    other.wait();
    REQUIRE(y.values() == expected(input));
  }
  require_success(cudaGraphExecDestroy(exec));
  require_success(cudaGraphDestroy(graph));
  REQUIRE(here.memory.allocations == allocations);
}

}  // namespace

TEST_CASE("a prepared map is one launch, and needs no memory") {
  place here;
  data<double> x{values(count)};
  data<double> y{values(count)};
  const auto step = ndp::prepare(ndp::map(ndp::plus{}, x.read(), x.read()), y.write(), here.on());
  REQUIRE(step.launches() == 1);
  REQUIRE(here.memory.allocations == 0);
  require_replays<decltype(step), double>(here, step, x, y, [](values input) {
    for (double& value : input) value *= 2;
    return input;
  });
}

TEST_CASE("prepared reductions are one launch, and give their memory back") {
  place here;
  data<double> x{values(count)};
  data<double> sum{values(1)};
  {
    const auto step = ndp::prepare(ndp::reduce(ndp::plus{}, x.read(), 0.5), sum.write(), here.on());
    REQUIRE(step.launches() == 1);
    require_replays<decltype(step), double>(here, step, x, sum, [](const values& input) {
      return values{std::accumulate(input.begin(), input.end(), 0.5)};
    });
    const auto copy = step;
    copy();
    here.wait();
  }
  REQUIRE(here.memory.open == 0);
}

TEST_CASE("prepared sums of uneven rows share the work of long ones at every call") {
  place here;
  std::vector<int> offsets{0};
  while (offsets.back() < count) {
    const int row = static_cast<int>(offsets.size());
    const int length = row == 2000 ? 40000 : row == 100 ? 3000 : row % 4;
    offsets.push_back(std::min(offsets.back() + length, static_cast<int>(count)));
  }
  const data<int> begins(offsets);
  data<double> x{values(count)};
  data<double> sums{values(offsets.size() - 1)};
  {
    const auto step = ndp::prepare(ndp::map(row_sum{}, ndp::nest(x.read(), begins.read())),
                                   sums.write(), here.on());
    REQUIRE(step.launches() >= 1);
    require_replays<decltype(step), double>(here, step, x, sums, [&](const values& input) {
      values expected;
      for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
        expected.push_back(
            std::accumulate(input.begin() + offsets[row], input.begin() + offsets[row + 1], 0.0));
      }
      return expected;
    });
  }
  REQUIRE(here.memory.open == 0);
}

TEST_CASE("what a library computes is prepared with its memory") {
  place here;
  data<double> x{values(count)};
  data<double> y{values(count)};
  data<index_t> kept(std::vector<index_t>(1));
  {
    const auto prefixes =
        ndp::prepare(ndp::inclusive_scan(ndp::plus{}, x.read()), y.write(), here.on());
    REQUIRE(prefixes.launches() == 1);
    require_replays<decltype(prefixes), double>(here, prefixes, x, y, [](const values& input) {
      values expected(input.size());
      std::partial_sum(input.begin(), input.end(), expected.begin());
      return expected;
    });
    const auto sorted = ndp::prepare(ndp::sort(ndp::less{}, x.read()), y.write(), here.on());
    require_replays<decltype(sorted), double>(here, sorted, x, y, [](values input) {
      std::sort(input.begin(), input.end());
      return input;
    });
    const auto large = ndp::prepare(ndp::filter(is_large{}, x.read()),
                                    ndp::counted(y.write(), kept.write()), here.on());
    require_replays<decltype(large), index_t>(here, large, x, kept, [](const values& input) {
      return std::vector<index_t>{std::count_if(input.begin(), input.end(), is_large{})};
    });
  }
  REQUIRE(here.memory.open == 0);
}

TEST_CASE("a computation that is prepared in a capture belongs to the graph") {
  place here;
  data<double> x{values(count, 1.0)};
  data<double> sum{values(1)};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  require_success(cudaStreamBeginCapture(here.stream, cudaStreamCaptureModeThreadLocal));
  const auto step = ndp::prepare(ndp::reduce(ndp::plus{}, x.read(), 0.0), sum.write(), here.on());
  REQUIRE(step.launches() == 0);
  step();
  require_success(cudaStreamEndCapture(here.stream, &graph));
  require_success(cudaGraphInstantiate(&exec, graph, 0));
  require_success(cudaGraphLaunch(exec, here.stream));
  here.wait();
  REQUIRE(sum.values()[0] == count);
  require_success(cudaGraphExecDestroy(exec));
  require_success(cudaGraphDestroy(graph));
}
