// The default rule for rows on a GPU: every kernel that it can choose yields the serial result, as
// does the kernel that it chooses, with and without statistics of the rows.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/ndp/cuda/dispatch/default_rule.cuh>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/operator/gather.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/operator/transpose.hpp>

#include "ndp/cuda/by_default_rule.cuh"
#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;

namespace {

// A sparse matrix times a vector, in integers so that any order of adding gives the same.
struct row_dot {
  ndp::sequence<const index_t> x;
  template <typename Row, typename Columns>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, const Columns& columns) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, columns)),
                       index_t{0});
  }
};

// Lengths of which a few are far longer than the others.
FETTLE_HOST_DEVICE constexpr index_t length_of(index_t i) { return i % 977 == 5 ? 3000 : i % 100; }

// Rows that lie nowhere: 0 + 1 + ...
struct sum_below {
  FETTLE_HOST_DEVICE auto operator()(index_t i) const {
    return ndp::reduce(ndp::plus{}, ndp::range(index_t{0}, length_of(i), index_t{1}), index_t{0});
  }
};
struct compose_below {
  ndp::sequence<const affine> maps;
  FETTLE_HOST_DEVICE auto operator()(index_t i) const {
    return ndp::reduce(compose{}, subsequence(maps, 0, length_of(i)), affine{1, 0});
  }
};

}  // namespace

TEST_CASE("default rule: products with rows of all lengths, whatever is said of them") {
  constexpr std::size_t width = 1000;
  const auto host_x = random_numbers(width, 1);
  const ndp_test::data<index_t> x(host_x);
  for (const auto& pattern : large_row_patterns()) {
    INFO(pattern.name);
    const row_data<index_t> values(random_numbers(element_count(pattern), 2), pattern);
    const row_data<index_t> columns(random_numbers(element_count(pattern), 3), pattern);
    const auto host =
        ndp::map(row_dot{ndp::make_sequence(host_x)}, values.on_host(), columns.on_host());
    // Right, wrong and no statistics: the choice differs, the result does not.
    for (const index_t longest :
         ndp_test::sized<index_t>({-1, 1, 20, 2000, 1000000000}, {-1, 1, 2000})) {
      INFO("stated as the longest row: " << longest);
      const auto device =
          ndp::map(row_dot{x.read()},
                   ndp::nest(values.elements.read(), values.offsets.read(), {.longest = longest}),
                   ndp::nest(columns.elements.read(), values.offsets.read()));
      REQUIRE(equals_serial<plain>(host, device, by_rule{}));
    }
  }
}

TEST_CASE("default rule: operators that do not commute") {
  for (const auto& pattern : large_row_patterns()) {
    INFO(pattern.name);
    const row_data<affine> maps(random_affines(element_count(pattern), 4), pattern);
    REQUIRE(equals_serial<plain>(ndp::map(compose_row{}, maps.on_host()),
                                 ndp::map(compose_row{}, maps.on_device()), by_rule{}));
  }
}

TEST_CASE("default rule: tiles of one length, which need no statistics") {
  for (const index_t length : {1, 3, 30, 500, 40000}) {
    INFO("tiles of " << length);
    const auto host_values = random_numbers(ndp_test::sized<std::size_t>(900001, 90001), 5);
    const ndp_test::data<index_t> values(host_values);
    REQUIRE(equals_serial<plain>(
        ndp::map(sum_row{}, ndp::split(ndp::make_sequence(host_values), length)),
        ndp::map(sum_row{}, ndp::split(values.read(), length)), by_rule{}));
  }
}

TEST_CASE("default rule: rows of which only the number is known") {
  for (const index_t rows : {0, 1, 16, 17, 528, 529, 24576, 24577, 100001}) {
    INFO(rows << " rows");
    const auto e = ndp::map(sum_below{}, ndp::range(index_t{0}, rows, index_t{1}));
    const auto maps = random_affines(3000, 7);
    const ndp_test::data<affine> on_device(maps);
    REQUIRE(equals_serial<plain>(e, e, by_rule{}));
    REQUIRE(equals_serial<plain>(
        ndp::map(compose_below{ndp::make_sequence(maps)}, ndp::range(index_t{0}, rows, index_t{1})),
        ndp::map(compose_below{on_device.read()}, ndp::range(index_t{0}, rows, index_t{1})),
        by_rule{}));
  }
}

namespace {

// Rows of which only the GPU knows how long they are and where they begin.
struct compose_from {
  ndp::sequence<const affine> maps;
  index_t apart;
  index_t longest;
  FETTLE_HOST_DEVICE auto operator()(index_t i) const {
    const index_t length = i % 97 == 5 ? longest : i % 41;
    return ndp::reduce(compose{}, subsequence(maps, i * apart % 1000, length), affine{1, 0});
  }
};

struct by_unknown_rows {
  template <typename E, typename D, typename Policy>
  void operator()(const E& e, const D& to, Policy /*policy*/) const {
    static_assert(kernels::read_in_order<decltype(E::value_type::source)>);
    kernels::run_unknown_rows<kernels::policy_of_threads<128, 4>, true>(ndp::platform::cuda{},
                                                                        tested, e, to);
  }
};

}  // namespace

TEST_CASE("default rule: lanes share long rows that begin far apart") {
  const auto maps = random_affines(4000, 8);
  const ndp_test::data<affine> on_device(maps);
  for (const index_t rows : {1, 2, 31, 32, 33, 127, 128, 129, 5001}) {
    for (const index_t apart : {0, 1, 40}) {  // 0 and 1: side by side, a thread for each
      for (const index_t longest : {32, 33, 2999}) {
        INFO(rows << " rows, " << apart << " apart, of up to " << longest);
        const auto range = ndp::range(index_t{0}, rows, index_t{1});
        REQUIRE(equals_serial<plain>(
            ndp::map(compose_from{ndp::make_sequence(maps), apart, longest}, range),
            ndp::map(compose_from{on_device.read(), apart, longest}, range), by_unknown_rows{}));
      }
    }
  }
}

namespace {

// Rows of numbers that come in packets, of i % most.
struct sum_from {
  ndp::sequence<const std::int32_t> x;
  ndp::sequence<const int> first;
  index_t most;
  FETTLE_HOST_DEVICE auto operator()(index_t i) const {
    return ndp::reduce(ndp::plus{}, subsequence(x, first[i], i % most), std::int32_t{0});
  }
};

}  // namespace

TEST_CASE("default rule: four lanes share rows of few packets, wherever they begin") {
  std::vector<std::int32_t> x;
  for (const index_t value : random_numbers(4000, 8)) x.push_back(static_cast<std::int32_t>(value));
  const ndp_test::data<std::int32_t> x_on_device(x);
  for (const index_t rows : {1, 33, 1001}) {
    for (const int apart : {3, 16, 20}) {
      std::vector<int> first;
      for (index_t i = 0; i < rows; ++i) first.push_back(static_cast<int>(i) * apart % 3000);
      const ndp_test::data<int> first_on_device(first);
      for (const index_t most : {17, 31, 200}) {
        INFO(rows << " rows, " << apart << " apart, of less than " << most);
        const auto range = ndp::range(index_t{0}, rows, index_t{1});
        REQUIRE(equals_serial<plain>(
            ndp::map(sum_from{ndp::make_sequence(x), ndp::make_sequence(first), most}, range),
            ndp::map(sum_from{x_on_device.read(), first_on_device.read(), most}, range),
            by_unknown_rows{}));
      }
    }
  }
}

TEST_CASE("default rule: rows that lie in the order of memory are told by their type") {
  using numbers = ndp::sequence<const float>;
  using counted = decltype(ndp::range(index_t{0}, index_t{9}));
  STATIC_REQUIRE(kernels::read_in_order<numbers>);
  STATIC_REQUIRE(kernels::read_in_order<decltype(ndp::map(ndp::plus{}, numbers{}, counted{}))>);
  STATIC_REQUIRE(kernels::read_in_order<decltype(ndp::gather(numbers{}, ndp::sequence<int>{}))>);
  STATIC_REQUIRE_FALSE(kernels::read_in_order<counted>);
  // What a function reads that carries a view cannot be seen: it may be a column.
  STATIC_REQUIRE_FALSE(kernels::read_in_order<ndp::transformed_sequence<compose_from, numbers>>);
  STATIC_REQUIRE_FALSE(kernels::read_in_order<ndp::strided_sequence<numbers>>);
}

TEST_CASE("default rule: scans of rows") {
  for (const auto& pattern : large_row_patterns()) {
    INFO(pattern.name);
    const row_data<index_t> rows(random_numbers(element_count(pattern), 6), pattern);
    std::vector<index_t> expected = rows.host;
    for (index_t i = 0; i < rows.rows(); ++i) {
      const auto begin = static_cast<std::size_t>(pattern.offsets[static_cast<std::size_t>(i)]);
      ndp::map(scan_row{}, rows.on_host())[i].for_each_serial(
          [&](index_t j, index_t value) { expected[begin + static_cast<std::size_t>(j)] = value; });
    }
    ndp_test::data<index_t> y(rows.host);
    kernels::default_run(ndp::platform::cuda{}, tested, ndp::map(scan_row{}, rows.on_device()),
                         y.write());
    REQUIRE(y.values() == expected);
  }
}

namespace {

struct negated_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::map(ndp::negate{}, row);
  }
};

}  // namespace

TEST_CASE(
    "default rule: rows are mapped whatever their lengths, giant ones among short ones, too") {
  auto patterns = large_row_patterns();
  // A mean for each number of lanes a row, and rows that are too long for them.
  for (const std::int64_t length : {5, 12, 25, 60}) {
    row_pattern pattern{"long rows among others", {0}};
    for (std::int64_t i = 0; i < 1001; ++i) {
      pattern.offsets.push_back(pattern.offsets.back() + (i % 211 == 3 ? 5000 : i % length));
    }
    patterns.push_back(std::move(pattern));
  }
  for (const auto& pattern : patterns) {
    INFO(pattern.name << ", " << pattern.offsets.back() << " elements");
    const row_data<index_t> rows(random_numbers(element_count(pattern), 10), pattern);
    std::vector<index_t> expected = rows.host;
    for (auto i = pattern.offsets.front(); i < pattern.offsets.back(); ++i) {
      auto& value = expected[static_cast<std::size_t>(i)];
      value = -value;
    }
    ndp_test::data<index_t> y(rows.host);
    kernels::default_run(ndp::platform::cuda{}, tested, ndp::map(negated_row{}, rows.on_device()),
                         y.write());
    REQUIRE(y.values() == expected);
  }
}

namespace {

struct times {
  index_t a;
  FETTLE_HOST_DEVICE index_t operator()(index_t b) const { return a * b; }
};
struct times_all {
  ndp::sequence<const index_t> y;
  FETTLE_HOST_DEVICE auto operator()(index_t a) const { return ndp::map(times{a}, y); }
};

}  // namespace

TEST_CASE("default rule: outer products of any aspect ratio") {
  struct shape {
    std::size_t rows, columns;
  };
  for (const auto& [rows, columns] :
       {shape{1, 1}, shape{3, 100000}, shape{2, 2049}, shape{500, 300}, shape{1000, 20},
        shape{1001, 13}, shape{5000, 3}}) {
    CAPTURE(rows, columns);
    const std::vector<index_t> host_x = random_numbers(rows, 1);
    const std::vector<index_t> host_y = random_numbers(columns, 2);
    const ndp_test::data<index_t> x(host_x);
    const ndp_test::data<index_t> y(host_y);
    ndp_test::data<index_t> result(std::vector<index_t>(rows * columns, -1));
    std::vector<index_t> expected;
    for (const index_t a : host_x) {
      for (const index_t b : host_y) expected.push_back(a * b);
    }
    ndp::execute(ndp::map(times_all{y.read()}, x.read()),
                 ndp::split(result.write(), static_cast<index_t>(columns)), ndp::platform::cuda{});
    REQUIRE(result.values() == expected);
  }
}

TEST_CASE("default rule: columns of matrices of any shape, by an operator that does not commute") {
  struct shape {
    std::size_t rows, columns;
  };
  for (const auto& [rows, columns] : {shape{0, 20}, shape{1, 1}, shape{1000, 7}, shape{40000, 8},
                                      shape{63, 33}, shape{700, 400}}) {
    CAPTURE(rows, columns);
    const std::vector<affine> host = random_affines(rows * columns, 5);
    const ndp_test::data<affine> on_device(host);
    ndp_test::data<affine> result(std::vector<affine>(columns, affine{7, 7}));
    std::vector<affine> expected(columns, affine{3, 1});
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        expected[j] = compose{}(expected[j], host[i * columns + j]);
      }
    }
    const auto matrix = ndp::split(on_device.read(), static_cast<index_t>(columns));
    ndp::execute(ndp::map(compose_row{}, ndp::transpose(matrix)), result.write(),
                 ndp::platform::cuda{});
    REQUIRE(result.values() == expected);
  }
}

namespace {

struct pixel {
  std::uint8_t r, g, b;
};
struct level {
  FETTLE_HOST_DEVICE std::uint8_t operator()(const pixel& p) const {
    return static_cast<std::uint8_t>((77 * p.r + 150 * p.g + 29 * p.b) / 256);
  }
};
struct pair {
  FETTLE_HOST_DEVICE std::uint16_t operator()(std::uint8_t a, std::uint8_t b) const {
    return static_cast<std::uint16_t>(256 * a + b);
  }
};
struct scaled {
  float factor;
  FETTLE_HOST_DEVICE float operator()(std::uint8_t q) const { return factor * q; }
};
struct scaled_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, float factor) const {
    return ndp::map(scaled{factor}, row);
  }
};

}  // namespace

TEST_CASE("default rule: bytes and pixels are mapped by packets wherever they begin") {
  constexpr index_t count = 1200000;
  std::vector<pixel> pixels;
  for (const index_t value : random_numbers(count, 1)) {
    const auto bits = static_cast<std::uint64_t>(value) * 0x9E3779B97F4A7C15U;
    pixels.push_back({static_cast<std::uint8_t>(bits >> 40U),
                      static_cast<std::uint8_t>(bits >> 48U),
                      static_cast<std::uint8_t>(bits >> 56U)});
  }
  const ndp_test::data<pixel> in(pixels);
  ndp_test::data<std::uint8_t> levels(std::vector<std::uint8_t>(count, 0));
  ndp_test::data<std::uint16_t> pairs(std::vector<std::uint16_t>(count, 0));
  for (const index_t first : {0, 1, 2, 5}) {
    CAPTURE(first);
    ndp::execute(ndp::map(level{}, ndp::subsequence(in.read(), first, count - first)),
                 ndp::subsequence(levels.write(), 0, count - first), ndp::platform::cuda{});
    ndp::execute(ndp::map(pair{}, ndp::subsequence(levels.read(), 0, count - first - 1),
                          ndp::subsequence(levels.read(), 1, count - first - 1)),
                 ndp::subsequence(pairs.write(), first, count - first - 1), ndp::platform::cuda{});
    const auto host_levels = levels.values();
    const auto host_pairs = pairs.values();
    index_t wrong = 0;
    for (index_t i = 0; i < count - first; ++i) {
      wrong += host_levels[static_cast<std::size_t>(i)] !=
               level{}(pixels[static_cast<std::size_t>(i + first)]);
    }
    for (index_t i = 0; i < count - first - 1; ++i) {
      wrong += host_pairs[static_cast<std::size_t>(i + first)] !=
               pair{}(host_levels[static_cast<std::size_t>(i)],
                      host_levels[static_cast<std::size_t>(i + 1)]);
    }
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("default rule: rows of bytes are mapped by packets whatever their length") {
  const std::vector<index_t> numbers = random_numbers(64000, 3);
  std::vector<std::uint8_t> bytes;
  for (const index_t value : numbers) bytes.push_back(static_cast<std::uint8_t>(value));
  const ndp_test::data<std::uint8_t> in(bytes);
  for (const index_t length : {3, 20, 64, 65, 1000, 32000}) {
    CAPTURE(length);
    const index_t rows = 64000 / length;
    std::vector<float> factors;
    for (index_t i = 0; i < rows; ++i) factors.push_back(static_cast<float>(i % 5));
    const ndp_test::data<float> by(factors);
    ndp_test::data<float> out(std::vector<float>(static_cast<std::size_t>(rows * length), -1));
    const auto groups = ndp::split(ndp::subsequence(in.read(), 0, rows * length), length);
    ndp::execute(ndp::map(scaled_row{}, groups, by.read()), out.write(), ndp::platform::cuda{});
    const std::vector<float> found = out.values();
    index_t wrong = 0;
    for (index_t i = 0; i < rows * length; ++i) {
      wrong += found[static_cast<std::size_t>(i)] !=
               factors[static_cast<std::size_t>(i / length)] *
                   static_cast<float>(bytes[static_cast<std::size_t>(i)]);
    }
    REQUIRE(wrong == 0);
  }
}

namespace {

struct text {
  char letters[32];
};

}  // namespace

TEST_CASE("default rule: elements of 32 bytes are gathered by words") {
  constexpr index_t count = 3000;
  std::vector<text> all(500);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = 0; k < 32; ++k) all[i].letters[k] = static_cast<char>(7 * i + k);
  }
  std::vector<int> at;
  for (const index_t value : random_numbers(count, 9)) {
    at.push_back(static_cast<int>(static_cast<std::uint64_t>(value) % all.size()));
  }
  const ndp_test::data<text> source(all);
  const ndp_test::data<int> indices(at);
  ndp_test::data<text> out(std::vector<text>(count, text{}));
  ndp::execute(ndp::gather(source.read(), indices.read()), out.write(), ndp::platform::cuda{});
  const auto found = out.values();
  index_t wrong = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (std::size_t k = 0; k < 32; ++k) {
      wrong += found[i].letters[k] != all[static_cast<std::size_t>(at[i])].letters[k];
    }
  }
  REQUIRE(wrong == 0);
}
