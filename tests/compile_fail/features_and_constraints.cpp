// Misuse of add_input_feature, add_constraint, set_reset and set_verify.
#include <string>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

using vector = std::vector<double>;
using sort = fettle::code_variant<fettle::policy<"sort">, std::tuple<vector&>>;

#ifndef MISUSE
void twin(fettle::context& cx) {
  sort f(cx);
  f.add_variant("library", [](vector&) {});
  f.add_input_feature("size", [](const vector& v) { return v.size(); });
  f.add_constraint("library", [](const vector& v) { return v.size() < 100; });
  f.set_reset([](vector& v) { v.assign(3, 1.0); });
  f.set_verify([](const vector& v) { return v; });
}
#endif

// expect: An input feature must be callable .* and return a number
#ifdef CASE_feature_returns_text
void feature_returns_text(sort& f) {
  f.add_input_feature("size", [](const vector& v) { return std::to_string(v.size()); });
}
#endif

// expect: An input feature must be callable with the argument types of its code_variant
#ifdef CASE_feature_of_other_arguments
void feature_of_other_arguments(sort& f) {
  f.add_input_feature("size", [](const vector& v, int n) { return v.size() + n; });
}
#endif

// expect: A constraint must be callable .* and return bool
#ifdef CASE_constraint_returns_nothing
void constraint_returns_nothing(sort& f) {
  f.add_constraint("library", [](const vector&) {});
}
#endif

// expect: A constraint must be callable with the argument types of its code_variant
#ifdef CASE_constraint_of_other_arguments
void constraint_of_other_arguments(sort& f) {
  f.add_constraint("library", [](const std::string& text) { return text.empty(); });
}
#endif

// expect: set_reset takes a callable on references to the function's arguments
#ifdef CASE_reset_of_other_arguments
void reset_of_other_arguments(sort& f) {
  f.set_reset([](std::string&) {});
}
#endif

// expect: set_verify: the comparison must be callable with two copies of the output, compare\(ref
#ifdef CASE_comparison_of_something_else
void comparison_of_something_else(sort& f) {
  f.set_verify([](const vector& v) { return v; },
               [](const std::string& a, const std::string& b) { return a == b; });
}
#endif

// expect: set_verify: the comparison must be callable with two copies of the output, compare\(ref
#ifdef CASE_output_without_comparison
struct opaque {};
void output_without_comparison(sort& f) {
  f.set_verify([](const vector&) { return opaque{}; });
}
#endif

// expect: set_verify takes a capture function on the function's arguments
#ifdef CASE_capture_of_nothing
void capture_of_nothing(sort& f) {
  f.set_verify([](const vector&) {});
}
#endif

// expect: set_verify takes a capture function on the function's arguments
#ifdef CASE_verify_of_other_arguments
void verify_of_other_arguments(sort& f) {
  f.set_verify([](const std::string& text) { return text; });
}
#endif
