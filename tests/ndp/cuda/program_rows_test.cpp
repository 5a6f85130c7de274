// What the host knows of the rows that a row program is given.
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda/rows/program_rows.hpp>

#include "support/catch.hpp"

using namespace fettle::ndp;

namespace {

struct mean_of {
  template <typename Row>
  auto operator()(const Row& row) const {
    const double sum = reduce(plus{}, row, 0.0);
    return sum / static_cast<double>(row.size());
  }
};

}  // namespace

TEST_CASE("rows of a program are as long as the longest where they are alike, else as the mean") {
  const std::vector<double> values(1200);
  const std::vector<index_t> offsets{0, 100, 400, 1200};
  const auto s = make_sequence(values);
  const auto o = make_sequence(offsets);
  const auto size_with = [&](index_t longest) {
    row_statistics known;
    known.longest = longest;
    return cuda::detail::usual_row_size(map(mean_of{}, nest(s, o, known)));
  };
  CHECK(cuda::detail::usual_row_size(map(mean_of{}, nest(s, o))) == 400);
  CHECK(size_with(800) == 800);
  CHECK(size_with(1600) == 1600);
  CHECK(size_with(1601) == 400);
  CHECK(size_with(100) == 400);
}

TEST_CASE("a program may have long rows unless something known says that it has not") {
  const std::vector<double> values(1200);
  const std::vector<index_t> offsets{0, 100, 400, 1200};
  const auto rows = nest(make_sequence(values), make_sequence(offsets));
  const auto known = inspect_rows(rows, platform::openmp{});
  const auto inspected = nest(make_sequence(values), make_sequence(offsets), known);
  CHECK(cuda::detail::may_have_long_rows(map(mean_of{}, rows), 900, 1000));
  CHECK_FALSE(cuda::detail::may_have_long_rows(map(mean_of{}, rows), 900, 1200));
  CHECK_FALSE(cuda::detail::may_have_long_rows(map(mean_of{}, inspected), 900, 1000));
  CHECK(cuda::detail::may_have_long_rows(map(mean_of{}, inspected), 700, 1000));
}

TEST_CASE("windows that begin beside each other are told from other rows") {
  const std::vector<double> values(20);
  const auto s = make_sequence(values);
  const auto program_of = [](const auto& rows) { return map(mean_of{}, rows); };
  CHECK(cuda::detail::has_sliding_rows_v<decltype(program_of(windows(s, 5)))>);
  CHECK(cuda::detail::has_sliding_rows_v<decltype(program_of(windows(s, constant<5>{})))>);
  CHECK_FALSE(cuda::detail::has_sliding_rows_v<decltype(program_of(windows(s, 5, 2)))>);
  CHECK_FALSE(cuda::detail::has_sliding_rows_v<decltype(program_of(split(s, 5)))>);
}
