// Times of two ways to sort on a GPU, CUB's radix and merge sort, on the inputs of dissertation
// 4.3.2: 32- and 64-bit integers, uniform, Gaussian and Zipf, 5K to 25M keys; 54 sequences to train
// on and 66 others to judge by. Prints a table with a row an input and a variant:
//
//   gpu_sort_times > times.csv
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t training_sizes[] = {7'000,   17'000,    35'000,    75'000,    170'000,
                                          400'000, 2'000'000, 7'000'000, 17'000'000};
constexpr std::size_t test_sizes[] = {5'000,   10'000,    25'000,    50'000,     100'000,   250'000,
                                      500'000, 1'000'000, 5'000'000, 10'000'000, 25'000'000};
constexpr const char* distributions[] = {"uniform", "gaussian", "zipf"};
constexpr double least_s = 0.05;        // of samples of one variant on one input
constexpr std::size_t samples_min = 9;  // of them

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// Device memory of `count` objects, freed at the end of the scope.
template <typename T>
class device_memory {
 public:
  explicit device_memory(std::size_t count) {
    check(cudaMalloc(&data_, std::max<std::size_t>(count, 1) * sizeof(T)), "cudaMalloc");
  }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory() { cudaFree(data_); }
  T* get() const { return static_cast<T*>(data_); }

 private:
  void* data_ = nullptr;
};

template <typename Key>
std::vector<Key> made(std::size_t count, const std::string& distribution, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Key> keys(count);
  const double middle = std::ldexp(1.0, 8 * sizeof(Key) - 2);
  std::normal_distribution<double> normal(middle, middle / 4.0);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (Key& key : keys) {
    if (distribution == "uniform") {
      key = static_cast<Key>(random());
    } else if (distribution == "gaussian") {
      key = static_cast<Key>(std::clamp(normal(random), 0.0, 1.99 * middle));
    } else {  // the continuous Zipf law of exponent 1.5, by inversion
      key = static_cast<Key>(std::min(std::pow(1.0 - unit(random), -2.0), 1.99 * middle));
    }
  }
  return keys;
}

template <typename Key>
std::size_t ascending_runs(const std::vector<Key>& keys) {
  std::size_t runs = 1;
  for (std::size_t i = 1; i < keys.size(); ++i) runs += keys[i] < keys[i - 1] ? 1 : 0;
  return runs;
}

struct less {
  template <typename Key>
  __host__ __device__ bool operator()(const Key& a, const Key& b) const {
    return a < b;
  }
};

/// One input on the device, and what sorts it.
template <typename Key>
class sorting {
 public:
  explicit sorting(const std::vector<Key>& keys)
      : count_(keys.size()), in_(count_), out_(count_), room_(bytes_needed()) {
    check(cudaMemcpy(in_.get(), keys.data(), count_ * sizeof(Key), cudaMemcpyHostToDevice), "copy");
  }

  void run(bool radix) {
    std::size_t bytes = bytes_;
    check(radix ? cub::DeviceRadixSort::SortKeys(room_.get(), bytes, in_.get(), out_.get(), count_)
                : cub::DeviceMergeSort::SortKeysCopy(room_.get(), bytes, in_.get(), out_.get(),
                                                     count_, less{}),
          "sort");
  }

  bool is_sorted_as(const std::vector<Key>& expected) const {
    std::vector<Key> found(count_);
    check(cudaMemcpy(found.data(), out_.get(), count_ * sizeof(Key), cudaMemcpyDeviceToHost),
          "copy");
    return found == expected;
  }

  void forget() { check(cudaMemset(out_.get(), 0xff, count_ * sizeof(Key)), "memset"); }

 private:
  std::size_t bytes_needed() {
    std::size_t radix = 0;
    std::size_t merge = 0;
    check(cub::DeviceRadixSort::SortKeys(nullptr, radix, in_.get(), out_.get(), count_), "radix");
    check(cub::DeviceMergeSort::SortKeysCopy(nullptr, merge, in_.get(), out_.get(), count_, less{}),
          "merge");
    return bytes_ = std::max(radix, merge);
  }

  std::size_t count_;
  std::size_t bytes_ = 0;
  device_memory<Key> in_;
  device_memory<Key> out_;
  device_memory<std::byte> room_;
};

/// Seconds between two events around each call.
template <typename Work>
double median_seconds(const Work& work) {
  cudaEvent_t begin{};
  cudaEvent_t end{};
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  for (int round = 0; round < 3; ++round) work();
  std::vector<float> samples;
  double spent = 0.0;
  while (samples.size() < samples_min || spent < least_s) {
    check(cudaEventRecord(begin), "event");
    work();
    check(cudaEventRecord(end), "event");
    check(cudaEventSynchronize(end), "event");
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, begin, end), "event");
    samples.push_back(ms);
    spent += 1e-3 * ms;
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
  return 1e-3 * samples[samples.size() / 2];
}

template <typename Key>
void judge(const char* set, std::size_t count, const std::string& distribution) {
  const std::vector<Key> keys = made<Key>(count, distribution, 7 * count + sizeof(Key));
  std::vector<Key> expected = keys;
  std::sort(expected.begin(), expected.end());
  sorting<Key> input(keys);
  for (const bool radix : {false, true}) {
    input.forget();
    input.run(radix);
    const char* const variant = radix ? "radix" : "merge";
    if (!input.is_sorted_as(expected)) {
      std::fprintf(stderr, "%s is wrong on %zu keys\n", variant, count);
      std::exit(1);
    }
    const double seconds = median_seconds([&] { input.run(radix); });
    std::printf("%s,%s-%zu-%zu,%zu,%zu,%zu,%s,%s,%.9g\n", set, distribution.c_str(),
                8 * sizeof(Key), count, count, 8 * sizeof(Key), ascending_runs(keys),
                distribution.c_str(), variant, seconds);
  }
}

template <typename Sizes>
void judge_all(const char* set, const Sizes& sizes) {
  for (const std::size_t count : sizes) {
    for (const char* const distribution : distributions) {
      judge<std::uint32_t>(set, count, distribution);
      judge<std::uint64_t>(set, count, distribution);
    }
  }
}

}  // namespace

int main() {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "no GPU");
  std::fprintf(stderr, "%s\n", device.name);
  std::printf("set,input,keys,bits,ascending_runs,distribution,variant,seconds\n");
  judge_all("train", training_sizes);
  judge_all("test", test_sizes);
  return 0;
}
