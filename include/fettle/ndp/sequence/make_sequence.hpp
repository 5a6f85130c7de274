// make_sequence: a sequence over memory that the program owns: pointers, iterators, std::span,
// containers, Thrust's vectors and iterators.
//
// Contiguous memory becomes sequence<T>, which kernels may read several elements at a time; any
// other random-access iterator is kept as it is.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/bounds.hpp>
#include <fettle/ndp/base/invalid_expression.hpp>
#include <fettle/ndp/base/number.hpp>
#include <fettle/ndp/sequence/concepts.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

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
    check_index("iterator_sequence", i, size_);
    return first_[static_cast<typename std::iterator_traits<Iterator>::difference_type>(i)];
  }

 private:
  Iterator first_{};
  index_t size_ = 0;
};

namespace detail {

// Thrust's pointers to device memory, recognised without including Thrust (whose raw_pointer_cast
// cannot be asked: what it does not take is an error inside it).
template <typename Iterator>
concept thrust_pointer = requires(Iterator it) {
  it - it;
  requires std::is_pointer_v<decltype(it.get())>;
};

// The iterators of Thrust's vectors: a pointer in a class, to which it converts. Those that permute
// have a pointer as their base() too, those that reverse are made of one, but it does not convert.
template <typename Iterator>
inline constexpr bool wraps_pointer_v = false;
template <template <typename> typename Wrapper, typename Pointer>
inline constexpr bool wraps_pointer_v<Wrapper<Pointer>> =
    (std::is_pointer_v<Pointer> || thrust_pointer<Pointer>) &&  //
    std::is_convertible_v<Pointer, Wrapper<Pointer>> && requires(Wrapper<Pointer> it) {
      { it.base() } -> std::convertible_to<Pointer>;
      requires std::is_same_v<decltype(*it), decltype(*it.base())>;
    };

template <typename Iterator>
concept pointer_like =
    std::contiguous_iterator<Iterator> || thrust_pointer<Iterator> || wraps_pointer_v<Iterator>;

template <pointer_like Iterator>
constexpr auto* raw_pointer(Iterator it) {
  if constexpr (std::contiguous_iterator<Iterator>) {
    return std::to_address(it);
  } else if constexpr (thrust_pointer<Iterator>) {
    return it.get();
  } else {
    return raw_pointer(it.base());
  }
}

}  // namespace detail

/// The elements of [first, last): pointers, or random-access iterators of any vector, std::array,
/// Thrust vector...
template <typename Iterator>
  requires requires { typename std::iterator_traits<Iterator>::value_type; }
[[nodiscard]] constexpr auto make_sequence(Iterator first, Iterator last) {
  constexpr bool has_distance = requires { static_cast<index_t>(last - first); };
  static_assert(has_distance,
                "make_sequence: these iterators have no random access; copy the elements to memory "
                "that has, such as a std::vector");
  if constexpr (has_distance) {
    const auto size = static_cast<index_t>(last - first);
    require_at_least("make_sequence", "last comes before first: length", size, 0);
    if constexpr (detail::pointer_like<Iterator>) {
      auto* data = detail::raw_pointer(first);
      return sequence<std::remove_pointer_t<decltype(data)>>(data, size);
    } else {
      return iterator_sequence<Iterator>(first, size);
    }
  } else {
    return invalid_expression{};
  }
}

/// `size` elements from `data` on.
template <typename T>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr sequence<T> make_sequence(T* data, index_t size) {
  require_at_least("make_sequence", "negative length", size, 0);
  return {data, size};
}

/// Refuses a length that would be cut to an integer.
template <typename T, detail::cut_to_integer Length>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr auto make_sequence(T*, Length) {
  constexpr bool integers = !detail::no_integer<Length>;
  static_assert(integers, "make_sequence: the length must be an integer");
  return invalid_expression{};
}

/// The elements of an array.
template <typename T, std::size_t N>
[[nodiscard]] FETTLE_HOST_DEVICE constexpr sequence<T> make_sequence(T (&array)[N]) {
  return {array, static_cast<index_t>(N)};
}

/// The elements of a container or a span that outlives the sequence.
template <typename Range>
  requires requires(Range& range) {
    range.begin();
    range.end();
  }
[[nodiscard]] constexpr auto make_sequence(Range&& range) {
  constexpr bool outlives = std::is_lvalue_reference_v<Range> || std::ranges::borrowed_range<Range>;
  static_assert(outlives,
                "make_sequence: the container is a temporary, whose elements are gone when the "
                "sequence is used; give it a name that lives as long as the sequence");
  if constexpr (outlives) {
    return make_sequence(range.begin(), range.end());
  } else {
    return invalid_expression{};
  }
}

}  // namespace fettle::ndp

template <typename T>
inline constexpr bool std::ranges::enable_borrowed_range<fettle::ndp::sequence<T>> = true;
