// Sorting keys in the host's memory by whichever processor is faster, tuned by Fettle: three sorts
// of the CPU, and three of a GPU with the transfers there and back.
#include <cub/device/device_radix_sort.cuh>

#include "../sort/algorithms.hpp"
#include "../sort/device_sorts.cuh"
#include "../sort/features.hpp"
#include "../support/program.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace sorting {

struct less {
  template <class Key>
  __host__ __device__ bool operator()(const Key& p, const Key& q) const {
    return p < q;
  }
};

/// Keys become the integers that order as they do, or back: the same bits are exchanged.
template <class Rank>
__global__ void exchange_ranks_kernel(Rank* keys, std::size_t size) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= size) return;
  constexpr int sign = 8 * sizeof(Rank) - 1;
  keys[k] ^= (keys[k] >> sign) & ~(Rank{1} << sign);
}

/// Copies the keys to the device, calls sort(keys, sorted keys, size) there, and copies them back.
template <class Sort>
void on_device(keys& k, const Sort& sort) {
  namespace support = examples::device;
  std::visit(
      [&]<class Key>(std::vector<Key>& v) {
        using rank = std::conditional_t<sizeof(Key) == 4, std::int32_t, std::int64_t>;
        const std::size_t size = v.size();
        if (size < 2) return;
        const std::size_t bytes = size * sizeof(Key);
        auto* const in = static_cast<rank*>(support::scratch(3, 2 * bytes));
        rank* const out = in + size;
        constexpr unsigned block = 256;
        const unsigned blocks = support::blocks_for(size, block);
        support::check(cudaMemcpyAsync(in, v.data(), bytes, cudaMemcpyHostToDevice),
                       "cudaMemcpyAsync");
        exchange_ranks_kernel<<<blocks, block>>>(in, size);
        sort(static_cast<const rank*>(in), out, size);
        exchange_ranks_kernel<<<blocks, block>>>(out, size);
        support::check(cudaMemcpy(v.data(), out, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
        support::check(cudaGetLastError(), "a launch");
      },
      k.values);
}

inline void gpu_radix(keys& k) {
  on_device(k, [](const auto* in, auto* out, std::size_t size) {
    device::with_scratch([&](void* at, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(at, bytes, in, out, size);
    });
  });
}

inline void gpu_merge(keys& k) {
  on_device(k, [](const auto* in, auto* out, std::size_t size) {
    device::merge_sort(in, out, size, less{});
  });
}

inline void gpu_locality(keys& k) {
  on_device(k, [](const auto* in, auto* out, std::size_t size) {
    device::locality_sort(in, out, size, less{});
  });
}

struct example : features_of_keys<void(keys&)> {
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::sort_anywhere;
#else
  using policy = fettle::policy<"sort_anywhere">;
#endif
  static constexpr const char* name = "sort_anywhere";
  static constexpr bool changes_input = true;
  static constexpr double judging_seconds = 0.1;

  static constexpr examples::variant<signature> variants[] = {
      {"cpu_quick", [](keys& k) { std::visit([](auto& v) { quick_sort(v); }, k.values); }},
      {"cpu_merge_runs", [](keys& k) { std::visit([](auto& v) { merge_runs(v); }, k.values); }},
      {"cpu_radix", [](keys& k) { std::visit([](auto& v) { radix_sort(v); }, k.values); }},
      {"gpu_radix", gpu_radix},
      {"gpu_merge", gpu_merge},
      {"gpu_locality", gpu_locality},
  };

  static std::tuple<keys> load(const std::string& input) { return {make_keys(input)}; }
  static keys capture(const keys& k) { return k; }
  static bool agree(const keys& expected, const keys& result) {
    return same_bits(expected, result);
  }
};

}  // namespace sorting

int main(int count, char** words) { return examples::run_program<sorting::example>(count, words); }
