// What the kernels on a stream share (arrival_counter.cuh): each that counts, posts or queues there
// leaves zero, because the next one, whichever it is, begins with it.
#include <cuda_runtime.h>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/cuda/runtime/arrival_counter.cuh>

#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;
using ndp_test::data;
using ndp_test::require_success;

namespace {

const ndp::platform::cuda gpu{};

struct is_odd {
  FETTLE_HOST_DEVICE bool operator()(index_t x) const { return x % 2 != 0; }
};

/// Adds to `found` the bytes that are not zero.
__global__ void count_bytes(kernels::arrivals shared, unsigned int* found) {
  const auto count = [&](const unsigned char* bytes, std::size_t all) {
    for (std::size_t i = threadIdx.x; i < all; i += blockDim.x) {
      if (bytes[i] != 0) atomicAdd(found, 1U);
    }
  };
  count(reinterpret_cast<const unsigned char*>(shared.counter()), sizeof(kernels::stream_counter));
  count(shared.queue(), kernels::stream_queue_bytes);
}

/// In the default stream's counter and queue.
[[nodiscard]] unsigned int bytes_left() {
  const kernels::arrival_counter counter(gpu, tested);
  REQUIRE(counter.has_queue());
  data<unsigned int> found(std::vector<unsigned int>{0});
  count_bytes<<<1, 256>>>(counter.get(), found.write().data());
  require_success(cudaGetLastError());
  return found.values()[0];
}

}  // namespace

TEST_CASE("kernels leave zero in what they share, so that their order does not matter") {
  const index_t n = 120000;
  std::vector<index_t> values(static_cast<std::size_t>(n));
  std::vector<int> keys(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<index_t>(i * 2654435761U % 1000003U);
    keys[i] = static_cast<int>(i / 7);
  }
  // Short rows, and long ones for the queue, of odd and even numbers of pieces.
  std::vector<int> offsets{0};
  while (offsets.back() < 300000) {
    const auto row = offsets.size();
    offsets.push_back(offsets.back() + (row == 50 ? 40000 : row == 90 ? 23000 : 3));
  }
  const data<index_t> x(values);
  const data<int> k(keys);
  const data<index_t> atoms(random_numbers(static_cast<std::size_t>(offsets.back()), 1));
  const data<int> places(offsets);
  data<index_t> y(values);
  data<index_t> of_rows(std::vector<index_t>(offsets.size() - 1));
  data<index_t> counted(std::vector<index_t>{0});
  const auto count_to = [&] { return ndp::counted(y.write(), counted.write()); };

  const std::vector<std::pair<std::string, std::function<void()>>> kinds = {
      {"rows of any lengths",
       [&] {
         kernels::adaptive_rows(gpu, tested,
                                ndp::map(sum_row{}, ndp::nest(atoms.read(), places.read())),
                                of_rows.write());
       }},
      {"filter", [&] { ndp::execute(ndp::filter(is_odd{}, x.read()), count_to(), gpu); }},
      {"unique", [&] { ndp::execute(ndp::unique(x.read()), count_to(), gpu); }},
      {"reduce_by_key",
       [&] {
         ndp::execute(ndp::reduce_by_key(ndp::plus{}, x.read(), k.read(), index_t{1}), count_to(),
                      gpu);
       }},
      {"scan",
       [&] {
         ndp::execute(ndp::inclusive_scan(ndp::plus{}, x.read(), index_t{1}), y.write(), gpu);
       }},
      {"reduce_by_index",
       [&] {
         ndp::execute(ndp::reduce_by_index(ndp::plus{}, x.read(), k.read(), 500, index_t{1}),
                      ndp::subsequence(y.write(), 0, 500), gpu);
       }},
      {"reduce",
       [&] {
         ndp::execute(ndp::reduce(ndp::plus{}, x.read(), index_t{1}),
                      ndp::subsequence(y.write(), 0, 1), gpu);
       }},
  };
  const auto result_of = [&](const std::function<void()>& run) {
    ndp_test::upload(y.write().data(), values);
    run();
    return y.values();
  };
  std::vector<std::vector<index_t>> alone;
  REQUIRE(bytes_left() == 0);
  for (const auto& [name, run] : kinds) {
    INFO(name);
    alone.push_back(result_of(run));
    REQUIRE(bytes_left() == 0);
  }
  for (const auto& [first, run_first] : kinds) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      INFO(kinds[i].first << " after " << first);
      run_first();
      const bool is_same = result_of(kinds[i].second) == alone[i];
      REQUIRE(is_same);
    }
  }
}
