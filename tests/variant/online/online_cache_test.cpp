// The file of the points that a running program has found: what a full disk cuts off costs the
// lines it cut, nothing else.
#include <string>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/variant/online/online_cache.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"

using fettle::detail::cached_point;
using fettle::detail::online_cache;

namespace {

std::vector<double> costs(const online_cache& cache) {
  std::vector<double> found;
  for (const cached_point& point : cache.read()) found.push_back(point.cost);
  return found;
}

}  // namespace

TEST_CASE("points are kept in the order in which they were appended") {
  const test::scratch folder;
  const online_cache cache(folder / "points", "f", "a machine");
  CHECK(costs(cache).empty());
  CHECK(cache.append({"tiled", 7, "tile=8", 0.25}));
  CHECK(cache.append({"tiled", 9, "tile=16 unroll=2", 0.125}));
  CHECK(costs(cache) == std::vector{0.25, 0.125});
  CHECK(cache.read()[1].values == "tile=16 unroll=2");
}

TEST_CASE("a file that another function has begun since is not appended to") {
  const test::scratch folder;
  const online_cache one(folder / "points", "one", "a machine");
  const online_cache two(folder / "points", "two", "a machine");
  CHECK(costs(one).empty());
  CHECK(costs(two).empty());
  CHECK(one.append({"tiled", 7, "tile=8", 0.25}));
  CHECK_THROWS_AS(two.append({"tiled", 7, "tile=16", 0.125}), fettle::error);
  CHECK(costs(one) == std::vector{0.25});
}

TEST_CASE("a line that was cut is no point, and the next one begins anew") {
  const test::scratch folder;
  const online_cache cache(folder / "points", "f", "a machine");
  CHECK(cache.append({"tiled", 7, "tile=8", 0.25}));
  CHECK(cache.append({"tiled", 9, "tile=16", 0.125}));
  const std::string whole = test::read_text(folder / "points");
  test::write_text(folder / "points", whole.substr(0, whole.size() - 3));  // 0.1 would be a number
  CHECK(costs(cache) == std::vector{0.25});
  CHECK(cache.append({"tiled", 11, "tile=32", 0.5}));
  CHECK(costs(cache) == std::vector{0.25, 0.5});
}
