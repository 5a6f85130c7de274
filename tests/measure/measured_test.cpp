#include <cmath>
#include <string>
#include <type_traits>

#include <fettle/measure/measured.hpp>
#include <fettle/measure/metric_names.hpp>

#include "support/catch.hpp"

namespace {

static_assert(std::is_same_v<decltype(fettle::measured{1.0, 2.0f, 3}), fettle::measured<3>>);
static_assert(std::is_trivially_copyable_v<fettle::measured<2>>);
static_assert(!std::is_constructible_v<fettle::measured<2>, double>);
static_assert(!std::is_constructible_v<fettle::measured<1>, std::string>);
static_assert(fettle::detail::several_metrics<fettle::measured<1>>);
static_assert(!fettle::detail::several_metrics<double>);

constexpr std::string_view declared = " seconds=s  joules=J error ";
static_assert(fettle::detail::declared_metrics(declared) == 3);
static_assert(fettle::detail::declared_metrics("") == 0);
static_assert(fettle::detail::declared_metrics("  ") == 0);

}  // namespace

TEST_CASE("metrics keep their order, and what is not known is not a number") {
  constexpr fettle::measured both{2.0, 1};
  CHECK(both.values[0] == 2.0);
  CHECK(both.values[1] == 1.0);
  for (const double value : fettle::measured<2>().values) CHECK(std::isnan(value));
}

TEST_CASE("a declaration has a name and a unit for each metric") {
  using namespace fettle::detail;
  CHECK(declared_metric(declared, 1) == "joules=J");
  CHECK(name_of_metric(declared_metric(declared, 1)) == "joules");
  CHECK(unit_of_metric(declared_metric(declared, 1)) == "J");
  CHECK(name_of_metric(declared_metric(declared, 2)) == "error");
  CHECK(unit_of_metric(declared_metric(declared, 2)).empty());
  CHECK(declared_metric(declared, 3).empty());
}
