// joined_parts: parts in their order, each element in one, whether a team goes on or not.
#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/dispatch/joined_parts.hpp>
#include <fettle/ndp/openmp.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using fettle::ndp::index_t;
using team = fettle::ndp::openmp::detail::team;

namespace {

struct interval {
  index_t begin;
  index_t end;
  bool adjoins;
};

struct joined {
  interval operator()(const interval& a, const interval& b) const {
    return {a.begin, b.end, a.adjoins && b.adjoins && a.end == b.begin};
  }
};

bool covers(index_t count, std::chrono::microseconds each_part) {
  const interval all =
      ndp::host::detail::joined_parts<team>(count, joined{}, [&](index_t begin, index_t end) {
        if (each_part.count() > 0) std::this_thread::sleep_for(each_part);
        return interval{begin, end, begin <= end};
      });
  return all.adjoins && all.begin == 0 && all.end == count;
}

}  // namespace

TEST_CASE("parts are joined in their order") {
  for (const index_t count : {0, 1, 2, 1023, 1024, 1025, 2047, 2048, 100'001}) {
    CAPTURE(count);
    CHECK(covers(count, std::chrono::microseconds(0)));
    CHECK(covers(count, std::chrono::microseconds(200)));  // what remains is a team's
  }
}

TEST_CASE("what a part throws leaves joined_parts") {
  const auto throws = [](index_t begin, index_t) -> int {
    if (begin > 0) throw std::runtime_error("unreadable");
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    return 0;
  };
  const auto add = [](int a, int b) { return a + b; };
  CHECK_THROWS_AS(ndp::host::detail::joined_parts<team>(100'000, add, throws), std::runtime_error);
}
