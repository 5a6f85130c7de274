// The sum of each row: Fettle's default rule on OpenMP, oneTBB's parallel_for over the rows with a
// loop that vectorises.
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <fettle/ndp/execute.hpp>

#include "../../common/ndp/computations.hpp"
#include "bench.hpp"

namespace ndp_cpu {

namespace {

template <typename T>
void compare_row_sums(bench& b, const std::string& name, const std::vector<fb::index>& offsets,
                      const std::vector<std::int32_t>& reference) {
  const auto rows = static_cast<std::int64_t>(reference.size());
  const std::int64_t elements = offsets.back();
  const auto in = b.first_values<T>(elements);
  std::vector<T> out(reference.size());
  const auto sums = fb::row_sums(
      in, ndp::sequence<const fb::index>(offsets.data(), static_cast<std::int64_t>(rows) + 1));
  const ndp::sequence<T> destination(out.data(), rows);
  const double bytes = static_cast<double>(elements + rows) * sizeof(T) +
                       static_cast<double>(rows + 1) * sizeof(fb::index);
  fb::comparison c{{"segmented_sum", name, type_name<T>(), rows, elements, bytes},
                   {},
                   [&] { poison(out); },
                   [&] { return equal<T>(out, reference); }};
  c.contenders = ours<"row_sums">(sums, destination);
  c.contenders.insert(c.contenders.end(),
                      {{"tbb", fb::kind::peer,
                        [&] {
                          tbb::parallel_for(
                              tbb::blocked_range<std::size_t>(0, out.size()),
                              [&](const tbb::blocked_range<std::size_t>& range) {
                                for (std::size_t r = range.begin(); r < range.end(); ++r) {
                                  out[r] =
                                      simd_sum(in.data() + offsets[r], in.data() + offsets[r + 1]);
                                }
                              });
                        },
                        "oneTBB"}});
  b.compare(c);
}

}  // namespace

void add_segmented_sums(bench& b) {
  for (const auto& one : fb::row_length_recipes(b.asked)) {
    if (b.asked.time_is_up()) return;
    const auto offsets = fb::offsets_of(one.make());
    const auto reference = fb::serial_row_sums(offsets);
    compare_row_sums<double>(b, one.name, offsets, reference);
    compare_row_sums<float>(b, one.name, offsets, reference);
  }
}

}  // namespace ndp_cpu
