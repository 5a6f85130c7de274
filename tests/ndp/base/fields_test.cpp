#include <cstdint>
#include <string>

#include <fettle/ndp/base/fields.hpp>

#include "support/catch.hpp"

namespace {

using fettle::ndp::tuple;
using fettle::ndp::detail::copy_fields;
using fettle::ndp::detail::field_count_v;
using fettle::ndp::detail::of_numbers;

struct candidate {
  double distance;
  std::int16_t index;
  bool is_near;
};
struct six {
  float a, b, c, d, e, f;
};
struct seven {
  float a, b, c, d, e, f, g;
};
struct with_array {
  float x[3];
  int n;
};
struct with_array_of_one {
  int n;
  float x[1];
};
struct with_pointer {
  float x;
  const float* p;
};
struct with_class {
  float x;
  candidate inner;
};
struct with_text {
  float x;
  std::string text;
};
struct with_base : candidate {
  int n;
};
struct with_constructor {
  explicit with_constructor(float first) : x(first) {}
  float x;
};
struct nothing {};

static_assert(field_count_v<candidate> == 3 && field_count_v<six> == 6);
static_assert(field_count_v<seven> == 0 && field_count_v<with_array> == 0);
static_assert(field_count_v<with_array_of_one> == 0 && field_count_v<with_pointer> == 0);
static_assert(field_count_v<with_class> == 0 && field_count_v<with_text> == 0);
static_assert(field_count_v<with_base> == 0 && field_count_v<with_constructor> == 0);
static_assert(field_count_v<nothing> == 0 && field_count_v<double> == 0);
static_assert(of_numbers<double> && of_numbers<candidate> && of_numbers<tuple<float, int>>);
static_assert(!of_numbers<nothing> && !of_numbers<std::string> && !of_numbers<tuple<candidate>>);

}  // namespace

TEST_CASE("values are copied number by number") {
  candidate a{};
  copy_fields(a, {1.5, -3, true});
  CHECK((a.distance == 1.5 && a.index == -3 && a.is_near));
  six b{};
  copy_fields(b, {1, 2, 3, 4, 5, 6});
  CHECK((b.a == 1 && b.b == 2 && b.c == 3 && b.d == 4 && b.e == 5 && b.f == 6));
  tuple<float, int> c{};
  copy_fields(c, fettle::ndp::make_tuple(2.5f, 7));
  CHECK(c == fettle::ndp::make_tuple(2.5f, 7));
  int d = 0;
  copy_fields(d, 9);
  CHECK(d == 9);
}
