// Kinds of lambdas with nvcc --extended-lambda: what it takes, and what it says of those that
// kernels or expressions cannot have.
#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;

using doubles = ndp::sequence<double>;
constexpr auto by_elements = schedule::independent<>{};

#ifndef MISUSE
void twin(doubles x) {
  const double factor = 2;
  ndp::execute(ndp::map([factor] __host__ __device__(double a) { return factor * a; }, x), x,
               ndp::platform::cuda{}, by_elements);
}
#endif

// expect somewhere: extended lambdas cannot be generic lambdas
#ifdef CASE_generic_lambda
namespace generic_lambda {
void f(doubles x) {
  ndp::execute(ndp::map([] __host__ __device__(auto a) { return 2 * a; }, x), x,
               ndp::platform::cuda{}, by_elements);
}
}
#endif

// expect somewhere alone: error.*map: the function cannot be called .* a __host__ __device__ lambda
#ifdef CASE_device_lambda
namespace device_lambda {
void f(doubles x) {
  ndp::execute(ndp::map([] __device__(double a) { return 2 * a; }, x), x, ndp::platform::cuda{},
               by_elements);
}
}
#endif

// expect: error.*execute: platform::cuda cannot call a plain lambda; write .*--extended-lambda
#ifdef CASE_plain_lambda
void f(doubles x) {
  ndp::execute(ndp::map([](double a) { return 2 * a; }, x), x, ndp::platform::cuda{}, by_elements);
}
#endif

// expect somewhere: A type local to a function .* cannot be used in the return .* of an extended
#ifdef CASE_lambda_inside_a_lambda
namespace lambda_inside_a_lambda {
void f(doubles x) {
  auto row_sum = [] __host__ __device__(ndp::sequence<double> row) {
    auto plus = [](double a, double b) { return a + b; };
    return ndp::reduce(plus, row, 0.0);
  };
  ndp::execute(ndp::map(row_sum, ndp::split(x, 3)), x, ndp::platform::cuda{},
               schedule::independent<schedule::sequential<>>{});
}
}
#endif

// expect somewhere: parent function .* for an extended .* lambda
#ifdef CASE_lambda_of_a_private_member
namespace lambda_of_a_private_member {
class owner {
  void f(doubles x) {
    ndp::execute(ndp::map([] __host__ __device__(double a) { return 2 * a; }, x), x,
                 ndp::platform::cuda{}, by_elements);
  }
};
}
#endif
