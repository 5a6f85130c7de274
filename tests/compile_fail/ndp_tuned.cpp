// Generated headers that do not fit the program: each message says what to do.
#include <fettle/ndp.hpp>
#include <fettle/ndp/tuned.hpp>

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;

// As `fettle ndp tune` writes them.
namespace fettle::tuning_policies {
struct sums_openmp {
  static constexpr std::string_view name = "sums.openmp";
};
}  // namespace fettle::tuning_policies
template <>
struct fettle::ndp::tuned_computation<"sums", fettle::ndp::platform::openmp> {
  using tuning_policy = fettle::tuning_policies::sums_openmp;
  using candidates = fettle::ndp::candidate_list<
      fettle::ndp::candidate<fettle::ndp::schedule::flattened<>, fettle::ndp::openmp::policy{}>>;
  template <typename E>
  static constexpr void check() {
    static_assert(fettle::ndp::signature_v<E> == "map>reduce irregular double double",
                  "sums is no longer the computation that was tuned; tune it again: fettle ndp "
                  "tune sums.cpp --platform openmp");
  }
};

struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, typename Row::value_type{});
  }
};
struct row_scan {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::scan(ndp::plus{}, row, 0.0);
  }
};

template <typename T>
using sequence = ndp::sequence<T>;
using ints = sequence<const int>;

#ifndef MISUSE
void twin(sequence<double> x, ints at, sequence<double> y) {
  ndp::execute<"sums">(ndp::map(row_sum{}, ndp::nest(x, at)), y, ndp::platform::openmp{});
}
#endif

// expect: error.*sums is no longer the computation that was tuned; tune it again: fettle ndp tune
#ifdef CASE_another_operator
void f(sequence<double> x, ints at, sequence<double> y) {
  ndp::execute<"sums">(ndp::map(row_scan{}, ndp::nest(x, at)), y, ndp::platform::openmp{});
}
#endif

// expect: error.*sums is no longer the computation that was tuned; tune it again: fettle ndp tune
#ifdef CASE_another_element
void f(sequence<float> x, ints at, sequence<double> y) {
  ndp::execute<"sums">(ndp::map(row_sum{}, ndp::nest(x, at)), y, ndp::platform::openmp{});
}
#endif

// expect: error.*sums is no longer the computation that was tuned; tune it again: fettle ndp tune
#ifdef CASE_another_kind_of_input
void f(sequence<double> x, sequence<double> y) {
  ndp::execute<"sums">(ndp::map(row_sum{}, ndp::split(x, 4)), y, ndp::platform::openmp{});
}
#endif

// expect: error.*sums is no longer the computation that was tuned; tune it again: fettle ndp tune
#ifdef CASE_another_form
void f(sequence<double> x) {
  static_cast<void>(
      ndp::execute<"sums">(ndp::reduce(ndp::plus{}, x, 0.0), ndp::platform::openmp{}));
}
#endif

// expect: error.*total is no longer the computation that was tuned; tune it again: fettle ndp tune
#ifdef CASE_another_element_where_nothing_is_chosen
template <>
struct fettle::ndp::tuned_computation<"total", fettle::ndp::platform::openmp> {
  using tuning_policy = fettle::tuning_policies::sums_openmp;
  using candidates = fettle::ndp::candidate_list<>;
  template <typename E>
  static constexpr void check() {
    static_assert(fettle::ndp::signature_v<E> == "reduce flat double double",
                  "total is no longer the computation that was tuned; tune it again: fettle ndp "
                  "tune total.cpp --platform openmp");
  }
};
void f(sequence<float> x) {
  static_cast<void>(
      ndp::execute<"total">(ndp::reduce(ndp::plus{}, x, 0.0), ndp::platform::openmp{}));
}
#endif

// expect: error.*this policy is another platform's
#ifdef CASE_policy_of_another_platform
template <>
struct fettle::ndp::tuned_computation<"wrong", fettle::ndp::platform::openmp> {
  using tuning_policy = fettle::tuning_policies::sums_openmp;
  using candidates = fettle::ndp::candidate_list<
      fettle::ndp::candidate<fettle::ndp::schedule::flattened<>, fettle::ndp::cuda::policy{}>>;
  template <typename E>
  static constexpr void check() {}
};
void f(sequence<double> x, ints at, sequence<double> y) {
  ndp::execute<"wrong">(ndp::map(row_sum{}, ndp::nest(x, at)), y, ndp::platform::openmp{});
}
#endif

// expect: error.*reduce cannot be independent at this level: use cooperative or sequential
#ifdef CASE_schedule_that_is_not_valid
template <>
struct fettle::ndp::tuned_computation<"wrong", fettle::ndp::platform::openmp> {
  using tuning_policy = fettle::tuning_policies::sums_openmp;
  using candidates = fettle::ndp::candidate_list<fettle::ndp::candidate<
      fettle::ndp::schedule::independent<fettle::ndp::schedule::independent<>>,
      fettle::ndp::openmp::policy{}>>;
  template <typename E>
  static constexpr void check() {}
};
void f(sequence<double> x, ints at, sequence<double> y) {
  ndp::execute<"wrong">(ndp::map(row_sum{}, ndp::nest(x, at)), y, ndp::platform::openmp{});
}
#endif

// expect: error.*this policy breaks one of the platform's limits with this schedule
#ifdef CASE_policy_beyond_the_limits
template <>
struct fettle::ndp::tuned_computation<"wrong", fettle::ndp::platform::openmp> {
  using tuning_policy = fettle::tuning_policies::sums_openmp;
  using candidates = fettle::ndp::candidate_list<fettle::ndp::candidate<
      fettle::ndp::schedule::flattened<>, fettle::ndp::openmp::policy{.num_threads = -3}>>;
  template <typename E>
  static constexpr void check() {}
};
void f(sequence<double> x, ints at, sequence<double> y) {
  ndp::execute<"wrong">(ndp::map(row_sum{}, ndp::nest(x, at)), y, ndp::platform::openmp{});
}
#endif

// expect within 18 lines: candidate
#ifdef CASE_candidate_without_a_policy
using broken = ndp::candidate<schedule::flattened<>, 3>;
#endif
