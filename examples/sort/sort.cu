// Sorting on a GPU, tuned by Fettle: CUB's radix sort and merge sort, one block for few keys, and
// merging of the runs that the input has, for keys of two types in device memory.
#include <cub/device/device_radix_sort.cuh>

#include "../support/program.hpp"
#include "algorithms.hpp"
#include "device_sorts.cuh"
#include "registration.hpp"

namespace sorting {

struct device_keys {
  std::variant<examples::device::array<float>, examples::device::array<double>> values;

  std::size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, values);
  }
  unsigned bits() const { return values.index() == 0 ? 32 : 64; }
};

/// The order of CUB's radix sort: the total order, but for zeros, which are equal and stay as they
/// come. All variants are stable, so that they agree bit by bit.
struct in_device_order {
  __device__ static long long rank(float key) {
    const int bits = __float_as_int(key == 0 ? 0.0F : key);
    return bits ^ ((bits >> 31) & 0x7FFFFFFF);
  }
  __device__ static long long rank(double key) {
    const long long bits = __double_as_longlong(key == 0 ? 0.0 : key);
    return bits ^ ((bits >> 63) & 0x7FFFFFFFFFFFFFFFLL);
  }
  template <class Key>
  __device__ bool operator()(const Key& p, const Key& q) const {
    return rank(p) < rank(q);
  }
};

/// Seconds of run(keys, sorted keys, size), where there are keys.
template <class Run>
double timed(const device_keys& in, device_keys& out, const Run& run) {
  return std::visit(
      [&]<class Key>(const examples::device::array<Key>& keys) {
        auto* sorted = std::get_if<examples::device::array<Key>>(&out.values);
        if (sorted == nullptr || sorted->size() != keys.size()) {
          out.values = examples::device::array<Key>(keys.size());
          sorted = &std::get<examples::device::array<Key>>(out.values);
        }
        return examples::device::seconds_of([&] {
          if (keys.size() > 0) run(keys.data(), sorted->data(), keys.size());
        });
      },
      in.values);
}

inline double radix(const device_keys& in, device_keys& out) {
  return timed(in, out, [](const auto* keys, auto* sorted, std::size_t size) {
    device::with_scratch([&](void* at, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(at, bytes, keys, sorted, size);
    });
  });
}

inline double merge(const device_keys& in, device_keys& out) {
  return timed(in, out, [](const auto* keys, auto* sorted, std::size_t size) {
    device::merge_sort(keys, sorted, size, in_device_order{});
  });
}

inline double one_block(const device_keys& in, device_keys& out) {
  return timed(in, out, [](const auto* keys, auto* sorted, std::size_t size) {
    device::block_sort(keys, sorted, size, in_device_order{});
  });
}

inline double locality(const device_keys& in, device_keys& out) {
  return timed(in, out, [](const auto* keys, auto* sorted, std::size_t size) {
    device::locality_sort(keys, sorted, size, in_device_order{});
  });
}

inline bool fits_a_block(const device_keys& in, const device_keys&) {
  return in.size() <= device::most_in_block;
}

/// `pieces` pieces of `length` neighbouring keys, copied to the host in one call.
template <class Key>
std::vector<Key> sample_of(const examples::device::array<Key>& v, const sampling& taken) {
  const std::size_t row = taken.length * sizeof(Key);
  std::vector<Key> sample(taken.pieces * taken.length);
  examples::device::check(
      cudaMemcpy2D(sample.data(), row, v.data(), taken.stride(v.size()) * sizeof(Key), row,
                   taken.pieces, cudaMemcpyDeviceToHost),
      "cudaMemcpy2D");
  return sample;
}

/// The number of ascending sequences, estimated from 64 pieces of 64 keys.
inline double ascending_sequences(const device_keys& k) {
  return std::visit(
      [](const auto& v) {
        const auto taken = sampling::of(v.size(), 64, 64);
        if (taken.length < 2) return 1.0;
        const auto sample = sample_of(v, taken);
        return estimated_sequences(v.size(), taken, [&](std::size_t piece, std::size_t n) {
          return sample[piece * taken.length + n];
        });
      },
      k.values);
}

/// The fraction of different keys among at most 32, evenly spread.
inline double sampled_distinct(const device_keys& k) {
  return std::visit(
      [](const auto& v) {
        const auto taken = sampling::of(v.size(), 32, 1);
        return taken.pieces == 0 ? 1.0 : distinct_among(sample_of(v, taken));
      },
      k.values);
}

struct example : registration<double(const device_keys&, device_keys&)> {
  static constexpr bool changes_input = false;
  static constexpr bool returns_seconds = true;
  static constexpr double judging_seconds = 0.1;

  static constexpr examples::variant<signature> variants[] = {
      {"radix", radix},
      {"merge", merge},
      {"one_block", one_block, fits_a_block},
      {"locality", locality},
  };

  using in = const device_keys&;
  static std::tuple<device_keys, device_keys> load(const std::string& input) {
    device_keys made;
    std::visit([&]<class Key>(
                   const std::vector<Key>& v) { made.values = examples::device::array<Key>(v); },
               make_keys(input).values);
    return {std::move(made), device_keys{}};
  }
  /// By the host, in the same order.
  static keys expected(in keys_of_device, in) {
    keys wanted = capture(keys_of_device, keys_of_device);
    std::visit(
        []<class Key>(std::vector<Key>& v) {
          const auto rank = [](Key key) { return rank_of(key == 0 ? Key{0} : key); };
          std::stable_sort(v.begin(), v.end(), [&](Key p, Key q) { return rank(p) < rank(q); });
        },
        wanted.values);
    return wanted;
  }
  static keys capture(in, in sorted) {
    keys copied;
    std::visit([&](const auto& v) { copied.values = v.host(); }, sorted.values);
    return copied;
  }
  static bool agree(const keys& expected, const keys& result) {
    return same_bits(expected, result);
  }
};

}  // namespace sorting

int main(int count, char** words) { return examples::run_program<sorting::example>(count, words); }
