// Kernels whose blocks wait for each other in CUDA graphs: one node each in a graph that the user
// captures, and programs that take their temporaries once.
#include <algorithm>
#include <cstddef>
#include <cuda_runtime.h>
#include <numeric>
#include <optional>
#include <vector>

#include <fettle/ndp.hpp>

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

class captured_graph {
 public:
  template <typename Run>
  explicit captured_graph(const Run& run) {
    require_success(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require_success(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    run(platform::cuda{stream_});
    require_success(cudaStreamEndCapture(stream_, &graph_));
    require_success(cudaGraphInstantiate(&start_, graph_, 0));
  }
  ~captured_graph() {
    cudaGraphExecDestroy(start_);
    cudaGraphDestroy(graph_);
    cudaStreamDestroy(stream_);
  }
  captured_graph(const captured_graph&) = delete;
  captured_graph& operator=(const captured_graph&) = delete;

  [[nodiscard]] std::size_t nodes() const {
    std::size_t count = 0;
    require_success(cudaGraphGetNodes(graph_, nullptr, &count));
    return count;
  }
  void launch() const { require_success(cudaGraphLaunch(start_, stream_)); }
  void wait() const { require_success(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t start_ = nullptr;
};

struct square {
  FETTLE_HOST_DEVICE double operator()(double x) const { return x * x; }
};
struct add_sign {
  FETTLE_HOST_DEVICE double operator()(double x, double of) const { return x + (of > 0 ? 1 : -1); }
};

[[nodiscard]] double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

TEST_CASE("a captured reduction is one node, and right whenever and wherever it is launched") {
  for (const index_t count : {1, 2, 8191, 8192, 8193, 16385, 70000, 1000000}) {
    CAPTURE(count);
    const auto values = made_up<double>(count);
    const data<double> in(values);
    data<double> first(std::vector<double>(1));
    data<double> second(std::vector<double>(1));
    const auto total = ndp::reduce(ndp::plus{}, in.read(), 1.0);
    const captured_graph one([&](const auto& on) { ndp::execute(total, first.write(), on); });
    const captured_graph other([&](const auto& on) { ndp::execute(total, second.write(), on); });
    CHECK(one.nodes() == 1);
    for (int i = 0; i < 3; ++i) {  // at once
      one.launch();
      other.launch();
    }
    one.wait();
    other.wait();
    const double expected = 1 + sum_of(values);
    CHECK(first.values()[0] == expected);
    CHECK(second.values() == first.values());
  }
}

TEST_CASE("graphs made one after the other, more than counters at once, are right") {
  const auto values = made_up<double>(70000);
  const data<double> in(values);
  for (int i = 0; i < 40; ++i) {
    data<double> out(std::vector<double>(1));
    const captured_graph graph([&](const auto& on) {
      ndp::execute(ndp::reduce(ndp::plus{}, in.read(), 0.0), out.write(), on);
    });
    graph.launch();
    graph.wait();
    REQUIRE(out.values()[0] == sum_of(values));
  }
}

TEST_CASE("a program takes its temporaries once, and gives them back") {
  constexpr index_t count = 100000;
  ndp_test::counting_resource memory;
  cudaStream_t stream = nullptr;
  require_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  {
    const auto begin = made_up<double>(count);
    const platform::cuda on{stream, &memory};
    data<double> x(begin);
    data<double> sum(std::vector<double>(1));
    data<double> squares(std::vector<double>(1));
    data<double> prefix(begin);
    ndp::basic_program<platform::cuda> p;
    const auto total = p.add<"total">(ndp::reduce(ndp::plus{}, x.read(), 0.0), sum.write());
    p.add<"squares">(ndp::reduce(ndp::plus{}, ndp::map(square{}, x.read()), 0.0), squares.write());
    p.add<"prefix">(ndp::scan(ndp::plus{}, x.read(), 0.0), prefix.write());
    p.add<"x">(ndp::map(add_sign{}, x.read(), ndp::gather(total, ndp::replicate(0, count))),
               x.write());
    std::vector<double> expected = begin;
    std::optional<int> allocations;
    for (int i = 0; i < 5; ++i) {
      p.execute(on);
      require_success(cudaStreamSynchronize(stream));
      CAPTURE(i);
      const double sum_expected = sum_of(expected);
      CHECK(sum.values()[0] == sum_expected);
      const double squares_expected =
          std::inner_product(expected.begin(), expected.end(), expected.begin(), 0.0);
      CHECK(squares.values()[0] == squares_expected);
      CHECK(prefix.values().back() == sum_expected - expected.back());
      for (double& value : expected) value = add_sign{}(value, sum_expected);
      if (i == 1) allocations = memory.allocations;  // when the graph was recorded
    }
    CHECK(memory.allocations == allocations);
  }
  CHECK(memory.open == 0);
  require_success(cudaStreamDestroy(stream));
}
