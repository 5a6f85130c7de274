// Rows of which few have elements: which those are, and what becomes of them and of the others.
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/host/rows/in_thread.hpp>
#include <fettle/ndp/host/rows/mostly_empty_rows.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using ndp_test::last_of;
using ndp_test::made_up;

namespace {

using pair = std::pair<index_t, index_t>;

// Where rows begin, of which every `one_in`-th or so has up to `longest` elements; from row `full`
// on, all.
[[nodiscard]] std::vector<index_t> begins(std::size_t count, unsigned one_in, unsigned longest,
                                          std::size_t full) {
  std::mt19937 random(static_cast<unsigned>(count) + longest);
  std::vector<index_t> out(1, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const bool filled = k >= full || random() % one_in == 0;
    out.push_back(out.back() + (filled ? 1 + static_cast<index_t>(random() % longest) : 0));
  }
  return out;
}

// Each row's result begins with what stood in its place, doubled.
template <typename Op>
struct onto_its_place {
  template <typename Row>
  auto operator()(const Row& row, double before) const {
    return reduce(Op{}, row, 2 * before);
  }
};

// By themselves, and however rows are done by default.
template <typename Op>
void check(std::size_t count, unsigned one_in, unsigned longest, std::size_t full) {
  INFO(count << " rows, one in " << one_in << " of up to " << longest << ", from " << full
             << " on all");
  const auto offsets = begins(count, one_in, longest, full);
  const auto values = made_up<double>(offsets.back());
  const auto nested = nest(make_sequence(values), make_sequence(offsets));
  std::vector<double> out(count);
  for (std::size_t k = 0; k < count; ++k) out[k] = static_cast<double>(k % 7);
  std::vector<double> expected = out;
  for (std::size_t k = 0; k < count; ++k) {
    expected[k] = reduce(Op{}, nested[static_cast<index_t>(k)], 2 * expected[k]).evaluate();
  }
  std::vector<double> by_default = out;
  const auto rows = static_cast<index_t>(count);

  const auto e = map(onto_its_place<Op>{}, nested, make_sequence(out));
  const auto otherwise = [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) out[static_cast<std::size_t>(i)] = e[i].evaluate();
  };
  host::detail::reduce_mostly_empty_rows(e, make_sequence(out), 0, rows, otherwise);
  CHECK(out == expected);

  using lanes = schedule::independent<schedule::cooperative<>>;
  const auto again = map(onto_its_place<Op>{}, nested, make_sequence(by_default));
  host::detail::elements_in_thread<lanes>(again, make_sequence(by_default), 0, rows, {});
  CHECK(by_default == expected);
}

}  // namespace

TEST_CASE("rows of which few have elements, onto what stood in their places") {
  for (const std::size_t count : {0U, 1U, 2U, 7U, 8U, 9U, 127U, 128U, 129U, 1000U}) {
    for (const unsigned one_in : {1U, 2U, 5U, 10U, 100U}) {
      for (const unsigned longest : {1U, 8U, 30U}) {
        for (const std::size_t full : {count, std::size_t{400}}) {
          check<plus>(count, one_in, longest, full);
          check<last_of>(count, one_in, longest, full);
        }
      }
    }
  }
}

TEST_CASE("blocks that are not mostly empty are left to others") {
  std::vector<index_t> offsets(1, 0);
  for (index_t k = 0; k < 384; ++k) offsets.push_back(offsets.back() + (k / 128 == 1 ? 1 : 0));
  const std::vector<double> values(128, 1.0);
  const auto nested = nest(make_sequence(values), make_sequence(offsets));
  std::vector<double> out(384, 7.0);
  const auto e = map([](const auto& row) { return reduce(plus{}, row, 0.0); }, nested);
  std::vector<pair> left;
  host::detail::reduce_mostly_empty_rows(
      e, make_sequence(out), 0, 384,
      [&](index_t begin, index_t end) { left.emplace_back(begin, end); });
  CHECK(left == std::vector<pair>{{128, 256}});
  CHECK(out[0] == 0.0);
  CHECK(out[128] == 7.0);
  CHECK(out[383] == 0.0);
}

TEST_CASE("rows are mostly empty where at most every fourth of the first ones has elements") {
  std::vector<index_t> offsets{0, 0, 3, 3, 3};
  const std::vector<double> values(200, 1.0);
  const auto rows_of = [&](index_t begin, index_t end) {
    const auto nested = nest(make_sequence(values), make_sequence(std::as_const(offsets)));
    return host::detail::begins_mostly_empty(
        map([](const auto& row) { return reduce(plus{}, row, 0.0); }, nested), begin, end);
  };
  CHECK(rows_of(0, 4));
  CHECK_FALSE(rows_of(1, 4));
  CHECK(rows_of(2, 4));
  offsets.assign(129, 0);
  offsets.resize(200, 100);
  CHECK(rows_of(0, 199));
  CHECK_FALSE(rows_of(128, 129));
}
