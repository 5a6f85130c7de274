// Which variants work alone on a GPU, and how much they are given.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/tuned/alone.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::detail::is_little_work;
using ndp::detail::most_work_alone;

static_assert(ndp::detail::works_alone("sequential"));
static_assert(ndp::detail::works_alone("sequential>cooperative 2.resource=block"));
static_assert(!ndp::detail::works_alone("independent>sequential"));
static_assert(!ndp::detail::works_alone("default"));
static_assert(!ndp::detail::works_alone("flattened"));

TEST_CASE("a flat input is little work up to a number of elements") {
  const auto sum_of = [](ndp::index_t count) {
    return ndp::reduce(ndp::plus{}, ndp::range<double>(0, count), 0.0);
  };
  CHECK(is_little_work(sum_of(0)));
  CHECK(is_little_work(sum_of(most_work_alone / 2)));
  CHECK_FALSE(is_little_work(sum_of(most_work_alone + 1)));
}

TEST_CASE("empty rows are work too") {
  const std::vector<double> values(10, 1.0);
  const auto rows_of = [&](const std::vector<std::int32_t>& offsets) {
    return ndp::map([](auto row) { return ndp::reduce(ndp::plus{}, row, 0.0); },
                    ndp::nest(ndp::make_sequence(values), ndp::make_sequence(offsets)));
  };
  const std::vector<std::int32_t> few(11, 10);
  const std::vector<std::int32_t> many(static_cast<std::size_t>(most_work_alone) + 1, 10);
  CHECK(is_little_work(rows_of(few)));
  CHECK_FALSE(is_little_work(rows_of(many)));
}
