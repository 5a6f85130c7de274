// Histograms on a GPU, tuned by Fettle: global and shared atomics, each with even shares of the
// samples and with a queue, sorting, and cub::DeviceHistogram. Samples and counts are on the
// device.
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include "../support/device.cuh"
#include "../support/program.hpp"
#include "registration.hpp"

namespace histogram {

namespace device = examples::device;
using count = std::uint32_t;
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

constexpr unsigned block_size = 256;
constexpr std::size_t most_shared_bins = 48 * 1024 / sizeof(count);
constexpr unsigned piece = block_size * 16;  // of the queue

/// Counts values[first...last) with the block's threads.
template <class Value>
__device__ void count_piece(const Value* values, std::size_t first, std::size_t last, count* table,
                            bin_of bin) {
  for (std::size_t k = first + threadIdx.x; k < last; k += blockDim.x)
    atomicAdd(table + static_cast<std::size_t>((values[k] * bin.bins) >> bin.bits), 1U);
}

/// `queue` is null for even shares.
template <bool Shared, class Value>
__global__ void count_kernel(const Value* values, std::size_t size, count* counts, bin_of bin,
                             unsigned long long* queue) {
  extern __shared__ count shared[];
  count* table = counts;
  if constexpr (Shared) {
    table = shared;
    for (unsigned b = threadIdx.x; b < bin.bins; b += blockDim.x) shared[b] = 0;
    __syncthreads();
  }
  if (queue == nullptr) {
    count_piece(values, size * blockIdx.x / gridDim.x, size * (blockIdx.x + 1) / gridDim.x, table,
                bin);
  } else {
    __shared__ unsigned long long first;
    for (;;) {
      if (threadIdx.x == 0) first = atomicAdd(queue, static_cast<unsigned long long>(piece));
      __syncthreads();
      const std::size_t from = first;
      __syncthreads();
      if (from >= size) break;
      count_piece(values, from, from + piece < size ? from + piece : size, table, bin);
    }
  }
  if constexpr (Shared) {
    __syncthreads();
    for (unsigned b = threadIdx.x; b < bin.bins; b += blockDim.x)
      if (shared[b] != 0) atomicAdd(counts + b, shared[b]);
  }
}

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

inline unsigned blocks() {
  static const unsigned some = [] {
    int processors = 0;
    device::check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0),
                  "cudaDeviceGetAttribute");
    return static_cast<unsigned>(processors) * 4;
  }();
  return some;
}

inline unsigned blocks_for(std::size_t size) {
  return static_cast<unsigned>((size + block_size - 1) / block_size);
}

/// Seconds of run(values) after the counts are set to 0, which is counted, too.
template <class Run>
double timed(const device_samples& s, counts& result, const Run& run) {
  if (result.size() != s.bins) result = counts(s.bins);
  return device::seconds_of([&] {
    cudaMemsetAsync(result.data(), 0, s.bins * sizeof(count));
    if (s.size() > 0) std::visit([&](const auto& values) { run(values.data()); }, s.values);
  });
}

template <bool Shared, bool Dynamic>
double atomics(const device_samples& s, counts& result) {
  return timed(s, result, [&](const auto* values) {
    unsigned long long* queue = nullptr;
    if constexpr (Dynamic) {
      queue = static_cast<unsigned long long*>(device::scratch(1, sizeof(*queue)));
      cudaMemsetAsync(queue, 0, sizeof(*queue));
    }
    count_kernel<Shared><<<std::min(blocks(), blocks_for(s.size())), block_size,
                           Shared ? s.bins * sizeof(count) : 0>>>(values, s.size(), result.data(),
                                                                  bin_of{s.bins, s.bits}, queue);
  });
}

inline double sorted(const device_samples& s, counts& result) {
  return timed(s, result, [&](const auto* values) {
    const std::size_t bytes = s.size() * sizeof(std::uint32_t);
    auto* const bins = static_cast<std::uint32_t*>(device::scratch(1, 2 * bytes));
    auto* const in_order = bins + s.size();
    auto* const lengths = static_cast<count*>(device::scratch(2, bytes + sizeof(int)));
    auto* const runs = reinterpret_cast<int*>(lengths + s.size());
    bins_kernel<<<blocks_for(s.size()), block_size>>>(values, s.size(), bins,
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
    store_kernel<<<blocks_for(most), block_size>>>(bins, lengths, runs, result.data());
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
      {"global_even", atomics<false, false>},
      {"global_dynamic", atomics<false, true>},
      {"shared_even", atomics<true, false>, fits_shared_memory},
      {"shared_dynamic", atomics<true, true>, fits_shared_memory},
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
