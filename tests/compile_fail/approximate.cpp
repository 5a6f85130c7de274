// Misuse of approximate variants.
#include <cmath>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

using fettle::approximate;
using fettle::policy;
using row = std::span<const double>;

double largest(row exact, row out) { return std::fabs(exact[0] - out[0]); }
double relative(double exact, double out) { return std::fabs(exact - out); }

#ifndef MISUSE
void twin(fettle::context& cx) {
  fettle::code_variant<policy<"f">, void(row, std::span<double>)> f(cx);
  f.add_variant("exact", [](row, std::span<double>) {});
  f.add_variant("rough", [](row, std::span<double>) {}, approximate, fettle::version{"2"});
  f.set_quality(largest, 0.1);
  fettle::code_variant<policy<"g">, double(int)> g(cx);
  g.set_quality(relative, 0.1);
  fettle::code_variant<policy<"h">, std::tuple<const int*, double*>> h(cx);
  h.set_quality(relative, 0.1, [](const int*, const double* y) { return *y; });
  fettle::code_variant<policy<"k">, double(const std::vector<double>&, std::vector<double>&)> k(cx);
  k.set_quality(largest, 0.1);
}
#endif

// expect: An approximate variant has no tunable parameters: register one variant for each value
#ifdef CASE_parameters
void parameters(fettle::context& cx) {
  fettle::code_variant<policy<"f">, double(int)> f(cx);
  f.add_variant(
      "rough", [](int, int skip) { return 1.0 * skip; }, approximate,
      fettle::parameter("skip", {2, 4}));
}
#endif

// expect: set_quality does not know where the output is
#ifdef CASE_no_output
void no_output(fettle::context& cx) {
  fettle::code_variant<policy<"f">, std::tuple<const int*, double*>> f(cx);
  f.set_quality(relative, 0.1);
}
#endif

// expect: set_quality does not know where the output is
#ifdef CASE_two_outputs
void two_outputs(fettle::context& cx) {
  fettle::code_variant<policy<"f">, void(std::span<double>, std::vector<double>&)> f(cx);
  f.set_quality(largest, 0.1);
}
#endif

// expect: set_quality takes a function of two outputs, error\(exact, out\), that returns a number
#ifdef CASE_quality_of_others
void quality_of_others(fettle::context& cx) {
  fettle::code_variant<policy<"f">, void(row, std::span<double>)> f(cx);
  f.set_quality([](int, row) { return 0.0; }, 0.1);
}
#endif

// expect: set_quality takes a function of two outputs, error\(exact, out\), that returns a number
#ifdef CASE_quality_that_changes
void quality_that_changes(fettle::context& cx) {
  fettle::code_variant<policy<"k">, double(const std::vector<double>&, std::vector<double>&)> k(cx);
  k.set_quality([](std::vector<double>& a, std::vector<double>& b) { return a[0] - b[0]; }, 0.1);
}
#endif

// expect: set_quality takes a function of two outputs, error\(exact, out\), that returns a number
#ifdef CASE_quality_without_number
void quality_without_number(fettle::context& cx) {
  fettle::code_variant<policy<"g">, double(int)> g(cx);
  g.set_quality([](double, double) {}, 0.1);
}
#endif

// expect: set_quality's third argument is a capture function on the function's arguments
#ifdef CASE_capture
void capture(fettle::context& cx) {
  fettle::code_variant<policy<"f">, std::tuple<const int*, double*>> f(cx);
  f.set_quality(relative, 0.1, [](int) { return 0.0; });
}
#endif

// expect: set_quality needs arguments that can be passed twice
#ifdef CASE_move_only
void move_only(fettle::context& cx) {
  fettle::code_variant<policy<"f">, double(std::unique_ptr<int>)> f(cx);
  f.set_quality(relative, 0.1);
}
#endif
