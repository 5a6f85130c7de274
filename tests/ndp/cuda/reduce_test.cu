// Reductions by the whole device: sizes up to millions and beyond 32 bits, values of odd sizes,
// operators that do not commute, sources that begin anywhere.
#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>

#include "ndp/support/cuda_platform.cuh"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
namespace platform = fettle::ndp::platform;
using ndp::index_t;
using ndp_test::data;
using ndp_test::made_up;

namespace {

/// Around the sizes at which a block, a cluster and a grid take over, and powers of two.
[[nodiscard]] std::vector<index_t> many_sizes() {
  // Less than a block, one block, one cluster, a grid of few and of many blocks.
  if (ndp_test::small_sizes()) return {0, 1, 33, 4097, 65537, 262145};
  std::vector<index_t> out = {0, 1, 2, 3};
  for (index_t power = 4; power <= (index_t{1} << 22); power *= 2) {
    out.insert(out.end(), {power - 1, power, power + 1});
  }
  return out;
}

/// A value of 4 * N bytes whose composition does not commute: affine maps in the first two words,
/// the others go along.
template <int N>
struct words {
  std::uint32_t word[std::size_t{N}];
  friend bool operator==(const words&, const words&) = default;
};

struct compose_words {
  template <int N>
  FETTLE_HOST_DEVICE words<N> operator()(const words<N>& a, const words<N>& b) const {
    constexpr std::uint32_t modulus = 65521;
    words<N> out{};
    if constexpr (N == 1) {
      // Digits of two numbers below 2^16: first and last.
      out.word[0] = (a.word[0] & 0xFFFF0000U) | (b.word[0] & 0xFFFFU);
    } else {
      out.word[0] = a.word[0] * b.word[0] % modulus;
      out.word[1] = (b.word[0] * a.word[1] % modulus + b.word[1]) % modulus;
      for (int i = 2; i < N; ++i) out.word[i] = a.word[i] + b.word[i];
    }
    return out;
  }
};

template <int N>
[[nodiscard]] std::vector<words<N>> made_up_words(index_t count) {
  std::mt19937 random(5);
  std::vector<words<N>> out(static_cast<std::size_t>(count));
  for (words<N>& value : out) {
    for (std::uint32_t& word : value.word) word = static_cast<std::uint32_t>(random()) % 65521;
  }
  return out;
}

template <int N>
void check_words() {
  for (const index_t count :
       ndp_test::sized<index_t>({0, 1, 2, 33, 4096, 4097, 50000, 300001}, {0, 4097, 140001})) {
    CAPTURE(N, count);
    const auto values = made_up_words<N>(count);
    const data<words<N>> x(values);
    const words<N> seed{{3}};
    const auto expected = ndp::reduce(compose_words{}, ndp::make_sequence(values), seed).evaluate();
    REQUIRE(ndp::execute(ndp::reduce(compose_words{}, x.read(), seed), platform::cuda{}) ==
            expected);
  }
}

}  // namespace

TEST_CASE("a device-wide reduce of every size") {
  const std::vector<double> values = made_up<double>((index_t{1} << 22) + 1);
  const data<double> x(values);
  double expected = 2.0;
  index_t done = 0;
  for (const index_t count : many_sizes()) {
    CAPTURE(count);
    for (; done < count; ++done) expected += values[static_cast<std::size_t>(done)];
    const auto e = ndp::reduce(ndp::plus{}, ndp::subsequence(x.read(), 0, count), 2.0);
    REQUIRE(ndp::execute(e, platform::cuda{}) == expected);
    REQUIRE(ndp::execute(e, platform::cuda{}, schedule::cooperative<>{},
                         ndp::constant<ndp::cuda::policy{.block_size_x = 96}>{}) == expected);
  }
}

TEST_CASE("a device-wide reduce in order of every size") {
  const auto values = made_up<ndp_test::affine>((index_t{1} << 20) + 1);
  const data<ndp_test::affine> x(values);
  ndp_test::affine expected{3, 5};
  index_t done = 0;
  for (const index_t count : many_sizes()) {
    if (count > static_cast<index_t>(values.size())) break;
    CAPTURE(count);
    for (; done < count; ++done) {
      expected = ndp_test::compose{}(expected, values[static_cast<std::size_t>(done)]);
    }
    REQUIRE(ndp::execute(ndp::reduce(ndp_test::compose{}, ndp::subsequence(x.read(), 0, count),
                                     ndp_test::affine{3, 5}),
                         platform::cuda{}) == expected);
  }
}

TEST_CASE("a reduce of elements that begin at any address") {
  const std::vector<float> values = made_up<float>(100100);
  const data<float> x(values);
  for (index_t first = 0; first < 9; first += ndp_test::sized(1, 3)) {
    for (const index_t count :
         ndp_test::sized<index_t>({1, 5, 1000, 40001, 100000}, {5, 1000, 40001})) {
      CAPTURE(first, count);
      float expected = 0;
      for (index_t i = first; i < first + count; ++i) {
        expected += values[static_cast<std::size_t>(i)];
      }
      const auto part = ndp::subsequence(x.read(), first, count);
      REQUIRE(ndp::execute(ndp::reduce(ndp::plus{}, part, 0.0F), platform::cuda{}) == expected);
      // Two leaves that are not aligned alike.
      const auto other = ndp::subsequence(x.read(), 0, count);
      REQUIRE(ndp::execute(ndp::reduce(ndp::plus{}, ndp::map(ndp::minus{}, part, other), 0.0F),
                           platform::cuda{}) ==
              ndp::reduce(ndp::plus{},
                          ndp::map(ndp::minus{}, ndp::make_sequence(values.data() + first, count),
                                   ndp::make_sequence(values.data(), count)),
                          0.0F)
                  .evaluate());
    }
  }
}

TEST_CASE("values of 4, 12, 24 and 40 bytes, by an operator that does not commute") {
  check_words<1>();
  check_words<3>();
  check_words<6>();
  check_words<10>();
}

TEST_CASE("more elements than 32 bits count") {
  if (ndp_test::too_large("more elements than 32 bits count")) return;
  constexpr index_t count = (index_t{1} << 31) + 5;
  REQUIRE(ndp::execute(ndp::reduce(ndp::plus{}, ndp::range(index_t{0}, count), index_t{0}),
                       platform::cuda{}) ==
          count / 2 * (count - 1) + (count % 2) * (count - 1) / 2);
  REQUIRE(ndp::execute(ndp::reduce(ndp::plus{}, ndp::replicate(std::int8_t{1}, count), index_t{0}),
                       platform::cuda{}) == count);
}

TEST_CASE("a result in device memory, converted to the destination's type") {
  const data<double> x(made_up<double>(70000));
  data<double> wide(std::vector<double>(1));
  data<float> narrow(std::vector<float>(1));
  const auto e = ndp::reduce(ndp::maximum{}, x.read(), -100.0);
  ndp::execute(e, wide.write(), platform::cuda{});
  ndp::execute(e, narrow.write(), platform::cuda{});
  REQUIRE(wide.values()[0] == 9.0);
  REQUIRE(narrow.values()[0] == 9.0F);
}
