// The loops by which the members of a CUDA resource reduce and scan together, with threads of the
// processor as the members: every element once, in order, whatever the range.
#include <array>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <type_traits>
#include <vector>

#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/cuda/block/costly_elements.hpp>
#include <fettle/ndp/cuda/block/fold.hpp>
#include <fettle/ndp/cuda/block/fold_rounds.hpp>
#include <fettle/ndp/cuda/block/lanes.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace cuda = fettle::ndp::cuda;
using ndp::index_t;
using ndp_test::affine;
using ndp_test::compose;
using ndp_test::made_up;

namespace {

/// `Size` threads that can read each other's values, as lanes do by shuffles.
template <int Size>
struct emulated {
  static constexpr int size = Size;

  static inline thread_local int own_rank = 0;
  static inline std::barrier<> together{Size};
  static inline std::array<std::array<std::byte, 64>, std::size_t{Size}> values{};

  [[nodiscard]] static int rank() { return own_rank; }

  template <typename T>
  [[nodiscard]] static T from_lane(const T& value, int lane) {
    static_assert(sizeof(T) <= 64 && std::is_trivially_copyable_v<T>);
    std::memcpy(values[static_cast<std::size_t>(own_rank)].data(), &value, sizeof(T));
    together.arrive_and_wait();
    T out = value;
    if (lane >= 0 && lane < Size) {
      std::memcpy(&out, values[static_cast<std::size_t>(lane)].data(), sizeof(T));
    }
    together.arrive_and_wait();
    return out;
  }
  template <typename T>
  [[nodiscard]] static T from_lane_above(const T& value, int distance) {
    return from_lane(value, own_rank + distance);
  }
  template <typename T>
  [[nodiscard]] static T from_lane_below(const T& value, int distance) {
    return from_lane(value, own_rank - distance);
  }
  template <typename Op, typename T>
  [[nodiscard]] static cuda::detail::partial_value<Op, T> combine(
      const Op& op, const cuda::detail::partial_value<Op, T>& mine) {
    return cuda::detail::combined_by_lanes<emulated>(op, mine);
  }
  template <typename Op, typename T>
  [[nodiscard]] static T combine_values(const Op& op, const T& mine) {
    return cuda::detail::values_by_lanes<emulated>(op, mine);
  }

  /// work(rank) by all members at once.
  template <typename Work>
  static void run(Work work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < Size; ++i) {
      threads.emplace_back([i, &work] {
        own_rank = i;
        work(i);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
};

/// A block: more members than a warp has, so that it takes packets four at a time.
constexpr int block = 64;

template <typename Resource, bool UsePackets, typename Op, typename S, typename P>
void check_fold(Op op, const S& s, index_t begin, index_t end, P seed) {
  using T = ndp::accumulator_t<Op, S, P>;
  T value{};
  Resource::run([&](int rank) {
    auto all = cuda::detail::partial_value<Op, T>::of(static_cast<T>(seed));
    all.append(op, cuda::detail::fold<Resource, UsePackets, Op, T>(op, s, begin, end));
    if (rank == 0) value = all.value;
  });
  auto expected = static_cast<T>(seed);
  for (index_t i = begin; i < end; ++i) expected = static_cast<T>(op(expected, s[i]));
  CAPTURE(begin, end, Resource::size, UsePackets);
  REQUIRE(value == expected);
}

template <typename Resource, bool Inclusive>
void check_scan(index_t begin, index_t end) {
  const auto values = made_up<affine>(end + 1);
  const ndp::sequence<const affine> s(values.data(), end);
  std::vector<affine> out(values.size(), affine{9, 9});
  const affine seed{3, 5};
  Resource::run([&](int /*rank*/) {
    cuda::detail::scan_by_lanes<Resource, Inclusive>(
        compose{}, s, begin, end, seed,
        [&](index_t i, const affine& value) { out[static_cast<std::size_t>(i)] = value; });
  });
  affine expected = seed;
  CAPTURE(begin, end, Resource::size);
  for (index_t i = 0; i <= end; ++i) {
    const auto place = static_cast<std::size_t>(i);
    if (i < begin || i == end) {
      REQUIRE(out[place] == affine{9, 9});
    } else {
      const affine before = expected;
      expected = compose{}(expected, values[place]);
      REQUIRE(out[place] == (Inclusive ? expected : before));
    }
  }
}

const std::vector<index_t> lengths = {0,  1,  2,   3,   7,   8,   9,   31,  32,   33,  63,
                                      64, 65, 127, 128, 129, 255, 256, 257, 1000, 1500};

}  // namespace

TEST_CASE("members of a block reduce packets and what lies around them") {
  const std::vector<double> doubles = made_up<double>(1600);
  const std::vector<std::int8_t> bytes = made_up<std::int8_t>(9000);
  for (const index_t begin : {0, 1, 3}) {
    for (const index_t length : lengths) {
      const ndp::sequence<const double> s(doubles.data(), begin + length);
      check_fold<emulated<block>, true>(ndp::plus{}, s, begin, begin + length, 0.5);
      check_fold<emulated<block>, true>(ndp::plus{}, ndp::map(ndp::multiplies{}, s, s), begin,
                                        begin + length, 0.0);
    }
    for (const index_t length : {1023, 1024, 1025, 4097, 8500}) {
      const ndp::sequence<const std::int8_t> s(bytes.data() + 1, begin + length);
      check_fold<emulated<block>, true>(ndp::plus{}, s, begin, begin + length, 7);
    }
  }
}

TEST_CASE("members reduce sources without packets, and operators without an identity") {
  for (const index_t length : lengths) {
    const auto counted = ndp::range(index_t{5}, length + 5);
    check_fold<emulated<block>, true>(ndp::plus{}, counted, 0, length, index_t{3});
    check_fold<emulated<32>, true>(ndp::maximum{}, counted, 0, length, index_t{3});
    check_fold<emulated<8>, false>(ndp::bit_xor{}, counted, 0, length, index_t{3});
  }
}

TEST_CASE("costly elements are computed once each, however short the range") {
  struct much_read {
    std::atomic<int>* times;
    std::array<double, 16> tables{};

    double operator()(index_t i) const {
      times[i].fetch_add(1);
      return tables[static_cast<std::size_t>(i) % tables.size()] + 1.0;
    }
  };
  for (const index_t length : lengths) {
    std::vector<std::atomic<int>> times(static_cast<std::size_t>(length) + 1);
    const auto costly = ndp::map(much_read{times.data()}, ndp::range(index_t{0}, length));
    static_assert(cuda::detail::has_costly_elements_v<std::remove_const_t<decltype(costly)>>);
    const auto fold = [&](auto resource) {
      using members = decltype(resource);
      members::run([&](int) {
        (void)cuda::detail::fold<members, true, ndp::plus, double>(ndp::plus{}, costly, 0, length);
      });
    };
    fold(emulated<block>{});
    fold(emulated<32>{});
    int wrong = 0;
    for (index_t i = 0; i < length; ++i) wrong += times[static_cast<std::size_t>(i)] == 2 ? 0 : 1;
    INFO(length << " elements");
    CHECK(wrong == 0);
  }
}

TEST_CASE("members keep the order of operators that do not commute") {
  const auto values = made_up<affine>(1600);
  for (const index_t begin : {0, 2}) {
    for (const index_t length : lengths) {
      const ndp::sequence<const affine> s(values.data(), begin + length);
      const affine seed{3, 5};
      check_fold<emulated<block>, true>(compose{}, s, begin, begin + length, seed);
      check_fold<emulated<32>, true>(compose{}, s, begin, begin + length, seed);
      check_fold<emulated<2>, false>(compose{}, s, begin, begin + length, seed);
      check_fold<emulated<1>, false>(compose{}, s, begin, begin + length, seed);
    }
  }
}

namespace {

struct one_more {
  affine operator()(int x) const { return {1, static_cast<std::uint32_t>(x & 1023)}; }
};
struct last_digit {
  affine operator()(std::int8_t x) const {
    return {static_cast<std::uint32_t>(x & 3), static_cast<std::uint32_t>(x & 63)};
  }
};

}  // namespace

TEST_CASE("members keep the order of what comes by packets, wherever these begin") {
  const auto ints = made_up<int>(5000);
  const auto bytes = made_up<std::int8_t>(5000);
  for (const index_t begin : {0, 1, 2, 3, 5}) {
    for (const index_t length : {1, 100, 128, 255, 256, 259, 1000, 1025, 1500, 4100, 4300}) {
      const ndp::sequence<const int> s(ints.data(), begin + length);
      const ndp::sequence<const std::int8_t> b(bytes.data(), begin + length);
      static_assert(cuda::detail::packet_size_v<decltype(ndp::map(one_more{}, s))> == 4);
      const auto more = ndp::map(one_more{}, s);
      const auto digits = ndp::map(last_digit{}, b);
      check_fold<emulated<block>, true>(compose{}, more, begin, begin + length, affine{3, 5});
      check_fold<emulated<block>, true>(compose{}, digits, begin, begin + length, affine{3, 5});
    }
  }
}

TEST_CASE("warps take long ranges round by round, in order") {
  const auto ints = made_up<int>(9000);
  const auto bytes = made_up<std::int8_t>(9000);
  const auto pairs = made_up<affine>(9000);
  // By the lanes of one warp after the other.
  const auto check = [](const auto& s, index_t begin, index_t end) {
    constexpr int warps = 3;
    std::atomic<int> wrong{0};
    auto all = cuda::detail::partial_value<compose, affine>::none();
    for (int warp = 0; warp < warps; ++warp) {
      emulated<32>::run([&](int rank) {
        const auto part = cuda::detail::fold_part_of_warp<emulated<32>, compose, affine>(
            compose{}, s, begin, end, warp, warps);
        if (rank == 0) all.append(compose{}, part);
        if (rank != 0 && part.there) ++wrong;
      });
    }
    REQUIRE(wrong == 0);
    affine expected = affine{1, 0};
    for (index_t i = begin; i < end; ++i) expected = compose{}(expected, affine(s[i]));
    CAPTURE(begin, end);
    REQUIRE(all.there == (begin < end));
    if (begin < end) REQUIRE(all.value == expected);
  };
  for (const index_t begin : {0, 1, 3, 15}) {
    for (const index_t length : {0, 1, 95, 96, 97, 383, 384, 385, 2000, 8192, 8900}) {
      check(ndp::map(one_more{}, ndp::sequence<const int>(ints.data(), 9000)), begin,
            begin + length);
      check(ndp::map(last_digit{}, ndp::sequence<const std::int8_t>(bytes.data(), 9000)), begin,
            begin + length);
      check(ndp::sequence<const affine>(pairs.data(), 9000), begin, begin + length);
    }
  }
}

TEST_CASE("lanes that have packets each keep the order") {
  const auto bytes = made_up<std::int8_t>(5000);
  for (const index_t begin : {0, 1, 15}) {
    for (const index_t length : {1, 127, 128, 255, 256, 271, 272, 286, 287, 511, 512, 600, 1024,
                                 1039, 2047, 2048, 2049, 4096, 4097}) {
      const ndp::sequence<const std::int8_t> b(bytes.data(), begin + length);
      const auto digits = ndp::map(last_digit{}, b);
      check_fold<emulated<8>, false>(compose{}, digits, begin, begin + length, affine{3, 5});
      check_fold<emulated<16>, false>(compose{}, digits, begin, begin + length, affine{3, 5});
      check_fold<emulated<32>, true>(compose{}, digits, begin, begin + length, affine{3, 5});
    }
  }
}

TEST_CASE("lanes scan in order") {
  for (const index_t begin : {0, 3}) {
    for (const index_t length : {0, 1, 2, 7, 8, 9, 31, 32, 33, 64, 65, 100}) {
      check_scan<emulated<32>, false>(begin, begin + length);
      check_scan<emulated<32>, true>(begin, begin + length);
      check_scan<emulated<8>, false>(begin, begin + length);
      check_scan<emulated<8>, true>(begin, begin + length);
      check_scan<emulated<2>, false>(begin, begin + length);
      check_scan<emulated<2>, true>(begin, begin + length);
    }
  }
}

TEST_CASE("fold: shares of packets follow each other, and many begin with sectors") {
  constexpr int size = 8;
  for (const index_t packets : {8, 9, 31, 32, 33, 100, 1001}) {
    for (const int odd : {0, 1}) {
      CHECK(cuda::detail::packets_begin<size>(packets, 0, odd) == 0);
      CHECK(cuda::detail::packets_begin<size>(packets, size, odd) == packets);
      for (int rank = 0; rank < size; ++rank) {
        const index_t begin = cuda::detail::packets_begin<size>(packets, rank, odd);
        REQUIRE(cuda::detail::packets_begin<size>(packets, rank + 1, odd) > begin);
        if (packets >= index_t{4} * size && rank > 0) REQUIRE((begin + odd) % 2 == 0);
      }
    }
  }
}
