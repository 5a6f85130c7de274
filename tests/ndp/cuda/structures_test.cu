// Structures in a GPU's memory, which are read and written by other accesses than their types ask
// for: the results are the serial ones, wherever the structures begin.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>

#include "ndp/support/cuda_platform.cuh"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
using ndp_test::index_t;

namespace {

template <int Words>
struct words {
  std::int32_t word[std::size_t{Words}];
  friend bool operator==(const words&, const words&) = default;
};
struct padded {  // 24 bytes, 3 of them between its fields
  double x;
  std::int32_t i;
  char c;
  double y;
  friend bool operator==(const padded&, const padded&) = default;
};

template <int Words>
struct negated {
  FETTLE_HOST_DEVICE words<Words> operator()(const words<Words>& x) const {
    words<Words> out;
    for (int k = 0; k < Words; ++k) out.word[k] = -x.word[Words - 1 - k];
    return out;
  }
};
template <int Words>
struct sum {
  FETTLE_HOST_DEVICE words<Words> operator()(const words<Words>& a, const words<Words>& b) const {
    words<Words> out;
    for (int k = 0; k < Words; ++k) out.word[k] = a.word[k] + b.word[k];
    return out;
  }
};
struct make_padded {
  FETTLE_HOST_DEVICE padded operator()(std::int32_t i) const {
    return {0.5 * i, i, static_cast<char>(i % 100), -1.0 * i};
  }
};

template <int Words>
std::vector<words<Words>> numbered(index_t count) {
  std::vector<words<Words>> out(static_cast<std::size_t>(count));
  std::int32_t next = 0;
  for (auto& one : out) {
    for (std::int32_t& word : one.word) word = next++ % 1009;
  }
  return out;
}

template <int Words>
void check_maps() {
  for (const index_t n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 4097, 100001}) {
    CAPTURE(Words, n);
    const auto x = numbered<Words>(n + 1);
    const ndp_test::data<words<Words>> in(x);
    ndp_test::data<words<Words>> out(std::vector<words<Words>>(x.size() + 1));
    for (const index_t first : {0, 1}) {  // of 20 bytes, one of them begins between words of 16
      ndp::execute(ndp::map(negated<Words>{}, subsequence(in.read(), first, n)),
                   subsequence(out.write(), 1, n), ndp::platform::cuda{});
      const auto found = out.values();
      index_t wrong = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        wrong += found[i + 1] != negated<Words>{}(x[i + static_cast<std::size_t>(first)]);
      }
      REQUIRE(wrong == 0);
      REQUIRE(found.front() == words<Words>{});
      REQUIRE(found.back() == words<Words>{});
    }
  }
}

template <int Words>
struct row_sum {
  ndp::sequence<const words<Words>> table;
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(sum<Words>{}, ndp::gather(table, row), words<Words>{});
  }
};

/// Sums of gathered structures; a word further than the memory begins, none is aligned to more than
/// its type says.
template <int Words>
void check_rows(std::size_t shift) {
  const index_t entries = 501;
  const auto table = numbered<Words>(entries);
  for (const index_t rows : {index_t{1}, index_t{33}, index_t{3001}}) {
    std::vector<int> at;
    std::vector<index_t> offsets{0};
    for (index_t r = 0; r < rows; ++r) {
      for (index_t k = 0; k < r % 40; ++k) at.push_back(static_cast<int>((r * 7 + k) % 500));
      offsets.push_back(static_cast<index_t>(at.size()));
    }
    const ndp_test::data<int> indices(at);
    const ndp_test::data<index_t> begins(offsets);
    std::vector<std::int32_t> raw(static_cast<std::size_t>(entries) * Words + 1);
    for (std::size_t i = 0; i < table.size(); ++i) {
      for (std::size_t k = 0; k < Words; ++k) raw[i * Words + k + shift] = table[i].word[k];
    }
    const ndp_test::data<std::int32_t> memory(raw);
    const ndp::sequence<const words<Words>> on_device(
        reinterpret_cast<const words<Words>*>(memory.read().data() + shift), entries);
    ndp_test::data<words<Words>> out(std::vector<words<Words>>(static_cast<std::size_t>(rows)));
    ndp::execute(ndp::map(row_sum<Words>{on_device}, ndp::nest(indices.read(), begins.read())),
                 out.write(), ndp::platform::cuda{});
    const auto found = out.values();
    index_t wrong = 0;
    for (std::size_t r = 0; r < found.size(); ++r) {
      words<Words> expected{};
      for (auto k = offsets[r]; k < offsets[r + 1]; ++k) {
        const auto i = static_cast<std::size_t>(at[static_cast<std::size_t>(k)]);
        expected = sum<Words>{}(expected, table[i]);
      }
      wrong += found[r] != expected;
    }
    CAPTURE(Words, rows, shift);
    REQUIRE(wrong == 0);
  }
}

template <int Words>
struct ends_of {  // the first and the last two words
  FETTLE_HOST_DEVICE words<4> operator()(const words<Words>& x) const {
    return {{x.word[0], x.word[1], x.word[Words - 2], x.word[Words - 1]}};
  }
};
template <int Words>
struct sum_of_ends {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(sum<4>{}, ndp::map(ends_of<Words>{}, row), words<4>{});
  }
};

/// Rows of structures themselves, as tiles of one launch and of two, and by lanes.
template <int Words>
void check_own_rows(std::size_t shift) {
  for (const index_t atoms : {0, 1, 2, 4097, 150001, 930001}) {
    const auto x = numbered<Words>(atoms);
    std::vector<index_t> offsets{0};
    for (index_t r = 0; offsets.back() < atoms; ++r) {
      const index_t length = r % 1000 == 7 ? 5000 : r % 61;
      const index_t left = atoms - offsets.back();
      offsets.push_back(offsets.back() + (length < left ? length : left));
    }
    const index_t rows = static_cast<index_t>(offsets.size()) - 1;
    std::vector<std::int32_t> raw(x.size() * Words + 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t k = 0; k < Words; ++k) raw[i * Words + k + shift] = x[i].word[k];
    }
    const ndp_test::data<std::int32_t> memory(raw);
    const ndp_test::data<index_t> begins(offsets);
    const ndp::sequence<const words<Words>> on_device(
        reinterpret_cast<const words<Words>*>(memory.read().data() + shift), atoms);
    ndp_test::data<words<4>> out(std::vector<words<4>>(static_cast<std::size_t>(rows)));
    ndp::execute(ndp::map(sum_of_ends<Words>{}, ndp::nest(on_device, begins.read())), out.write(),
                 ndp::platform::cuda{});
    const auto found = out.values();
    index_t wrong = 0;
    for (std::size_t r = 0; r < found.size(); ++r) {
      words<4> expected{};
      for (auto k = offsets[r]; k < offsets[r + 1]; ++k) {
        expected = sum<4>{}(expected, ends_of<Words>{}(x[static_cast<std::size_t>(k)]));
      }
      wrong += found[r] != expected;
    }
    CAPTURE(Words, atoms, shift);
    REQUIRE(wrong == 0);
  }
}

}  // namespace

TEST_CASE("structures: maps to them, wherever they begin") {
  check_maps<5>();
  check_maps<8>();
  check_maps<9>();
  check_maps<16>();
}

TEST_CASE("structures: a map to those with bytes between their fields") {
  std::vector<std::int32_t> x;
  std::vector<padded> expected;
  for (std::int32_t i = 0; i < 1001; ++i) {
    x.push_back(i);
    expected.push_back(make_padded{}(i));
  }
  const ndp_test::data<std::int32_t> in(x);
  ndp_test::data<padded> out(std::vector<padded>(x.size()));
  ndp::execute(ndp::map(make_padded{}, in.read()), out.write(), ndp::platform::cuda{});
  REQUIRE((out.values() == expected));
}

TEST_CASE("structures: a map in place") {
  const auto x = numbered<9>(5000);
  ndp_test::data<words<9>> both(x);
  ndp::execute(ndp::map(negated<9>{}, both.read()), both.write(), ndp::platform::cuda{});
  const auto found = both.values();
  index_t wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) wrong += found[i] != negated<9>{}(x[i]);
  REQUIRE(wrong == 0);
}

TEST_CASE("structures: sums of gathered ones, aligned and not") {
  for (const std::size_t shift : {std::size_t{0}, std::size_t{1}}) {
    check_rows<4>(shift);
    check_rows<6>(shift);
    check_rows<16>(shift);
  }
}

TEST_CASE("structures: sums of rows of them, aligned and not") {
  for (const std::size_t shift : {std::size_t{0}, std::size_t{1}}) {
    check_own_rows<4>(shift);
    check_own_rows<9>(shift);
    check_own_rows<8>(shift);
    check_own_rows<16>(shift);
  }
}
