// Exclusive prefix sums of an array: Fettle's default rule on OpenMP, oneTBB's parallel_scan.
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_scan.h>

#include <fettle/ndp/execute.hpp>

#include "bench.hpp"

namespace ndp_cpu {

namespace {

template <typename T>
void compare_scan(bench& b, fb::index n, std::span<const std::int32_t> reference) {
  const auto in = b.first_values<T>(n);
  std::vector<T> out(static_cast<std::size_t>(n));
  const auto sums = ndp::scan(ndp::plus{}, in, T(0));
  const ndp::sequence<T> destination(out.data(), n);
  fb::comparison c{{"scan", fb::short_number(n), type_name<T>(), 1, n, 2.0 * n * sizeof(T)},
                   {},
                   [&] { poison(out); },
                   [&] { return equal<T>(out, reference.first(out.size())); }};
  c.contenders = ours<"scan">(sums, destination);
  c.contenders.insert(
      c.contenders.end(),
      {{"tbb", fb::kind::peer,
        [&] {
          tbb::parallel_scan(
              tbb::blocked_range<fb::index>(0, n), T(0),
              [&](const tbb::blocked_range<fb::index>& range, T sum, bool last_time) {
                if (!last_time) {
                  return sum + simd_sum(in.data() + range.begin(), in.data() + range.end());
                }
                for (fb::index i = range.begin(); i < range.end(); ++i) {
                  out[static_cast<std::size_t>(i)] = sum;
                  sum += in.data()[i];
                }
                return sum;
              },
              [](T left, T right) { return left + right; });
        },
        "oneTBB"}});
  b.compare(c);
}

}  // namespace

void add_scans(bench& b) {
  const auto sizes = fb::flat_sizes(b.asked);
  if (sizes.empty()) return;
  const auto reference = fb::serial_scan(static_cast<std::size_t>(sizes.back()));
  for (const fb::index n : sizes) {
    if (b.asked.time_is_up()) return;
    compare_scan<double>(b, n, reference);
    compare_scan<float>(b, n, reference);
  }
}

}  // namespace ndp_cpu
