// Prefix sums by Thrust, as its documentation shows it, and by CUB with its memory allocated
// beforehand.
#pragma once

#include <cstddef>
#include <memory>
#include <thrust/scan.h>
#include <vector>

#include "../common/bench.hpp"
#include "../common/thrust_policy.hpp"

#ifdef __CUDACC__
#include <cub/device/device_scan.cuh>
#endif

namespace ndp_tuned {

inline void add_references(std::vector<fb::contender>& all, const platform_type& on,
                           ndp::sequence<const double> numbers, ndp::sequence<double> result) {
  all.push_back({"thrust", fb::kind::peer, [on, numbers, result] {
                   thrust::exclusive_scan(thrust_policy(on), numbers.begin(), numbers.end(),
                                          result.data(), 0.0);
                 }});
#ifdef __CUDACC__
  const auto scan = [on, numbers, result](void* temporary, std::size_t& bytes) {
    ndp_gpu::check(cub::DeviceScan::ExclusiveSum(temporary, bytes, numbers.data(), result.data(),
                                                 numbers.size(), on.stream),
                   "cub::DeviceScan");
  };
  std::size_t bytes = 0;
  scan(nullptr, bytes);
  const auto temporary = std::make_shared<ndp_gpu::device_array<char>>(bytes);
  all.push_back({"cub", fb::kind::peer, [scan, temporary] {
                   std::size_t size = temporary->size();
                   scan(temporary->data(), size);
                 }});
#endif
}

}  // namespace ndp_tuned
