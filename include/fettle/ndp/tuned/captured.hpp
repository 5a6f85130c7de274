// Copies of what a computation wrote, for the correctness gate of training: is another variant's
// result the default's?
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/tuned/call.hpp>
#include <fettle/variant/training/verification.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// How elements are kept: bool as a number, because std::vector packs it.
template <typename T>
using kept_t = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

/// How far two results may be apart: relative to the values, and to the largest one around them,
/// because sums of opposite signs lose digits. Grows with the number of elements that went in.
struct tolerance {
  double doubles = 1e-9;
  double floats = 1e-4;

  [[nodiscard]] static tolerance for_elements(index_t count) {
    const double slack = std::fmax(1.0, std::sqrt(static_cast<double>(count) / 1e6));
    return {1e-9 * slack, 1e-4 * slack};
  }
};

/// A program's own comparison for its own types, found by their namespace:
/// bool fettle_agrees(const T& reference, const T& output).
template <typename T>
concept has_own_comparison = requires(const T& a) {
  { fettle_agrees(a, a) } -> std::convertible_to<bool>;
};

template <typename T>
[[nodiscard]] double magnitude(const T& x) {
  if constexpr (std::is_floating_point_v<T>) {
    const double size = std::fabs(static_cast<double>(x));
    return std::isfinite(size) ? size : 0.0;
  } else {
    return 0.0;
  }
}

template <typename T>
[[nodiscard]] bool agrees(const T& reference, const T& output, const tolerance& allowed,
                          double largest) {
  if constexpr (has_own_comparison<T>) {
    return fettle_agrees(reference, output);
  } else if constexpr (std::is_floating_point_v<T>) {
    const double relative = sizeof(T) < sizeof(double) ? allowed.floats : allowed.doubles;
    return within{relative, relative * largest}(reference, output);
  } else if constexpr (std::equality_comparable<T>) {
    return reference == output;
  } else {
    return true;  // nothing is known of the type
  }
}

template <typename T>
[[nodiscard]] bool all_agree(const void* reference, const void* output, const tolerance& allowed) {
  const auto& a = *static_cast<const std::vector<T>*>(reference);
  const auto& b = *static_cast<const std::vector<T>*>(output);
  if (a.size() != b.size()) return false;
  double largest = 0;
  for (const T& x : a) largest = std::fmax(largest, magnitude(x));
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!agrees(a[i], b[i], allowed, largest)) return false;
  }
  return true;
}

}  // namespace detail

/// The elements of some contiguous sequences, or a value.
class captured {
 public:
  explicit captured(index_t elements = 0) : allowed_(detail::tolerance::for_elements(elements)) {}

  /// Copies a sequence's elements here.
  template <typename T, platform_like Platform>
  void add(const sequence<T>& leaf, const Platform& on) {
    using kept = detail::kept_t<std::remove_const_t<T>>;
    if constexpr (std::default_initializable<kept> && std::copyable<kept>) {
      auto elements = std::make_shared<std::vector<kept>>(static_cast<std::size_t>(leaf.size()));
      platform_traits<Platform>::read(on, leaf.data(), leaf.size(), elements->data());
      parts_.push_back({std::move(elements), &detail::all_agree<kept>});
    }
  }
  template <typename T>
  void add(const std::optional<T>& value) {
    using kept = detail::kept_t<T>;
    auto elements = std::make_shared<std::vector<kept>>();
    if (value) elements->push_back(*value);
    parts_.push_back({std::move(elements), &detail::all_agree<kept>});
  }

  /// Puts part number `index` back to where add() took it from, and counts on.
  template <typename T, platform_like Platform>
  void restore(std::size_t& index, const sequence<T>& leaf, const Platform& on) const {
    using kept = detail::kept_t<std::remove_const_t<T>>;
    if constexpr (!std::is_const_v<T> && std::default_initializable<kept> && std::copyable<kept>) {
      const auto& elements = *static_cast<const std::vector<kept>*>(parts_[index++].elements.get());
      platform_traits<Platform>::write(on, elements.data(), leaf.size(), leaf.data());
    }
  }

  [[nodiscard]] bool agrees_with(const captured& output) const {
    if (parts_.size() != output.parts_.size()) return false;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].agree(parts_[i].elements.get(), output.parts_[i].elements.get(), allowed_)) {
        return false;
      }
    }
    return true;
  }

 private:
  struct part {
    std::shared_ptr<const void> elements;  // std::vector<kept_t<T>>
    bool (*agree)(const void* reference, const void* output, const detail::tolerance& allowed);
  };

  std::vector<part> parts_;
  detail::tolerance allowed_;
};

}  // namespace fettle::ndp
