// sort and sort_by_key by the whole device: CUB's radix sort for numbers in the orders less and
// greater, its merge sort for all else. Both are stable.
//
// Radix sorts read keys and values in memory that is not the destination: what is computed, or lies
// there, is copied first. Merge sorts work in the destination.
#pragma once

#include <cstddef>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>
#include <functional>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/order.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/cuda/generic/independent.cuh>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/cuda/runtime/launch.cuh>
#include <fettle/ndp/cuda/runtime/library_call.cuh>
#include <fettle/ndp/cuda/runtime/platform.cuh>
#include <fettle/ndp/cuda/runtime/workspace.cuh>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/sort.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/schedule/computation.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/node.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Whether CUB's radix sort has this order of such keys.
template <typename K, typename Less>
inline constexpr bool sorts_by_radix_v =
    std::is_arithmetic_v<K> && sizeof(K) <= 8 &&
    (std::is_same_v<Less, less> || std::is_same_v<Less, greater>);

/// A destination as memory: of keys, or of keys and values.
template <typename E, typename D>
inline constexpr bool is_memory_for_v =
    !E::has_values && std::is_same_v<D, sequence<typename E::key_type>>;
template <typename E, typename K, typename V>
inline constexpr bool is_memory_for_v<E, zipped_sequence<sequence<K>, sequence<V>>> =
    E::has_values && std::is_same_v<K, typename E::key_type> &&
    std::is_same_v<V, std::remove_cv_t<typename E::element_type>>;

/// The elements of `s` to memory.
template <typename S, typename T>
void copy_elements(const platform::cuda& on, const computation& named, const S& s, T* to) {
  run_independent<constant<policy{}>>(on, named, map(identity{}, s), sequence<T>(to, s.size()));
}

/// The elements of a sequence in memory that `out` is not in: its own, or a copy.
template <typename T>
class elements_in_memory {
 public:
  template <typename S>
  elements_in_memory(const platform::cuda& on, const computation& named, const S& s, const T* out)
      : data_(memory_of(s, out)), copy_(on, named, data_ == nullptr ? s.size() : 0) {
    if (data_ != nullptr) return;
    copy_elements(on, named, s, copy_.data());
    data_ = copy_.data();
  }
  [[nodiscard]] const T* data() const noexcept { return data_; }

 private:
  template <typename S>
  [[nodiscard]] static const T* memory_of(const S& s, const T* out) {
    if constexpr (requires { static_cast<const T*>(s.data()); }) {
      const std::less<const T*> before;
      const T* const begin = s.data();
      const bool apart = !before(out, begin + s.size()) || !before(begin, out + s.size());
      return apart ? begin : nullptr;
    } else {
      return nullptr;
    }
  }

  const T* data_;
  workspace<T> copy_;
};

template <bool Descending, typename K, typename V>
[[nodiscard]] cudaError_t radix_sort(void* memory, std::size_t& bytes, const K* keys, K* keys_out,
                                     const V* values, V* values_out, index_t count,
                                     cudaStream_t stream) {
  using sorter = cub::DeviceRadixSort;
  constexpr int end = sizeof(K) * 8;
  return with_short_count(count, [&](auto n) {
    if constexpr (std::is_same_v<V, no_values>) {
      return Descending
                 ? sorter::SortKeysDescending(memory, bytes, keys, keys_out, n, 0, end, stream)
                 : sorter::SortKeys(memory, bytes, keys, keys_out, n, 0, end, stream);
    } else {
      return Descending ? sorter::SortPairsDescending(memory, bytes, keys, keys_out, values,
                                                      values_out, n, 0, end, stream)
                        : sorter::SortPairs(memory, bytes, keys, keys_out, values, values_out, n, 0,
                                            end, stream);
    }
  });
}

template <sort_node E, typename D>
void run_device_sort(const platform::cuda& on, const computation& named, const E& e,
                     const D& destination) {
  using K = typename E::key_type;
  using less_type = decltype(E::less);
  constexpr bool is_memory = is_memory_for_v<E, D>;
  static_assert(is_memory,
                "execute: on platform::cuda the destination of a sort must be memory of the keys' "
                "type, a make_sequence, that of a sort_by_key a zip of two of those, of the keys' "
                "and the values' type");
  if constexpr (is_memory) {
    const index_t count = e.size();
    if (count == 0) return;
    constexpr bool by_radix = sorts_by_radix_v<K, less_type>;
    constexpr bool descending = std::is_same_v<less_type, greater>;
    if constexpr (E::has_values) {
      using V = std::remove_cv_t<typename E::element_type>;
      K* const keys_out = get<0>(destination.sources).data();
      V* const values_out = get<1>(destination.sources).data();
      if constexpr (by_radix) {
        const elements_in_memory<K> keys(on, named, e.keys, keys_out);
        const elements_in_memory<V> values(on, named, e.source, values_out);
        call_library(on, named, "launching a sort", count,
                     [keys_in = keys.data(), values_in = values.data(), keys_out, values_out, count,
                      stream = on.stream](void* memory, std::size_t& bytes) {
                       return radix_sort<descending>(memory, bytes, keys_in, keys_out, values_in,
                                                     values_out, count, stream);
                     });
      } else {
        copy_elements(on, named, e.keys, keys_out);
        copy_elements(on, named, e.source, values_out);
        call_library(on, named, "launching a sort", count,
                     [keys_out, values_out, count, before = e.less, stream = on.stream](
                         void* memory, std::size_t& bytes) {
                       return cub::DeviceMergeSort::StableSortPairs(
                           memory, bytes, keys_out, values_out, count, before, stream);
                     });
      }
    } else if constexpr (by_radix) {
      const elements_in_memory<K> keys(on, named, e.keys, destination.data());
      call_library(on, named, "launching a sort", count,
                   [keys_in = keys.data(), keys_out = destination.data(), count,
                    stream = on.stream](void* memory, std::size_t& bytes) {
                     return radix_sort<descending, K, no_values>(memory, bytes, keys_in, keys_out,
                                                                 nullptr, nullptr, count, stream);
                   });
    } else {
      copy_elements(on, named, e.keys, destination.data());
      call_library(on, named, "launching a sort", count,
                   [keys_out = destination.data(), count, before = e.less, stream = on.stream](
                       void* memory, std::size_t& bytes) {
                     return cub::DeviceMergeSort::StableSortKeys(memory, bytes, keys_out, count,
                                                                 before, stream);
                   });
    }
  }
}

}  // namespace fettle::ndp::cuda::detail
