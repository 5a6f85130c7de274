// make_sequence: a sequence over memory that the program owns: pointers, iterators, std::span,
// containers, Thrust's vectors and iterators.
//
// Contiguous memory becomes sequence<T>, which kernels may read several elements at a time; any
// other random-access iterator is kept as it is.
#pragma once

#include <concepts>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/bounds.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::ndp {

/// A sequence over a random-access iterator that does not point into contiguous memory.
template <typename Iterator>
class iterator_sequence {
 public:
  using value_type = typename std::iterator_traits<Iterator>::value_type;

  constexpr iterator_sequence() = default;
  FETTLE_HOST_DEVICE constexpr iterator_sequence(Iterator first, index_t size)
      : first_(first), size_(size) {}

  [[nodiscard]] FETTLE_HOST_DEVICE constexpr index_t size() const { return size_; }

  FETTLE_HOST_DEVICE constexpr decltype(auto) operator[](index_t i) const {
    check_index("sequence", i, size_);
    return first_[static_cast<typename std::iterator_traits<Iterator>::difference_type>(i)];
  }

 private:
  Iterator first_{};
  index_t size_ = 0;
};

namespace detail {

// Thrust's device pointers and the iterators of its vectors, without including Thrust: their
// raw_pointer_cast is found through their own namespace.
template <typename Iterator>
concept thrust_device_iterator = requires(Iterator it) {
  {raw_pointer_cast(&*it)};
};

// Thrust's host vectors: their iterator wraps a pointer. std::reverse_iterator does too, and turns
// it round.
template <typename Iterator>
concept wraps_pointer = !requires {
  typename Iterator::iterator_type;
}
&&requires(Iterator it) { requires std::is_pointer_v<std::remove_cvref_t<decltype(it.base())>>; };

template <typename Iterator>
concept pointer_like = std::contiguous_iterator<Iterator> || thrust_device_iterator<Iterator> ||
    wraps_pointer<Iterator>;

template <pointer_like Iterator>
auto* raw_pointer(Iterator it) {
  if constexpr (std::contiguous_iterator<Iterator>) {
    return std::to_address(it);
  } else if constexpr (thrust_device_iterator<Iterator>) {
    return raw_pointer_cast(&*it);
  } else {
    return it.base();
  }
}

}  // namespace detail

/// The elements of [first, last): pointers, or iterators of any vector, std::array, Thrust
/// vector...
template <typename Iterator>
  requires requires(Iterator it) { it - it; }
[[nodiscard]] constexpr auto make_sequence(Iterator first, Iterator last) {
  const auto size = static_cast<index_t>(last - first);
  require_at_least("make_sequence", "last comes before first: length", size, 0);
  if constexpr (detail::pointer_like<Iterator>) {
    auto* data = detail::raw_pointer(first);
    return sequence<std::remove_pointer_t<decltype(data)>>(data, size);
  } else {
    return iterator_sequence<Iterator>(first, size);
  }
}

/// `size` elements from `data` on.
template <typename T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr sequence<T> make_sequence(T* data, index_t size) {
  require_at_least("make_sequence", "negative length", size, 0);
  return {data, size};
}

/// The elements of a container or a span that outlives the sequence: a vector that is about to die
/// is refused.
template <typename Range>
  requires requires(Range& range) {
    range.begin();
    range.end();
  } &&(std::is_lvalue_reference_v<Range> || std::ranges::borrowed_range<Range>)
      [[nodiscard]] constexpr auto make_sequence(Range&& range) {
    return make_sequence(range.begin(), range.end());
  }

}  // namespace fettle::ndp
