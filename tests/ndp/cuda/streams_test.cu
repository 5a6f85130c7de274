// The CUDA backend's manners: streams at once, capture into graphs and replay, the same bits every
// time, nothing left behind.
#include <array>
#include <cstdint>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/explain.hpp>
#include <fettle/ndp/prepare.hpp>

#include "ndp/support/counting_resource.cuh"
#include "ndp/support/cuda_platform.cuh"
#include "ndp/support/message_of.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace platform = fettle::ndp::platform;
using ndp::index_t;
using ndp_test::data;
using ndp_test::made_up;
using ndp_test::message_of;
using ndp_test::require_success;

namespace {

class stream {
 public:
  stream() { require_success(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
  ~stream() { cudaStreamDestroy(handle_); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  [[nodiscard]] cudaStream_t get() const { return handle_; }
  void wait() const { require_success(cudaStreamSynchronize(handle_)); }

 private:
  cudaStream_t handle_ = nullptr;
};

struct row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};

/// Offsets of short rows, with some long ones side by side and one that is cut in pieces.
[[nodiscard]] std::vector<int> uneven_offsets() {
  std::vector<int> offsets{0};
  for (int i = 0; i < 40000; ++i) {
    const int length = i == 20000 ? 50000 : i >= 100 && i < 140 ? 3000 : 3;
    offsets.push_back(offsets.back() + length);
  }
  return offsets;
}

[[nodiscard]] double sum_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum;
}

}  // namespace

TEST_CASE("reductions on several streams at once do not get in each other's way") {
  constexpr int streams = 6;
  const index_t rounds = ndp_test::sized(20, 4);
  const auto results = static_cast<std::size_t>(rounds);
  std::array<stream, streams> on;
  std::vector<data<double>> x;
  std::vector<data<double>> y;
  std::vector<double> expected;
  for (int i = 0; i < streams; ++i) {
    // Sums of small integers: exact in any order. One cluster, and grids of several sizes.
    const auto values = made_up<double>(20000 + 150000 * i, static_cast<unsigned>(i + 1));
    expected.push_back(sum_of(values));
    x.emplace_back(values);
    y.emplace_back(std::vector<double>(results, -1.0));
  }
  for (index_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < streams; ++i) {
      ndp::execute(ndp::reduce(ndp::plus{}, x[i].read(), 0.0),
                   ndp::subsequence(y[i].write(), round, 1), platform::cuda{on[i].get()});
    }
  }
  for (std::size_t i = 0; i < streams; ++i) {
    on[i].wait();
    REQUIRE(y[i].values() == std::vector<double>(results, expected[i]));
  }
}

TEST_CASE("computations captured into a graph give the new input's results at every launch") {
  constexpr index_t count = 300000;
  const stream on;
  data<double> x(made_up<double>(count, 1));
  data<double> sum(std::vector<double>{-1.0});
  data<double> small_sum(std::vector<double>{-1.0});
  data<double> prefix{std::vector<double>(count)};
  data<double> twice{std::vector<double>(count)};
  data<double> rows(std::vector<double>(count / 100));
  const platform::cuda gpu{on.get()};

  cudaGraph_t graph = nullptr;
  require_success(cudaStreamBeginCapture(on.get(), cudaStreamCaptureModeThreadLocal));
  ndp::execute(ndp::map(ndp::plus{}, x.read(), x.read()), twice.write(), gpu);
  ndp::execute(ndp::reduce(ndp::plus{}, twice.read(), 0.5), sum.write(), gpu);
  ndp::execute(ndp::reduce(ndp::plus{}, ndp::subsequence(x.read(), 0, 5000), 0.5),
               small_sum.write(), gpu);
  ndp::execute(ndp::scan(ndp::plus{}, x.read(), 0.5), prefix.write(), gpu);
  ndp::execute(ndp::map(row_sum{}, ndp::split(x.read(), 100)), rows.write(), gpu);
  require_success(cudaStreamEndCapture(on.get(), &graph));
  cudaGraphExec_t exec = nullptr;
  require_success(cudaGraphInstantiate(&exec, graph, 0));

  for (unsigned int round = 2; round < 5; ++round) {
    const std::vector<double> values = made_up<double>(count, round);
    ndp_test::upload(x.write().data(), values);
    // Twice in a row: what the first launch leaves behind must not disturb the second.
    require_success(cudaGraphLaunch(exec, on.get()));
    require_success(cudaGraphLaunch(exec, on.get()));
    on.wait();
    REQUIRE(sum.values()[0] == 2 * sum_of(values) + 0.5);
    REQUIRE(small_sum.values()[0] ==
            sum_of(std::vector<double>(values.begin(), values.begin() + 5000)) + 0.5);
    const std::vector<double> prefixes = prefix.values();
    double running = 0.5;
    bool right = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      right = right && prefixes[i] == running;
      running += values[i];
    }
    REQUIRE(right);
    REQUIRE(rows.values()[7] ==
            sum_of(std::vector<double>(values.begin() + 700, values.begin() + 800)));
  }
  require_success(cudaGraphExecDestroy(exec));
  require_success(cudaGraphDestroy(graph));
}

TEST_CASE("rows of any lengths are captured with kernels that start early") {
  const std::vector<int> offsets = uneven_offsets();
  const auto count = static_cast<std::size_t>(offsets.back());
  const stream on;
  data<double> x(made_up<double>(offsets.back(), 1));
  const data<int> places(offsets);
  data<double> by_rule(std::vector<double>(offsets.size() - 1));
  data<double> flattened(std::vector<double>(offsets.size() - 1));
  const platform::cuda gpu{on.get()};
  const auto sums = ndp::map(row_sum{}, ndp::nest(x.read(), places.read()));
  constexpr ndp::cuda::policy many_shares{.block_size_x = 64};

  cudaGraph_t graph = nullptr;
  require_success(cudaStreamBeginCapture(on.get(), cudaStreamCaptureModeThreadLocal));
  ndp::execute(sums, by_rule.write(), gpu);
  ndp::execute(sums, flattened.write(), gpu, ndp::schedule::flattened<>{},
               ndp::constant<many_shares>{});
  require_success(cudaStreamEndCapture(on.get(), &graph));
  cudaGraphExec_t exec = nullptr;
  require_success(cudaGraphInstantiate(&exec, graph, 0));
  for (unsigned int round = 2; round < 4; ++round) {
    const std::vector<double> values = made_up<double>(offsets.back(), round);
    ndp_test::upload(x.write().data(), values);
    require_success(cudaGraphLaunch(exec, on.get()));
    require_success(cudaGraphLaunch(exec, on.get()));
    on.wait();
    for (const std::size_t row : {std::size_t{0}, std::size_t{120}, std::size_t{20000}}) {
      const double wanted = sum_of(
          std::vector<double>(values.begin() + offsets[row], values.begin() + offsets[row + 1]));
      REQUIRE(by_rule.values()[row] == wanted);
      REQUIRE(flattened.values()[row] == wanted);
    }
  }
  require_success(cudaGraphExecDestroy(exec));
  require_success(cudaGraphDestroy(graph));
}

TEST_CASE("sums of rows of any lengths have the same bits every time") {
  const std::vector<int> offsets = uneven_offsets();
  std::vector<double> values(static_cast<std::size_t>(offsets.back()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 / static_cast<double>(i + 1);
  const data<double> x(values);
  const data<int> places(offsets);
  const auto sums = ndp::map(row_sum{}, ndp::nest(x.read(), places.read()));
  const auto run = [&] {
    data<double> to(std::vector<double>(offsets.size() - 1));
    ndp::execute(sums, to.write(), platform::cuda{});
    return to.values();
  };
  const std::vector<double> first = run();
  for (int again = 0; again < 20; ++again) REQUIRE(run() == first);
}

TEST_CASE("a reduction of floating-point numbers has the same bits every time") {
  for (const index_t count :
       ndp_test::sized<index_t>({1000, 25000, 250000, 3000001}, {1000, 250000})) {
    CAPTURE(count);
    std::vector<double> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 1.0 / static_cast<double>(i + 3);
    }
    const data<double> x(values);
    const auto e = ndp::reduce(ndp::plus{}, x.read(), 0.1);
    const double first = ndp::execute(e, platform::cuda{});
    REQUIRE(first == approx(sum_of(values) + 0.1));
    for (int i = 0; i < 5; ++i) REQUIRE(ndp::execute(e, platform::cuda{}) == first);
  }
}

TEST_CASE("a value comes from the stream that it was asked of") {
  const stream on;
  const std::vector<double> values = made_up<double>(100000);
  data<double> x(values);
  const platform::cuda gpu{on.get()};
  ndp::execute(ndp::map(ndp::plus{}, x.read(), x.read()), x.write(), gpu);
  REQUIRE(ndp::execute(ndp::reduce(ndp::plus{}, x.read(), 0.0), gpu) == 2 * sum_of(values));
}

TEST_CASE("temporaries come from the user's resource and go back to it; maps need none") {
  ndp_test::counting_resource memory;
  const platform::cuda gpu{nullptr, &memory};
  const std::vector<double> values = made_up<double>(1000000);
  const data<double> x(values);
  data<double> y(values);
  const auto products = ndp::map(ndp::multiplies{}, x.read(), x.read());
  ndp::execute(products, y.write(), gpu);
  REQUIRE(memory.allocations == 0);
  // A reduce of a fused map has no room for the products.
  REQUIRE(ndp::execute(ndp::reduce(ndp::plus{}, products, 0.0), gpu) == sum_of(y.values()));
  REQUIRE(memory.allocations <= 2);
  ndp::execute(ndp::scan(ndp::plus{}, x.read(), 0.0), y.write(), gpu);
  REQUIRE(memory.allocations > 0);
  REQUIRE(memory.open == 0);
}

TEST_CASE("prepared computations run by themselves and in graphs, on what is in memory then") {
  const stream s;
  const std::vector<int> offsets = uneven_offsets();
  data<int> begins(offsets);
  data<double> x(std::vector<double>(static_cast<std::size_t>(offsets.back()), 1.0));
  data<double> sums(std::vector<double>(offsets.size() - 1));
  const auto e = ndp::map(row_sum{}, ndp::nest(x.read(), begins.read()));
  const auto step = ndp::prepare<"step">(e, sums.write(), platform::cuda{s.get()});
  step();
  s.wait();
  REQUIRE(sum_of(sums.values()) == offsets.back());
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  require_success(cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeThreadLocal));
  step();
  require_success(cudaStreamEndCapture(s.get(), &graph));
  require_success(cudaGraphInstantiate(&replay, graph, 0));
  ndp::execute(ndp::map(ndp::identity{}, ndp::replicate(2.0, offsets.back())), x.write(),
               platform::cuda{s.get()});
  require_success(cudaGraphLaunch(replay, s.get()));
  s.wait();
  REQUIRE(sum_of(sums.values()) == 2.0 * offsets.back());
  require_success(cudaGraphExecDestroy(replay));
  require_success(cudaGraphDestroy(graph));
  const std::string text = ndp::explain(e, platform::cuda{s.get()});
  REQUIRE(text.find("map>reduce on cuda: 40000 rows") == 0);
  REQUIRE(text.find("chosen: ") != std::string::npos);
}

TEST_CASE("a number of results is not waited for in a capture") {
  const stream s;
  const data<int> x(std::vector<int>{1, 1, 2});
  data<int> y(std::vector<int>(3));
  data<int> count(std::vector<int>(1));
  const platform::cuda on{s.get()};
  const auto e = ndp::unique(x.read());
  require_success(cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeThreadLocal));
  const std::string message = message_of([&] { return ndp::execute<"firsts">(e, y.write(), on); });
  ndp::execute(e, ndp::counted(y.write(), count.write()), on);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  require_success(cudaStreamEndCapture(s.get(), &graph));
  REQUIRE(message.find("firsts: the stream is being captured") == 0);
  require_success(cudaGraphInstantiate(&replay, graph, 0));
  require_success(cudaGraphLaunch(replay, s.get()));
  s.wait();
  REQUIRE(count.values() == std::vector<int>{2});
  require_success(cudaGraphExecDestroy(replay));
  require_success(cudaGraphDestroy(graph));
}
