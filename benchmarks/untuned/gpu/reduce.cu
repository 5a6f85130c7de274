// Sums of an array: Fettle's default rule, cub::DeviceReduce with its memory allocated beforehand,
// thrust::reduce as its documentation shows it.
#include <cstddef>
#include <cub/device/device_reduce.cuh>
#include <optional>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <fettle/ndp/execute.hpp>

#include "bench.cuh"

namespace ndp_gpu {

namespace {

template <typename T>
void compare_sum(bench& b, fb::index n, std::int32_t expected) {
  const auto in = b.first_values<T>(n);
  const device_array<T> out(1);
  const device_array<std::int32_t> reference(std::vector<std::int32_t>{expected});
  std::size_t bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, bytes, in.data(), out.data(), n, b.stream), "CUB");
  const device_array<char> temporary(bytes);
  std::optional<T> returned;  // by Thrust, to the host

  const auto sum = ndp::reduce(ndp::plus{}, in, T(0));
  const ndp::sequence<T> destination(out.data(), 1);
  fb::comparison c{{"reduce", fb::short_number(n), type_name<T>(), 1, n, double(n) * sizeof(T)},
                   {},
                   [&] {
                     out.poison(b.stream);
                     returned.reset();
                   },
                   [&] {
                     return returned ? *returned == static_cast<T>(expected)
                                     : equal(out, reference.data(), 1, b.stream);
                   }};
  c.contenders = {
      {"fettle", fb::kind::ours, [&] { ndp::execute<"reduce">(sum, destination, b.platform()); }},
      {"cub", fb::kind::peer,
       [&] {
         std::size_t size = bytes;
         check(cub::DeviceReduce::Sum(temporary.data(), size, in.data(), out.data(), n, b.stream),
               "cub::DeviceReduce");
       }},
      {"thrust", fb::kind::peer, [&] {
         returned = thrust::reduce(thrust::cuda::par.on(b.stream), in.begin(), in.end(), T(0));
       }}};
  b.compare(c);
}

}  // namespace

void add_reductions(bench& b) {
  fb::for_each_sum(b.asked, [&](fb::index n, std::int32_t sum) {
    compare_sum<double>(b, n, sum);
    compare_sum<float>(b, n, sum);
  });
}

}  // namespace ndp_gpu
