// On which inputs a candidate may run: a team of threads not on few elements, one thread or block
// of a GPU on few alone.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/tuned/candidate.hpp>
#include <fettle/ndp/tuned/condition.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
using ndp::index_t;
using ndp::cuda::detail::most_work_alone;
using ndp::detail::condition_of;

namespace {

template <typename E>
bool is_little_work(const E& e) {
  return ndp::platform_traits<ndp::platform::cuda>::admits(e);
}

struct square {
  double operator()(double x) const { return x * x; }
};
struct sum_of_squares {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, ndp::map(square{}, row), 0.0);
  }
};

template <typename Schedule, ndp::openmp::policy Policy = {}>
using on_openmp = ndp::candidate<Schedule, Policy>;
template <typename Schedule>
using on_cuda = ndp::candidate<Schedule, ndp::cuda::policy{}>;

using by_rows = schedule::independent<schedule::sequential<>>;
constexpr ndp::openmp::policy one_thread{.num_threads = 1};
constexpr ndp::openmp::level in_thread{.resource = ndp::openmp::execution_resource::thread};

std::vector<double> some(index_t count) {
  return std::vector<double>(static_cast<std::size_t>(count), 1.0);
}

// Whether a team may do `e`.
template <typename Candidate, typename E>
bool takes(const E& e) {
  const auto condition = condition_of<E, ndp::platform::openmp, Candidate>();
  REQUIRE(condition != nullptr);
  return condition(&e);
}

using sum = decltype(ndp::reduce(ndp::plus{}, ndp::range<double>(0, 1), 0.0));

// Asked at run time: under the sanitizers the address of a function is compared there only.
template <typename Candidate, typename Platform = ndp::platform::openmp>
bool is_unconditional() {
  return condition_of<sum, Platform, Candidate>() == nullptr;
}

}  // namespace

TEST_CASE("only candidates of one thread run whatever the input") {
  CHECK((is_unconditional<on_openmp<schedule::sequential<>>>()));
  CHECK((is_unconditional<on_openmp<schedule::sequential<schedule::sequential<>>>>()));
  CHECK((is_unconditional<on_openmp<by_rows, one_thread>>()));
  CHECK((is_unconditional<on_openmp<schedule::flattened<>, one_thread>>()));
  CHECK((is_unconditional<on_openmp<by_rows, {.level = {in_thread}}>>()));
  CHECK_FALSE((is_unconditional<on_openmp<by_rows>>()));
  CHECK_FALSE((is_unconditional<on_openmp<by_rows, {.num_threads = 2}>>()));
  CHECK_FALSE((is_unconditional<on_openmp<schedule::cooperative<>>>()));
  CHECK_FALSE((is_unconditional<on_openmp<schedule::flattened<>>>()));
  CHECK_FALSE((is_unconditional<on_openmp<schedule::sequential<schedule::cooperative<>>>>()));
  CHECK_FALSE(
      (is_unconditional<
          on_openmp<schedule::independent<schedule::cooperative<>>, {.level = {in_thread}}>>()));
  CHECK_FALSE((is_unconditional<on_cuda<schedule::sequential<>>, ndp::platform::cuda>()));
  CHECK_FALSE((is_unconditional<on_cuda<schedule::sequential<schedule::cooperative<>>>,
                                ndp::platform::cuda>()));
  CHECK((is_unconditional<on_cuda<by_rows>, ndp::platform::cuda>()));
  CHECK((is_unconditional<on_cuda<schedule::flattened<>>, ndp::platform::cuda>()));
}

TEST_CASE("OpenMP: a team is for inputs that the default rule gives one at once") {
  const auto rows = [](const std::vector<double>& values) {
    return ndp::map(sum_of_squares{}, ndp::split(ndp::make_sequence(values), 10));
  };
  const auto x = some(1500);  // 150 rows of 10
  CHECK_FALSE(takes<on_openmp<by_rows>>(rows(x)));
  CHECK_FALSE(takes<on_openmp<schedule::flattened<>>>(rows(x)));
  CHECK_FALSE(takes<on_openmp<by_rows>>(rows(some(ndp::host::detail::few_in_rows - 1))));
  CHECK(takes<on_openmp<by_rows>>(rows(some(ndp::host::detail::few_in_rows))));
  using by_elements = on_openmp<schedule::independent<>>;
  const auto mapped = [](index_t count) {
    return ndp::map(square{}, ndp::range<double>(0, count));
  };
  CHECK_FALSE(takes<by_elements>(mapped(ndp::host::detail::few_elements - 1)));
  CHECK(takes<by_elements>(mapped(ndp::host::detail::few_elements)));
  using shared = on_openmp<schedule::cooperative<>>;
  const auto scanned = [](index_t count) {
    return ndp::scan(ndp::plus{}, ndp::range<double>(0, count), 0.0);
  };
  CHECK_FALSE(takes<shared>(scanned(ndp::host::detail::few_elements - 1)));
  CHECK(takes<shared>(scanned(ndp::host::detail::few_elements)));
  const auto summed = [](index_t count) {
    return ndp::reduce(ndp::plus{}, ndp::range<double>(0, count), 0.0);
  };
  CHECK_FALSE(takes<shared>(summed(ndp::host::detail::few_by_lanes - 1)));
  CHECK(takes<shared>(summed(ndp::host::detail::few_by_lanes)));
}

TEST_CASE("CUDA: a flat input is little work up to a number of elements") {
  const auto sum_of = [](ndp::index_t count) {
    return ndp::reduce(ndp::plus{}, ndp::range<double>(0, count), 0.0);
  };
  CHECK(is_little_work(sum_of(0)));
  CHECK(is_little_work(sum_of(most_work_alone / 2)));
  CHECK_FALSE(is_little_work(sum_of(most_work_alone + 1)));
}

TEST_CASE("CUDA: empty rows are work too") {
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
