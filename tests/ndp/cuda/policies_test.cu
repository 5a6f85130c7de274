// What each parameter of ndp::cuda::policy does: seen in who computes what, and in the kernels'
// shared memory.
#include <cstdint>
#include <cuda_runtime.h>
#include <set>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>

#include "ndp/support/cuda_platform.cuh"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
namespace platform = fettle::ndp::platform;
using ndp::index_t;
using ndp_test::data;

namespace {

/// Who computed an element.
struct worker {
  int thread_x = -1;
  int thread_y = -1;
  int block = -1;
  int blocks = -1;
  int block_size_x = -1;
  int block_size_y = -1;

  [[nodiscard]] int thread() const { return thread_y * block_size_x + thread_x; }
};

struct who {
  FETTLE_HOST_DEVICE worker operator()(index_t /*i*/) const {
#ifdef __CUDA_ARCH__
    return {static_cast<int>(threadIdx.x), static_cast<int>(threadIdx.y),
            static_cast<int>(blockIdx.x),  static_cast<int>(gridDim.x),
            static_cast<int>(blockDim.x),  static_cast<int>(blockDim.y)};
#else
    return {};
#endif
  }
};

struct who_in_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::map(who{}, row);
  }
};

/// The elements of range(0, n), by an independent schedule.
template <typename Policy>
std::vector<worker> workers_of_elements(index_t n) {
  data<worker> out(std::vector<worker>(static_cast<std::size_t>(n)));
  ndp::execute(ndp::map(who{}, ndp::range(index_t{0}, n)), out.write(), platform::cuda{},
               schedule::independent<>{}, Policy{});
  return out.values();
}

/// The elements of rows of `length`, by independent>independent.
template <typename Policy>
std::vector<worker> workers_of_rows(index_t rows, index_t length) {
  data<worker> out(std::vector<worker>(static_cast<std::size_t>(rows * length)));
  ndp::execute(ndp::map(who_in_row{}, ndp::split(ndp::range(index_t{0}, rows * length), length)),
               out.write(), platform::cuda{}, schedule::independent<schedule::independent<>>{},
               Policy{});
  return out.values();
}

using ndp::cuda::execution_resource;

}  // namespace

TEST_CASE("block_size_x and block_size_y shape the block") {
  for (const worker& w :
       workers_of_elements<ndp::constant<ndp::cuda::policy{.block_size_x = 64}>>(500)) {
    REQUIRE(w.block_size_x == 64);
    REQUIRE(w.block_size_y == 1);
    REQUIRE(w.blocks == 8);
  }
  std::set<int> threads;
  const auto all =
      workers_of_elements<ndp::constant<ndp::cuda::policy{.block_size_x = 32, .block_size_y = 4}>>(
          500);
  for (const worker& w : all) {
    REQUIRE(w.block_size_y == 4);
    REQUIRE(w.blocks == 4);
    threads.insert(w.thread());
  }
  REQUIRE(threads.size() == 128);
}

TEST_CASE("grain_size is how many elements a thread takes, a block's width apart") {
  const auto all = workers_of_elements<
      ndp::constant<ndp::cuda::policy{.block_size_x = 64, .level = {.first = {.grain_size = 4}}}>>(
      512);
  for (std::size_t i = 0; i < all.size(); ++i) {
    REQUIRE(all[i].blocks == 2);
    REQUIRE(all[i].block == static_cast<int>(i / 256));
    REQUIRE(all[i].thread() == static_cast<int>(i % 64));
  }
}

TEST_CASE("grain_size is how many rows in turn a warp takes") {
  const auto all = workers_of_rows<
      ndp::constant<ndp::cuda::policy{.block_size_x = 64, .level = {.first = {.grain_size = 3}}}>>(
      12, 10);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t row = i / 10;
    REQUIRE(all[i].block == static_cast<int>(row / 6));
    REQUIRE(all[i].thread() / 32 == static_cast<int>(row / 3 % 2));
  }
}

TEST_CASE("logical_warp_size is how many lanes share a row") {
  const auto all =
      workers_of_rows<ndp::constant<ndp::cuda::policy{.block_size_x = 64, .logical_warp_size = 8}>>(
          16, 20);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t row = i / 20;
    const std::size_t place = i % 20;
    REQUIRE(all[i].block == static_cast<int>(row / 8));
    REQUIRE(all[i].thread() == static_cast<int>(row % 8 * 8 + place % 8));
  }
}

TEST_CASE("execution_resource is who takes a row: a thread, a warp, a block") {
  const auto by_thread = workers_of_rows<ndp::constant<ndp::cuda::policy{
      .block_size_x = 64, .level = {.second = {.resource = execution_resource::thread}}}>>(100, 10);
  const auto by_warp = workers_of_rows<ndp::constant<ndp::cuda::policy{
      .block_size_x = 64, .level = {.second = {.resource = execution_resource::warp}}}>>(100, 10);
  const auto by_block = workers_of_rows<ndp::constant<ndp::cuda::policy{
      .block_size_x = 64, .level = {.second = {.resource = execution_resource::block}}}>>(100, 10);
  for (std::size_t i = 0; i < by_thread.size(); ++i) {
    const auto row = static_cast<int>(i / 10);
    const auto place = static_cast<int>(i % 10);
    REQUIRE(by_thread[i].block * 64 + by_thread[i].thread() == row);
    REQUIRE(by_warp[i].block * 2 + by_warp[i].thread() / 32 == row);
    REQUIRE(by_warp[i].thread() % 32 == place);
    REQUIRE(by_block[i].block == row);
    REQUIRE(by_block[i].thread() == place);
  }
}

namespace {

template <typename Policy>
using whole_block = ndp::cuda::detail::whole_block_t<Policy>;

/// Bytes of shared memory of the kernel of a reduce, a scan, by one block.
template <typename Policy, typename E>
std::size_t shared_bytes() {
  cudaFuncAttributes attributes{};
  const auto kernel = ndp::cuda::detail::single_kernel<Policy, whole_block<Policy>, false, E,
                                                       ndp::sequence<double>>;
  REQUIRE(cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess);
  return attributes.sharedSizeBytes;
}

template <ndp::cuda::block_reduce_algorithm Algorithm>
using reduce_by = ndp::constant<ndp::cuda::policy{
    .level = {.first = {.block_reduce_algo = Algorithm, .resource = execution_resource::block}}}>;
template <ndp::cuda::block_scan_algorithm Algorithm, int Grain = 1>
using scan_by =
    ndp::constant<ndp::cuda::policy{.level = {.first = {.block_scan_algo = Algorithm,
                                                        .block_scan_grain_size = Grain,
                                                        .resource = execution_resource::block}}}>;

}  // namespace

TEST_CASE("block_reduce_algo is how a block combines") {
  using ndp::cuda::block_reduce_algorithm;
  const data<double> x(ndp_test::made_up<double>(5000));
  const auto e = ndp::reduce(ndp::plus{}, x.read(), 1.0);
  const double raking = ndp::execute(e, platform::cuda{}, schedule::cooperative<>{},
                                     reduce_by<block_reduce_algorithm::raking>{});
  REQUIRE(raking == ndp::execute(e, platform::cuda{}, schedule::cooperative<>{},
                                 reduce_by<block_reduce_algorithm::raking_commutative_only>{}));
  REQUIRE(raking == ndp::execute(e, platform::cuda{}, schedule::cooperative<>{},
                                 reduce_by<block_reduce_algorithm::warp_reductions>{}));
  using E = std::remove_cv_t<decltype(e)>;
  const auto warps = shared_bytes<reduce_by<block_reduce_algorithm::warp_reductions>, E>();
  REQUIRE(shared_bytes<reduce_by<block_reduce_algorithm::raking>, E>() > warps);
}

TEST_CASE("block_scan_algo and block_scan_grain_size are how a block scans") {
  using ndp::cuda::block_scan_algorithm;
  const std::vector<double> values = ndp_test::made_up<double>(5000);
  const data<double> x(values);
  const auto e = ndp::scan(ndp::plus{}, x.read(), 1.0);
  const auto scanned = [&](auto policy) {
    data<double> y(std::vector<double>(5000));
    ndp::execute(e, y.write(), platform::cuda{}, schedule::cooperative<>{}, policy);
    return y.values();
  };
  std::vector<double> expected(5000);
  ndp::scan(ndp::plus{}, ndp::make_sequence(values), 1.0)
      .for_each_serial(
          [&](index_t i, double value) { expected[static_cast<std::size_t>(i)] = value; });
  REQUIRE(scanned(scan_by<block_scan_algorithm::raking>{}) == expected);
  REQUIRE(scanned(scan_by<block_scan_algorithm::raking_memoize>{}) == expected);
  REQUIRE(scanned(scan_by<block_scan_algorithm::warp_scans>{}) == expected);
  REQUIRE(scanned(scan_by<block_scan_algorithm::warp_scans, 5>{}) == expected);
  using E = std::remove_cv_t<decltype(e)>;
  const auto warps = shared_bytes<scan_by<block_scan_algorithm::warp_scans>, E>();
  REQUIRE(shared_bytes<scan_by<block_scan_algorithm::raking>, E>() > warps);
  REQUIRE(shared_bytes<scan_by<block_scan_algorithm::warp_scans, 5>, E>() > warps + 8 * 4 * 256);
}

template <int Unroll>
using unrolled = ndp::constant<ndp::cuda::policy{.level = {.first = {.unroll = Unroll}}}>;

TEST_CASE("however many elements a thread reads at a time, it combines them in order") {
  for (const std::int64_t size : {0, 1, 2, 3, 4, 5, 7, 8, 9, 1003}) {
    CAPTURE(size);
    const data<double> x(ndp_test::made_up<double>(size));
    const auto e = ndp::reduce(ndp::plus{}, x.read(), 1.0);
    const auto by = [&](auto policy) {
      return ndp::execute(e, platform::cuda{}, schedule::sequential<>{}, policy);
    };
    const double expected = by(unrolled<1>{});
    REQUIRE(by(unrolled<0>{}) == expected);
    REQUIRE(by(unrolled<2>{}) == expected);
    REQUIRE(by(unrolled<4>{}) == expected);
    REQUIRE(by(unrolled<8>{}) == expected);
  }
}
