// Sums of an array: Fettle's default rule on OpenMP, oneTBB's parallel_reduce with a loop that
// vectorises.
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <fettle/ndp/execute.hpp>

#include "bench.hpp"

namespace ndp_cpu {

namespace {

template <typename T>
void compare_sum(bench& b, fb::index n, std::int32_t expected) {
  const auto in = b.first_values<T>(n);
  std::vector<T> out(1);
  const auto sum = ndp::reduce(ndp::plus{}, in, T(0));
  const ndp::sequence<T> destination(out.data(), 1);
  fb::comparison c{
      {"reduce", fb::short_number(n), type_name<T>(), 1, n, static_cast<double>(n) * sizeof(T)},
      {},
      [&] { poison(out); },
      [&] { return out[0] == static_cast<T>(expected); }};
  c.contenders = ours<"reduce">(sum, destination);
  c.contenders.insert(c.contenders.end(),
                      {{"tbb", fb::kind::peer,
                        [&] {
                          out[0] = tbb::parallel_reduce(
                              tbb::blocked_range<const T*>(in.begin(), in.end()), T(0),
                              [](const tbb::blocked_range<const T*>& range, T before) {
                                return before + simd_sum(range.begin(), range.end());
                              },
                              [](T one, T other) { return one + other; });
                        },
                        "oneTBB"}});
  b.compare(c);
}

}  // namespace

void add_reductions(bench& b) {
  fb::for_each_sum(b.asked, [&](fb::index n, std::int32_t sum) {
    compare_sum<double>(b, n, sum);
    compare_sum<float>(b, n, sum);
  });
}

}  // namespace ndp_cpu
