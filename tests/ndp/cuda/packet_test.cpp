// Packets: which views have them, where they begin, and that they hold the same elements.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/cuda/block/packet.hpp>
#include <fettle/ndp/cuda/block/packet_lead.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reverse.hpp>
#include <fettle/ndp/operator/zip.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/window.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace cuda = fettle::ndp::cuda;
using ndp::index_t;

namespace {

struct triple {
  float x, y, z;
};

struct pixel {
  std::uint8_t r, g, b;
  friend bool operator==(const pixel&, const pixel&) = default;
};

struct by_reference {
  double operator()(double& x) const { return x; }
};

struct half_of {
  template <typename T>
  double operator()(T x) const {
    return static_cast<double>(x) / 2;
  }
};

template <typename E>
constexpr int size_of_packets = cuda::detail::packet_size_v<E>;

static_assert(size_of_packets<ndp::sequence<const double>> == 2);
static_assert(size_of_packets<ndp::sequence<float>> == 4);
static_assert(size_of_packets<ndp::sequence<std::int8_t>> == 16);
static_assert(size_of_packets<ndp::sequence<triple>> == 1);
static_assert(size_of_packets<ndp::sequence<const pixel>> == 4);
static_assert(sizeof(cuda::detail::packet<pixel, 4>) == 12);
static_assert(alignof(cuda::detail::packet<pixel, 4>) == 4);
static_assert(size_of_packets<ndp::counting_sequence<int>> == 1);
static_assert(size_of_packets<ndp::reversed_sequence<ndp::sequence<double>>> == 1);
static_assert(size_of_packets<ndp::zipped_sequence<ndp::sequence<double>>> == 1);
using rows = ndp::nested_sequence<ndp::sequence<double>, ndp::sequence<int>>;
static_assert(size_of_packets<rows> == 1);

alignas(64) double doubles[256];
alignas(64) float floats[256];
alignas(64) int places[256];

void fill() {
  std::iota(std::begin(doubles), std::end(doubles), 1000.0);
  std::iota(std::begin(floats), std::end(floats), 500.0F);
  for (int i = 0; i < 256; ++i) places[i] = (i * 37) % 256;
}

// Every element of `s` once, by packets and single elements; each equals s[i].
template <typename S>
void check_walk(const S& s, index_t begin, index_t end) {
  constexpr int n = cuda::detail::packet_size_v<S>;
  const auto cut = cuda::detail::cut_to_packets(begin, end, cuda::detail::packet_lead<n>(s), n);
  std::vector<int> seen(static_cast<std::size_t>(end), 0);
  for (index_t k = 0; k < cut.packets; ++k) {
    const auto p = cuda::detail::read_packet<n>(s, cut.first + k * n);
    for (int i = 0; i < n; ++i) {
      const index_t at = cut.first + k * n + i;
      REQUIRE(p.item[i] == s[at]);
      ++seen[static_cast<std::size_t>(at)];
    }
  }
  const index_t singles = cut.singles(begin, end);
  for (index_t k = 0; k < singles; ++k) ++seen[static_cast<std::size_t>(cut.single(begin, k))];
  for (index_t i = 0; i < end; ++i) {
    REQUIRE(seen[static_cast<std::size_t>(i)] == (i >= begin ? 1 : 0));
  }
  if (cuda::detail::packet_lead<n>(s) != cuda::detail::no_lead) REQUIRE(singles < 2 * n);
}

}  // namespace

TEST_CASE("a sequence is cut into aligned packets wherever it begins and ends") {
  fill();
  for (index_t first = 0; first < 5; ++first) {
    for (index_t size : {0, 1, 2, 3, 7, 8, 50, 100}) {
      for (index_t begin = 0; begin <= size && begin < 6; ++begin) {
        CAPTURE(first, size, begin);
        const ndp::sequence<const float> s(floats + first, size);
        check_walk(s, begin, size);
        const auto lead = cuda::detail::packet_lead<4>(s);
        REQUIRE(lead == (4 - first % 4) % 4);
      }
    }
  }
}

TEST_CASE("elements of three bytes are read four at a time, by words") {
  alignas(16) pixel pixels[70];
  for (int i = 0; i < 70; ++i) {
    const auto at = static_cast<std::uint8_t>(3 * i);
    pixels[i] = {at, static_cast<std::uint8_t>(at + 1), static_cast<std::uint8_t>(at + 2)};
  }
  for (index_t first = 0; first < 5; ++first) {
    const ndp::sequence<const pixel> s(pixels + first, 60);
    const int lead = cuda::detail::packet_lead<4>(s);
    REQUIRE(lead == (4 - first % 4) % 4);
    for (index_t begin = 0; begin < 6; ++begin) check_walk(s, begin, 60);
  }
}

namespace {

template <typename T>
void check_narrow() {
  alignas(16) T all[200];
  for (std::size_t i = 0; i < 200; ++i) all[i] = static_cast<T>(i * i + 3 * i);
  for (index_t first = 0; first < 17; ++first) {
    CAPTURE(first, sizeof(T));
    const ndp::sequence<const T> s(all + first, 180);
    check_walk(s, 0, 180);
    check_walk(s, 5, 179);
    // The widest leaf decides: four at a time, of which bytes are one word.
    const auto mixed = ndp::map(ndp::plus{}, s, ndp::sequence<const float>(floats + first, 180));
    static_assert(cuda::detail::packet_size_v<decltype(mixed)> == 4);
    check_walk(mixed, 0, 180);
  }
}

}  // namespace

TEST_CASE("elements of one and two bytes are taken out of words") {
  fill();
  check_narrow<bool>();
  check_narrow<char>();
  check_narrow<std::int8_t>();
  check_narrow<std::uint8_t>();
  check_narrow<std::int16_t>();
  check_narrow<std::uint16_t>();
}

TEST_CASE("a map has packets where all its leaves are aligned alike") {
  fill();
  const ndp::sequence<const double> d(doubles + 1, 100);
  const ndp::sequence<const int> at(places + 1, 100);
  const ndp::sequence<const double> all(doubles, 256);
  const auto dot = ndp::map(ndp::multiplies{}, d, ndp::gather(all, at));
  static_assert(cuda::detail::packet_size_v<decltype(dot)> == 2);
  REQUIRE(cuda::detail::packet_lead<2>(dot) == 1);
  check_walk(dot, 0, 100);
  check_walk(dot, 3, 98);

  // The widest leaf decides; floats are then read two at a time.
  const auto mixed = ndp::map(ndp::plus{}, d, ndp::sequence<const float>(floats + 3, 100));
  static_assert(cuda::detail::packet_size_v<decltype(mixed)> == 2);
  check_walk(mixed, 0, 100);

  const auto apart = ndp::map(ndp::plus{}, d, ndp::sequence<const double>(doubles, 100));
  REQUIRE(cuda::detail::packet_lead<2>(apart) == cuda::detail::no_lead);
  check_walk(apart, 0, 100);

  const auto counted = ndp::map(ndp::plus{}, d, ndp::range(0, 100));
  REQUIRE(cuda::detail::packet_lead<2>(counted) == 1);
  check_walk(counted, 0, 100);
}

TEST_CASE("a map's function may change the type of the elements") {
  fill();
  const auto halves = ndp::map(half_of{}, ndp::sequence<const float>(floats, 64));
  static_assert(cuda::detail::packet_size_v<decltype(halves)> == 4);
  check_walk(halves, 0, 64);
}

TEST_CASE("a window's packets begin where its base's do") {
  fill();
  const auto m = ndp::map(half_of{}, ndp::sequence<const float>(floats, 200));
  for (index_t first = 0; first < 9; ++first) {
    CAPTURE(first);
    const auto w = ndp::subsequence(m, first, 60);
    static_assert(cuda::detail::packet_size_v<std::remove_cv_t<decltype(w)>> == 4);
    REQUIRE(cuda::detail::packet_lead<4>(w) == (4 - first % 4) % 4);
    check_walk(w, 0, 60);
  }
}

TEST_CASE("a function that wants the elements themselves gets no packets") {
  fill();
  const auto m = ndp::map(by_reference{}, ndp::sequence<double>(doubles, 64));
  static_assert(cuda::detail::packet_size_v<std::remove_cv_t<decltype(m)>> == 1);
  check_walk(m, 0, 64);
}

TEST_CASE("leads of addresses, windows and pairs") {
  REQUIRE(cuda::detail::lead_of_address(64, 8, 2) == 0);
  REQUIRE(cuda::detail::lead_of_address(72, 8, 2) == 1);
  REQUIRE(cuda::detail::lead_of_address(68, 8, 2) == cuda::detail::no_lead);
  REQUIRE(cuda::detail::lead_of_address(65, 1, 16) == 15);
  // Of two packets: where sectors begin.
  REQUIRE(cuda::detail::lead_of_address(64, 8, 4) == 0);
  REQUIRE(cuda::detail::lead_of_address(80, 8, 4) == 2);
  REQUIRE(cuda::detail::lead_of_address(80, 4, 4) == 0);
  REQUIRE(cuda::detail::shifted_lead(0, 3, 4) == 1);
  REQUIRE(cuda::detail::shifted_lead(3, 3, 4) == 0);
  REQUIRE(cuda::detail::shifted_lead(1, 7, 4) == 2);
  REQUIRE(cuda::detail::shifted_lead(cuda::detail::any_lead, 3, 4) == cuda::detail::any_lead);
  REQUIRE(cuda::detail::common_lead(cuda::detail::any_lead, 2) == 2);
  REQUIRE(cuda::detail::common_lead(2, cuda::detail::any_lead) == 2);
  REQUIRE(cuda::detail::common_lead(2, 2) == 2);
  REQUIRE(cuda::detail::common_lead(1, 2) == cuda::detail::no_lead);
  REQUIRE(cuda::detail::common_lead(cuda::detail::no_lead, cuda::detail::any_lead) ==
          cuda::detail::no_lead);
}
