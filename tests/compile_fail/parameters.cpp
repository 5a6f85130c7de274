// Misuse of add_variant for variants with parameters.
#include <string>
#include <tuple>

#include <fettle/variant.hpp>

using function = fettle::code_variant<fettle::policy<"f">, std::tuple<int>>;
using fettle::constraint;
using fettle::parameter;
using fettle::parameters;

struct object {
  double operator()(int x, const parameters& p) const;
};

#ifndef MISUSE
void twin(function& f, const object& kept) {
  f.add_variant("pack", [](int, const parameters&) {}, parameter{"a", {1, 2}});
  f.add_variant("number", [](int, int) { return 1.0; }, parameter{"a", {1, 2}, 2});
  f.add_variant(
      "numbers", [](int, long, int) {}, parameter{"a", {1}}, parameter{"b", {1}},
      constraint{"a == b"});
  f.add_variant("object", std::ref(kept), parameter{"a", {1, 2}});
  f.add_variant("zero", [](int, const parameters&) {}, parameter{"a", {0}, 0}, parameter{"b", {0}});
}
#endif

// expect: A variant with parameters must be callable with the argument types of its code_variant
#ifdef CASE_takes_no_values
void takes_no_values(function& f) {
  f.add_variant("g", [](int) {}, parameter{"a", {1}});
}
#endif

// expect: A variant with parameters must be callable with the argument types of its code_variant
#ifdef CASE_takes_too_few_values
void takes_too_few_values(function& f) {
  f.add_variant("g", [](int, int) {}, parameter{"a", {1}}, parameter{"b", {1}});
}
#endif

// expect: A variant must return double \(its metric\), nothing \(Fettle times it\), or what
#ifdef CASE_returns_text
void returns_text(function& f) {
  f.add_variant("g", [](int, const parameters&) { return std::string(); }, parameter{"a", {1}});
}
#endif

// expect: fettle::parameter: values are integers; number the words that it stands for
#ifdef CASE_words
const parameter words{"layout", {"rows", "columns"}};
#endif

// expect: A variant with parameters is given as a callable: write std::ref\(object\)
#ifdef CASE_by_pointer
void by_pointer(function& f, object& kept) { f.add_variant("g", &kept, parameter{"a", {1}}); }
#endif

// expect: Constraints between parameters need a fettle::parameter beside them
#ifdef CASE_constraint_alone
void constraint_alone(function& f) {
  f.add_variant("g", [](int, const parameters&) {}, constraint{"1 > 0"});
}
#endif
