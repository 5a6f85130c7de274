#include <array>
#include <deque>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/support/message_of.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::elements;
using ndp_test::message_of;

namespace {

template <typename... Arguments>
using made_of = decltype(ndp::make_sequence(std::declval<Arguments>()...));

// Whatever is contiguous is sequence<T>, with the constness of the memory, not of the handle.
static_assert(std::is_same_v<made_of<int*, int*>, ndp::sequence<int>>);
static_assert(std::is_same_v<made_of<const int*, const int*>, ndp::sequence<const int>>);
static_assert(std::is_same_v<made_of<int*, int>, ndp::sequence<int>>);
static_assert(std::is_same_v<made_of<std::vector<int>&>, ndp::sequence<int>>);
static_assert(std::is_same_v<made_of<const std::vector<int>&>, ndp::sequence<const int>>);
static_assert(std::is_same_v<made_of<std::array<int, 3>&>, ndp::sequence<int>>);
static_assert(std::is_same_v<made_of<const std::array<int, 3>&>, ndp::sequence<const int>>);
static_assert(std::is_same_v<made_of<int (&)[3]>, ndp::sequence<int>>);
static_assert(std::is_same_v<made_of<const int (&)[3]>, ndp::sequence<const int>>);
static_assert(std::is_same_v<made_of<std::span<int>>, ndp::sequence<int>>);
static_assert(std::is_same_v<made_of<const std::span<int>&>, ndp::sequence<int>>);
static_assert(std::is_same_v<made_of<std::span<const int>>, ndp::sequence<const int>>);
static_assert(std::is_same_v<made_of<std::string&>, ndp::sequence<char>>);
static_assert(std::is_same_v<made_of<std::string_view>, ndp::sequence<const char>>);
static_assert(std::is_same_v<made_of<ndp::sequence<int>>, ndp::sequence<int>>);

// Everything else with random access is read through its iterator.
using deque_sequence = made_of<std::deque<int>&>;
static_assert(std::is_same_v<deque_sequence, ndp::iterator_sequence<std::deque<int>::iterator>>);
static_assert(std::is_same_v<ndp::element_t<deque_sequence>, int&>);
static_assert(ndp::writable<deque_sequence>);
static_assert(!ndp::writable<made_of<const std::deque<int>&>>);
// One bit cannot be assigned without touching its neighbours, which other threads write.
static_assert(!ndp::writable<made_of<std::vector<bool>&>>);

// An iterator that wraps a pointer, but does not yield what the pointer points to.
struct squares {
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using reference = int;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;

  int* at;

  int* base() const { return at; }
  int operator[](difference_type i) const { return at[i] * at[i]; }
  friend difference_type operator-(squares a, squares b) { return a.at - b.at; }
};

}  // namespace

TEST_CASE("make_sequence is a view of arrays, vectors, spans and pointers") {
  std::vector<int> x = {1, 2, 3};
  const auto s = ndp::make_sequence(x);
  CHECK(s.data() == x.data());
  CHECK(s.size() == 3);
  s[1] = 9;
  CHECK(x[1] == 9);
  CHECK(elements(ndp::make_sequence(x.data() + 1, 2)) == std::vector<int>{9, 3});
  CHECK(elements(ndp::make_sequence(x.begin(), x.end() - 1)) == std::vector<int>{1, 9});
  CHECK(elements(ndp::make_sequence(x.cbegin(), x.cend())) == x);
  int array[] = {4, 5};
  CHECK(ndp::make_sequence(array).data() == array);
  CHECK(elements(ndp::make_sequence(std::span(x).subspan(1))) == std::vector<int>{9, 3});
  CHECK(ndp::make_sequence(std::vector<int>{}.data(), 0).size() == 0);
}

TEST_CASE("make_sequence keeps the order of iterators that are no pointers") {
  std::vector<int> x = {1, 2, 3};
  CHECK(elements(ndp::make_sequence(x.rbegin(), x.rend())) == std::vector<int>{3, 2, 1});
  int array[] = {1, 2, 3};
  CHECK(elements(ndp::make_sequence(std::make_reverse_iterator(array + 3),
                                    std::make_reverse_iterator(array))) ==
        std::vector<int>{3, 2, 1});
  std::deque<int> d = {7, 8, 9};
  const auto s = ndp::make_sequence(d);
  CHECK(elements(s) == std::vector<int>{7, 8, 9});
  s[0] = 1;
  CHECK(d[0] == 1);
  const std::vector<bool> bits = {true, false, true};
  CHECK(elements(ndp::make_sequence(bits)) == bits);
}

TEST_CASE("make_sequence keeps what an iterator computes") {
  int array[] = {1, 2, 3};
  const auto s = ndp::make_sequence(squares{array}, squares{array + 3});
  CHECK(elements(s) == std::vector<int>{1, 4, 9});
}

TEST_CASE("make_sequence refuses lengths below zero") {
  int array[] = {1, 2, 3};
  CHECK(message_of([&] { return ndp::make_sequence(array + 2, array); }) ==
        "make_sequence: last comes before first: length (-2, limit 0)");
  CHECK(message_of([&] { return ndp::make_sequence(array, index_t{-1}); }) ==
        "make_sequence: negative length (-1, limit 0)");
}
