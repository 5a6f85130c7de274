// The sum of each row: Fettle's default rule (and, with --kernels, every fixed kernel) and
// cub::DeviceSegmentedReduce with its memory allocated beforehand.
#include <cstddef>
#include <cub/device/device_segmented_reduce.cuh>

#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/shape/inspect_rows.hpp>

#include "../../common/ndp/computations.hpp"
#include "bench.cuh"
#include "fixed_kernels.cuh"

namespace ndp_gpu {

namespace {

template <typename T>
void compare_row_sums(bench& b, const std::string& name, const std::vector<fb::index>& host_offsets,
                      const device_array<fb::index>& offsets,
                      const device_array<std::int32_t>& reference) {
  const fb::index elements = host_offsets.back();
  const auto rows = static_cast<fb::index>(reference.size());
  const auto in = b.first_values<T>(elements);
  const device_array<T> out(reference.size());
  const auto reduce = [&](void* temporary, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(temporary, bytes, in.data(), out.data(), rows,
                                           offsets.data(), offsets.data() + 1, b.stream);
  };
  std::size_t bytes = 0;
  check(reduce(nullptr, bytes), "CUB");
  const device_array<char> temporary(std::max<std::size_t>(bytes, 1));

  const ndp::sequence<const fb::index> rows_begin(offsets.data(), std::int64_t{rows} + 1);
  const ndp::row_statistics known = ndp::inspect_rows(ndp::nest(in, rows_begin), b.platform());
  const auto inspected = fb::row_sums(in, rows_begin, known);
  const auto unknown = fb::row_sums(in, rows_begin);
  const ndp::sequence<T> destination(out.data(), rows);
  const double least_bytes = double(elements) * sizeof(T) + double(rows) * sizeof(T) +
                             (double(rows) + 1) * sizeof(fb::index);
  const auto compare = [&](const char* work, const auto& sums, bool with_kernels) {
    fb::comparison c{{work, name, type_name<T>(), rows, elements, least_bytes},
                     {},
                     [&] { out.poison(b.stream); },
                     [&] { return equal(out, reference.data(), out.size(), b.stream); }};
    c.contenders = {{"fettle", fb::kind::ours,
                     [&] { ndp::execute<"row_sums">(sums, destination, b.platform()); }},
                    {"cub", fb::kind::peer, [&] {
                       std::size_t size = bytes;
                       check(reduce(temporary.data(), size), "cub::DeviceSegmentedReduce");
                     }}};
    if (with_kernels) {
      add_fixed_kernels(c.contenders, sums, destination, b.platform(), known.longest);
    }
    b.compare(c);
  };
  compare("segmented_sum", inspected, b.asked.kernels);
  compare("segmented_sum_unknown", unknown, false);
}

}  // namespace

void add_segmented_sums(bench& b) {
  for (const auto& one : fb::row_length_recipes(b.asked)) {
    if (b.asked.time_is_up()) return;
    const auto host_offsets = fb::offsets_of(one.make());
    const device_array<fb::index> offsets(host_offsets);
    const device_array<std::int32_t> reference(fb::serial_row_sums(host_offsets));
    compare_row_sums<double>(b, one.name, host_offsets, offsets, reference);
    compare_row_sums<float>(b, one.name, host_offsets, offsets, reference);
  }
}

}  // namespace ndp_gpu
