// Exclusive prefix sums of an array: Fettle's default rule, cub::DeviceScan with its memory
// allocated beforehand, thrust::exclusive_scan as its documentation shows it.
#include <cstddef>
#include <cub/device/device_scan.cuh>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <fettle/ndp/execute.hpp>

#include "bench.cuh"

namespace ndp_gpu {

namespace {

template <typename T>
void compare_scan(bench& b, fb::index n, const device_array<std::int32_t>& reference) {
  const auto in = b.first_values<T>(n);
  const device_array<T> out(static_cast<std::size_t>(n));
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, in.data(), out.data(), n, b.stream), "CUB");
  const device_array<char> temporary(bytes);

  const auto sums = ndp::scan(ndp::plus{}, in, T(0));
  const ndp::sequence<T> destination(out.data(), n);
  fb::comparison c{{"scan", fb::short_number(n), type_name<T>(), 1, n, 2.0 * n * sizeof(T)},
                   {},
                   [&] { out.poison(b.stream); },
                   [&] { return equal(out, reference.data(), out.size(), b.stream); }};
  c.contenders = {
      {"fettle", fb::kind::ours, [&] { ndp::execute<"scan">(sums, destination, b.platform()); }},
      {"cub", fb::kind::peer,
       [&] {
         std::size_t size = bytes;
         check(cub::DeviceScan::ExclusiveSum(temporary.data(), size, in.data(), out.data(), n,
                                             b.stream),
               "cub::DeviceScan");
       }},
      {"thrust", fb::kind::peer, [&] {
         thrust::exclusive_scan(thrust::cuda::par.on(b.stream), in.begin(), in.end(), out.data(),
                                T(0));
       }}};
  b.compare(c);
}

}  // namespace

void add_scans(bench& b) {
  const auto sizes = fb::flat_sizes(b.asked);
  if (sizes.empty()) return;
  const device_array<std::int32_t> reference(
      fb::serial_scan(static_cast<std::size_t>(sizes.back())));
  for (const fb::index n : sizes) {
    if (b.asked.time_is_up()) return;
    compare_scan<double>(b, n, reference);
    compare_scan<float>(b, n, reference);
  }
}

}  // namespace ndp_gpu
