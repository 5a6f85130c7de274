#include <string>
#include <type_traits>
#include <utility>

#include <fettle/ndp.hpp>
#include <fettle/ndp/introspect.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::nesting;

namespace {

using doubles = ndp::sequence<const double>;
using ints = ndp::sequence<const int>;

struct row_dot {
  doubles x;
  auto operator()(const doubles& row, const ints& at) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, at)), 0.0);
  }
};
struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0F);
  }
};
struct nothing {
  void operator()(double) const {}
};

const doubles x;
const ints at;
const auto spmv = ndp::map(row_dot{}, ndp::nest(x, at), ndp::nest(at, at));

// How the first input nests.
template <typename S>
constexpr nesting first = ndp::input_kind_v<decltype(ndp::map(row_sum{}, std::declval<S>()))>;
using tiles = decltype(ndp::split(x, 4));
using rows = decltype(ndp::nest(x, at));
static_assert(ndp::input_kind_v<decltype(ndp::map(ndp::negate{}, x))> == nesting::flat);
static_assert(ndp::input_kind_v<decltype(ndp::range(0, 5))> == nesting::flat);
static_assert(first<tiles> == nesting::uniform);
static_assert(first<decltype(ndp::cyclic(x, 4))> == nesting::uniform);
static_assert(first<decltype(ndp::transpose(std::declval<rows>(), 4))> == nesting::uniform);
static_assert(first<decltype(ndp::replicate(x, 4))> == nesting::uniform);
static_assert(first<rows> == nesting::irregular);
static_assert(first<decltype(ndp::gather(std::declval<tiles>(), at))> == nesting::uniform);
static_assert(first<decltype(ndp::reverse(std::declval<rows>()))> == nesting::irregular);
static_assert(first<decltype(ndp::subsequence(std::declval<tiles>(), 0, 1))> == nesting::uniform);
static_assert(first<ndp::sequence<const doubles>> == nesting::irregular);

// Which schedules can run it: flattened needs contiguous rows.
template <typename S>
using of_sums =
    ndp::schedules_of_t<decltype(ndp::map(row_sum{}, std::declval<S>())), ndp::platform::openmp>;
static_assert(fettle::contains_v<of_sums<rows>, ndp::schedule::flattened<>>);
static_assert(!fettle::contains_v<of_sums<decltype(ndp::reverse(std::declval<rows>()))>,
                                  ndp::schedule::flattened<>>);
static_assert(of_sums<decltype(ndp::reverse(std::declval<rows>()))>::size > 3);
static_assert(std::is_same_v<
              ndp::schedules_of_t<decltype(spmv), ndp::platform::openmp>,
              ndp::schedule::valid_t<ndp::expression_of_t<decltype(spmv)>, ndp::platform::openmp>>);

// What is read.
static_assert(std::is_same_v<ndp::inputs_of_t<decltype(ndp::reduce_by_key(ndp::plus{}, x, at, 0))>,
                             fettle::type_list<doubles, ints>>);
static_assert(std::is_same_v<ndp::inputs_of_t<decltype(ndp::gather(x, at))>,
                             fettle::type_list<doubles, ints>>);
static_assert(std::is_same_v<ndp::inputs_of_t<decltype(ndp::zip(x, at, x))>,
                             fettle::type_list<doubles, ints, doubles>>);
static_assert(ndp::element_name<ndp::sequence<const std::uint8_t>>() == "uint8");
static_assert(ndp::element_name<ndp::sequence<long long>>() == "int64");
static_assert(ndp::element_name<ndp::sequence<bool>>() == "bool");
static_assert(ndp::element_name<ndp::sequence<ndp_test::particle>>() == "user");
static_assert(ndp::element_name<rows>() == "double");
static_assert(ndp::element_name<decltype(spmv)>() == "double");
static_assert(ndp::element_name<decltype(ndp::map(nothing{}, x))>() == "none");

[[nodiscard]] bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("describe says all that a tuner needs of a computation") {
  const std::string text = ndp::describe(spmv, ndp::platform::openmp{});
  CHECK(text.starts_with(R"({"expression":"map>reduce","input":"irregular",)"
                         R"("elements":["double","int32"],"result":"double",)"
                         R"("platform":"openmp","schedules":[{"schedule":)"
                         R"("independent>cooperative","parameters":["num_threads",)"));
  CHECK(contains(text, R"({"schedule":"flattened","parameters":[)"));
  CHECK(contains(text, R"({"schedule":"sequential>sequential","parameters":[)"));
  CHECK(text.ends_with(R"(],"pruned":[],"knobs":["sample","perforate","accumulation"]})"));
  CHECK(text == ndp::describe(spmv));
}

TEST_CASE("describe asks about CUDA where there is none, and says why schedules are pruned") {
  struct matrix_sums {
    auto operator()(const ndp::window<rows>& matrix) const { return ndp::map(row_sum{}, matrix); }
  };
  const auto deep = ndp::map(matrix_sums{}, ndp::split(ndp::nest(x, at), 3));
  const std::string text = ndp::describe<ndp::platform::cuda>(deep);
  CHECK(contains(text, R"("expression":"map>map>reduce","input":"uniform")"));
  CHECK(contains(text, R"("result":"double","platform":"cuda")"));
  CHECK(contains(text, R"({"schedule":"independent>independent>cooperative","reason":)"
                       R"("a GPU has two parallel levels: every level below level 2 must be )"
                       R"(sequential"})"));
  CHECK(contains(text, R"({"schedule":"independent>independent>sequential","parameters":)"
                       R"(["block_size_x",)"));
}

TEST_CASE("describe prunes flattened where the rows' places are not known") {
  const auto sums = ndp::map(row_sum{}, ndp::cyclic(x, 4));
  CHECK(contains(ndp::describe(sums),
                 R"j("pruned":[{"schedule":"flattened","reason":"flattened needs an argument )j"
                 R"j(with contiguous rows (nest or split)"}])j"));
}

TEST_CASE("describe prunes flattened on CUDA where a value is too wide for any block") {
  struct wide {
    double entries[200];
  };
  struct first_of {
    wide operator()(const wide& a, const wide&) const { return a; }
  };
  struct first_of_row {
    auto operator()(const ndp::sequence<wide>& row) const {
      return ndp::reduce(first_of{}, row, wide{});
    }
  };
  const auto firsts = ndp::map(first_of_row{}, ndp::split(ndp::sequence<wide>{}, 3));
  CHECK(contains(ndp::describe<ndp::platform::cuda>(firsts),
                 R"("pruned":[{"schedule":"flattened","reason":"flattened needs more shared )"
                 R"(memory for values of this size than a block has"}])"));
  CHECK(contains(ndp::describe<ndp::platform::openmp>(firsts), R"("pruned":[]})"));
}
