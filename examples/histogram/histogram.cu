// Histograms on a GPU, tuned by Fettle: sorting, global and shared atomics, each with even shares
// of the samples and with a queue, sorting all samples at once, and cub::DeviceHistogram. Samples
// and counts are on the device.
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include "../support/program.hpp"
#include "device_counting.cuh"
#include "registration.hpp"

namespace histogram {

namespace device = examples::device;
template <class... Values>
using any_array = std::variant<device::array<Values>...>;

struct device_samples {
  any_array<std::uint8_t, std::uint16_t, std::uint32_t> values;
  unsigned bits = 8;
  std::size_t bins = 256;

  std::size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, values);
  }
};

constexpr std::size_t most_shared_bins = 48 * 1024 / sizeof(count);

template <class Value>
__global__ void bins_kernel(const Value* values, std::size_t size, std::uint32_t* bins,
                            bin_of bin) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < size) bins[k] = static_cast<std::uint32_t>((values[k] * bin.bins) >> bin.bits);
}

__global__ void store_kernel(const std::uint32_t* bins, const count* lengths, const int* runs,
                             count* counts) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < *runs) counts[bins[k]] = lengths[k];
}

using counts = device::array<count>;

inline unsigned blocks() { return device::multiprocessors() * 4; }

/// Seconds of run(values) after the counts are set to 0, which is counted, too.
template <class Run>
double timed(const device_samples& s, counts& result, const Run& run) {
  if (result.size() != s.bins) result = counts(s.bins);
  return device::seconds_of([&] {
    cudaMemsetAsync(result.data(), 0, s.bins * sizeof(count));
    if (s.size() > 0) std::visit([&](const auto& values) { run(values.data()); }, s.values);
  });
}

/// Counts the pieces of the samples that each block takes, in order or from a queue, by `counting`.
template <class Counting, bool Dynamic>
double by_pieces(const device_samples& s, counts& result) {
  return timed(s, result, [&](const auto* values) {
    unsigned long long* queue = nullptr;
    if constexpr (Dynamic) {
      queue = static_cast<unsigned long long*>(device::scratch(1, sizeof(*queue)));
      cudaMemsetAsync(queue, 0, sizeof(*queue));
    }
    const std::size_t bytes = Counting::uses_shared_counts ? s.bins * sizeof(count) : 0;
    count_kernel<Counting>
        <<<std::min(blocks(), device::blocks_for(s.size(), block_size)), block_size, bytes>>>(
            values, s.size(), result.data(), bin_of{s.bins, s.bits}, queue);
  });
}

inline double sorted(const device_samples& s, counts& result) {
  return timed(s, result, [&](const auto* values) {
    const std::size_t bytes = s.size() * sizeof(std::uint32_t);
    auto* const bins = static_cast<std::uint32_t*>(device::scratch(1, 2 * bytes));
    auto* const in_order = bins + s.size();
    auto* const lengths = static_cast<count*>(device::scratch(2, bytes + sizeof(int)));
    auto* const runs = reinterpret_cast<int*>(lengths + s.size());
    bins_kernel<<<device::blocks_for(s.size(), block_size), block_size>>>(values, s.size(), bins,
                                                                          bin_of{s.bins, s.bits});
    const int used_bits = std::max(1, static_cast<int>(std::bit_width(s.bins - 1)));
    device::with_scratch([&](void* at, std::size_t& size) {
      return cub::DeviceRadixSort::SortKeys(at, size, bins, in_order, s.size(), 0, used_bits);
    });
    device::with_scratch([&](void* at, std::size_t& size) {
      return cub::DeviceRunLengthEncode::Encode(at, size, in_order, bins, lengths, runs,
                                                static_cast<int>(s.size()));
    });
    const std::size_t most = std::min(s.bins, s.size());
    store_kernel<<<device::blocks_for(most, block_size), block_size>>>(bins, lengths, runs,
                                                                       result.data());
  });
}

inline double library(const device_samples& s, counts& result) {
  return timed(s, result, [&](const auto* values) {
    device::with_scratch([&](void* at, std::size_t& size) {
      return cub::DeviceHistogram::HistogramEven(
          at, size, values, result.data(), static_cast<int>(s.bins) + 1, std::uint32_t{0},
          std::uint32_t{1} << s.bits, static_cast<int>(s.size()));
    });
  });
}

inline bool fits_shared_memory(const device_samples& s, const counts&) {
  return s.bins <= most_shared_bins;
}
inline bool fits_int(const device_samples& s, const counts&) { return s.size() < (1U << 31); }
/// CUB's bins have a whole number of values.
inline bool has_equal_bins(const device_samples& s, const counts&) {
  return s.size() < (1U << 31) && (std::size_t{1} << s.bits) % s.bins == 0;
}

/// `pieces` pieces of `length` samples, evenly spread, copied to the host in one call.
inline samples sample_of(const device_samples& s, std::size_t pieces, std::size_t length) {
  samples sample;
  sample.bits = s.bits;
  sample.bins = s.bins;
  length = std::min(length, s.size());
  if (length == 0) return sample;
  pieces = std::min(pieces, s.size() / length);
  const std::size_t step = s.size() / pieces;
  std::visit(
      [&]<class Value>(const device::array<Value>& values) {
        std::vector<Value> copied(pieces * length);
        device::check(
            cudaMemcpy2D(copied.data(), length * sizeof(Value), values.data(), step * sizeof(Value),
                         length * sizeof(Value), pieces, cudaMemcpyDeviceToHost),
            "cudaMemcpy2D");
        sample.values = std::move(copied);
      },
      s.values);
  return sample;
}

inline double sampled_deviation(const device_samples& s, std::size_t size) {
  return sampled_deviation(sample_of(s, size, 1), size);
}
inline double sampled_repeats(const device_samples& s, std::size_t size) {
  return sampled_repeats(sample_of(s, size / 32, 32), size);
}

struct example : registration<double(const device_samples&, counts&)> {
  static constexpr bool returns_seconds = true;
  static constexpr double judging_seconds = 0.1;

  static constexpr examples::variant<signature> variants[] = {
      {"global_even", by_pieces<global_atomics, false>},
      {"global_dynamic", by_pieces<global_atomics, true>},
      {"shared_even", by_pieces<shared_atomics, false>, fits_shared_memory},
      {"shared_dynamic", by_pieces<shared_atomics, true>, fits_shared_memory},
      {"sort_even", by_pieces<sorting, false>},
      {"sort_dynamic", by_pieces<sorting, true>},
      {"sort", sorted, fits_int},
      {"cub", library, has_equal_bins},
  };

  using in = const device_samples&;
  using out = const counts&;

  static std::tuple<device_samples, counts> load(const std::string& input) {
    samples host = load_samples(input);
    device_samples made;
    made.bits = host.bits;
    made.bins = host.bins;
    std::visit(
        [&](const auto& values) {
          using value = typename std::decay_t<decltype(values)>::value_type;
          made.values = device::array<value>(values);
        },
        host.values);
    return {std::move(made), counts{}};
  }
  static std::vector<count> capture(in, out result) { return result.host(); }
  static bool agree(const std::vector<count>& expected, const std::vector<count>& result) {
    return expected == result;
  }
};

}  // namespace histogram

int main(int words, char** values) {
  return examples::run_program<histogram::example>(words, values);
}
