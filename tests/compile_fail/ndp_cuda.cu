// Misuse of platform::cuda that only nvcc can tell.
#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;

using doubles = ndp::sequence<double>;
[[maybe_unused]] constexpr auto by_rows = schedule::independent<schedule::sequential<>>{};

struct twice {
  FETTLE_HOST_DEVICE double operator()(double x) const { return 2 * x; }
};

#ifndef MISUSE
void twin(doubles x) {
  ndp::execute(ndp::map(twice{}, x), x, ndp::platform::cuda{}, schedule::independent<>{});
  ndp::program p;
  const auto a = p.add<"a">(ndp::map(twice{}, x));
  ndp::execute(ndp::map(twice{}, p.result(a)), x);
}
#endif

// expect somewhere: __host__ function\(".*doubled::.*mark_the_function_FETTLE_HOST_DEVICE
#ifdef CASE_host_function
namespace host_function {
struct doubled {
  double operator()(double x) const { return 2 * x; }
};
void f(doubles x) {
  ndp::execute(ndp::map(doubled{}, x), x, ndp::platform::cuda{}, schedule::independent<>{});
}
}
#endif

// expect somewhere: __host__ function\(".*added::.*mark_the_function_FETTLE_HOST_DEVICE
#ifdef CASE_host_function_in_a_row
namespace host_function_in_a_row {
struct added {
  double operator()(double a, double b) const { return a + b; }
};
struct row_sum {
  FETTLE_HOST_DEVICE auto operator()(doubles row) const { return ndp::reduce(added{}, row, 0.0); }
};
void f(doubles x) {
  ndp::execute(ndp::map(row_sum{}, ndp::split(x, 3)), x, ndp::platform::cuda{}, by_rows);
}
}
#endif

// expect somewhere: __host__ function\(".*fused::.*mark_the_function_FETTLE_HOST_DEVICE
#ifdef CASE_host_function_that_is_fused
namespace host_function_that_is_fused {
struct fused {
  double operator()(double x) const { return 2 * x; }
};
void f(doubles x) {
  ndp::execute(ndp::scan(ndp::plus{}, ndp::reverse(ndp::map(fused{}, x)), 0.0), x,
               ndp::platform::cuda{}, schedule::sequential<>{});
}
}
#endif

// expect somewhere alone: execute: a flattened tile of values of this size needs more shared memory
#ifdef CASE_flattened_scan_of_wide_values
namespace flattened_scan_of_wide_values {
struct wide {
  double entries[32];
};
struct first_of {
  FETTLE_HOST_DEVICE wide operator()(const wide& a, const wide& /*b*/) const { return a; }
};
struct scan_row {
  FETTLE_HOST_DEVICE auto operator()(ndp::sequence<wide> row) const {
    return ndp::scan(first_of{}, row, wide{});
  }
};
void f(ndp::sequence<wide> x) {
  ndp::execute(ndp::map(scan_row{}, ndp::split(x, 3)), x, ndp::platform::cuda{},
               schedule::flattened<>{});
}
}
#endif

// expect somewhere alone: execute: platform::cuda takes its policy as a constant
#ifdef CASE_policy_at_run_time
namespace policy_at_run_time {
void f(doubles x, ndp::cuda::policy policy) {
  ndp::execute(ndp::map(twice{}, x), x, ndp::platform::cuda{}, schedule::independent<>{}, policy);
}
}
#endif

// expect: error.*execute: kernels cannot read a result of a program outside of it: .*p.result\(r\)
#ifdef CASE_result_outside_its_program
void f(doubles x) {
  ndp::program p;
  const auto a = p.add<"a">(ndp::map(twice{}, x));
  ndp::execute(ndp::map(twice{}, ndp::gather(a, ndp::replicate(0, 3))), x);
}
#endif

// expect: error.*execute: platform::cuda cannot call a plain lambda; write .*--extended-lambda
#ifdef CASE_plain_lambda
void f(doubles x) {
  ndp::execute(ndp::map([](double a) { return 2 * a; }, x), x, ndp::platform::cuda{},
               schedule::independent<>{});
}
#endif
