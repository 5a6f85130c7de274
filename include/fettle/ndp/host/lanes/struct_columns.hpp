// struct_columns: a few structs of numbers, their first numbers side by side in memory, then their
// second ones and so on, as a processor's vectors load and store them.
#pragma once

#include <cstddef>
#include <cstring>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/fields.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// `Count` values of T in memory of the thread. (Bytes, because T does not tell the types of its
/// numbers; compilers make loads and stores of the copies.)
template <ndp::detail::of_numbers T, index_t Count>
class struct_columns {
 public:
  [[gnu::always_inline]] void set(index_t i, const T& value) {
    std::byte* column = bytes_;
    ndp::detail::with_fields(value, [&](const auto&... numbers) {
      ((std::memcpy(column + i * width(numbers), &numbers, sizeof numbers),
        column += Count * width(numbers)),
       ...);
    });
  }

  [[nodiscard, gnu::always_inline]] T operator[](index_t i) const {
    T value;
    const std::byte* column = bytes_;
    ndp::detail::with_fields(value, [&](auto&... numbers) {
      ((std::memcpy(&numbers, column + i * width(numbers), sizeof numbers),
        column += Count * width(numbers)),
       ...);
    });
    return value;
  }

 private:
  template <typename Number>
  [[nodiscard]] static constexpr index_t width(const Number& /*number*/) {
    return sizeof(Number);
  }

  alignas(64) std::byte bytes_[std::size_t{Count} * sizeof(T)];
};

}  // namespace fettle::ndp::host::detail
