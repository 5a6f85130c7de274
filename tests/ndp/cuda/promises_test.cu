// What the GPU's kernels promise besides the result: fused producers are evaluated inside their
// consumer's kernel, once an element, and nothing as large as the data is allocated.
#include <algorithm>
#include <cstddef>
#include <cuda_runtime.h>
#include <numeric>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>

#include "ndp/support/counting_resource.cuh"
#include "ndp/support/cuda_platform.cuh"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
namespace platform = fettle::ndp::platform;
using ndp::index_t;
using ndp_test::data;
using ndp_test::require_success;
using ndp_test::sized;

namespace {

/// The element itself; counts that it was asked for.
struct counted {
  unsigned int* reads;

  FETTLE_HOST_DEVICE double operator()(index_t i) const {
#ifdef __CUDA_ARCH__
    atomicAdd(reads + i, 1U);
#endif
    return static_cast<double>(i % 8);
  }
};

struct negate_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::map(ndp::negate{}, row);
  }
};
struct reduce_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
struct scan_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::scan(ndp::plus{}, row, 0.0);
  }
};

/// How often each of `count` elements is read by work(elements).
template <typename Work>
[[nodiscard]] std::vector<unsigned int> reads_of(index_t count, const Work& work) {
  data<unsigned int> reads(std::vector<unsigned int>(static_cast<std::size_t>(count)));
  work(ndp::map(counted{reads.write().data()}, ndp::range(index_t{0}, count)));
  return reads.values();
}

[[nodiscard]] bool all_once(const std::vector<unsigned int>& reads) {
  return std::all_of(reads.begin(), reads.end(), [](unsigned int n) { return n == 1; });
}

/// Every element, and few of them again: a thread whose share ends inside a batch of loads asks for
/// its last element once more, rather than branch.
[[nodiscard]] bool hardly_more_than(double times, const std::vector<unsigned int>& reads) {
  const auto total = std::accumulate(reads.begin(), reads.end(), 0.0);
  return *std::min_element(reads.begin(), reads.end()) > 0 &&
         total < (times + 0.5) * static_cast<double>(reads.size());
}

}  // namespace

TEST_CASE("maps and updates evaluate each element once") {
  for (const index_t count : {index_t{1}, index_t{4099}, sized<index_t>(3000001, 100003)}) {
    CAPTURE(count);
    data<double> y(std::vector<double>(static_cast<std::size_t>(count)));
    CHECK(all_once(reads_of(count, [&](const auto& s) {
      ndp::execute(ndp::map(ndp::plus{}, s, ndp::replicate(1.0, count)), y.write(),
                   platform::cuda{});
    })));
    CHECK(all_once(reads_of(count, [&](const auto& s) {
      ndp::execute(ndp::reverse(s), y.write(), platform::cuda{});
    })));
    CHECK(all_once(reads_of(count, [&](const auto& s) {
      ndp::execute(ndp::map(negate_row{}, ndp::split(s, 100)), y.write(), platform::cuda{});
    })));
    const data<index_t> at(ndp_test::shuffled(count));
    CHECK(all_once(reads_of(count, [&](const auto& s) {
      ndp::execute(ndp::gather(s, at.read()), y.write(), platform::cuda{});
    })));
    CHECK(all_once(reads_of(count, [&](const auto& s) {
      ndp::execute(ndp::scatter(s, at.read(), y.write()), platform::cuda{});
    })));
  }
}

TEST_CASE("a large reduction evaluates each element of its fused source, hardly any twice") {
  const index_t count = 4000003;
  double sum = 0;
  CHECK(hardly_more_than(1, reads_of(count, [&](const auto& s) {
                           sum = ndp::execute(ndp::reduce(ndp::plus{}, s, 0.0), platform::cuda{});
                         })));
  double expected = 0;
  for (index_t i = 0; i < count; ++i) expected += static_cast<double>(i % 8);
  CHECK(sum == expected);
  data<double> y(std::vector<double>(static_cast<std::size_t>(count)));
  CHECK(hardly_more_than(1, reads_of(count, [&](const auto& s) {
                           ndp::execute(ndp::map(reduce_row{}, ndp::split(s, 333)), y.write(),
                                        platform::cuda{}, schedule::flattened<>{});
                         })));
  // Scans of rows read twice, to know what comes before.
  CHECK(hardly_more_than(2, reads_of(count, [&](const auto& s) {
                           ndp::execute(ndp::map(scan_row{}, ndp::split(s, 333)), y.write(),
                                        platform::cuda{}, schedule::flattened<>{});
                         })));
}

TEST_CASE("no computation asks for room for its data") {
  constexpr index_t count = 1000000;
  const std::vector<double> values = ndp_test::made_up<double>(count);
  const data<double> x(values);
  data<double> y(values);
  const auto products = ndp::map(ndp::multiplies{}, x.read(), x.read());
  ndp_test::counting_resource memory;
  const platform::cuda gpu{nullptr, &memory};
  (void)ndp::execute(ndp::reduce(ndp::plus{}, products, 0.0), gpu);
  ndp::execute(ndp::scan(ndp::plus{}, products, 0.0), y.write(), gpu);
  ndp::execute(ndp::map(reduce_row{}, ndp::split(products, 333)), y.write(), gpu);
  ndp::execute(ndp::map(reduce_row{}, ndp::split(products, 333)), y.write(), gpu,
               schedule::flattened<>{});
  ndp::execute(ndp::map(scan_row{}, ndp::split(products, 333)), y.write(), gpu);
  ndp::execute(ndp::map(negate_row{}, ndp::split(products, 333)), y.write(), gpu);
  ndp::execute(ndp::reduce_by_key(ndp::plus{}, products, ndp::range(index_t{0}, count), 0.0),
               y.write(), gpu);
  require_success(cudaDeviceSynchronize());
  CHECK(memory.most > 0);
  CHECK(memory.most < count * sizeof(double) / 8);
  CHECK(memory.open == 0);
}
