// The sum by Thrust, as its documentation shows it, and by CUB with its memory allocated
// beforehand.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <thrust/reduce.h>
#include <vector>

#include "../common/bench.hpp"
#include "../common/thrust_policy.hpp"

#ifdef __CUDACC__
#include <cub/device/device_reduce.cuh>
#endif

namespace ndp_tuned {

/// Thrust's sum arrives on the host, in `returned`.
inline void add_references(std::vector<fb::contender>& all, const platform_type& on,
                           ndp::sequence<const double> numbers,
                           [[maybe_unused]] ndp::sequence<double> result,
                           std::optional<double>& returned) {
  all.push_back({"thrust", fb::kind::peer, [on, numbers, &returned] {
                   returned =
                       thrust::reduce(thrust_policy(on), numbers.begin(), numbers.end(), 0.0);
                 }});
#ifdef __CUDACC__
  const auto reduce = [on, numbers, result](void* temporary, std::size_t& bytes) {
    ndp_gpu::check(cub::DeviceReduce::Sum(temporary, bytes, numbers.data(), result.data(),
                                          numbers.size(), on.stream),
                   "cub::DeviceReduce");
  };
  std::size_t bytes = 0;
  reduce(nullptr, bytes);
  const auto temporary = std::make_shared<ndp_gpu::device_array<char>>(bytes);
  all.push_back({"cub", fb::kind::peer, [reduce, temporary] {
                   std::size_t size = temporary->size();
                   reduce(temporary->data(), size);
                 }});
#endif
}

}  // namespace ndp_tuned
