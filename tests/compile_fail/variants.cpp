// Misuse of add_variant and of the function's argument types.
#include <string>
#include <tuple>
#include <vector>

#include <fettle/variant.hpp>

struct matrix {
  int rows;
};
using product = fettle::code_variant<fettle::policy<"product">, std::tuple<const matrix&, int>>;

struct by_rows : fettle::variant_type<const matrix&, int> {
  double operator()(const matrix& a, int n) override { return a.rows * n; }
};

#ifndef MISUSE
void twin(fettle::context& cx) {
  product f(cx);
  f.add_variant("returns its metric", [](const matrix& a, int n) { return 1.0 * a.rows * n; });
  f.add_variant("timed", [](const matrix&, int) {});
#ifdef __cpp_rtti
  by_rows object;
  f.add_variant(&object);
  f.add_variant("named", &object);
#endif
  f(matrix{1}, 2);
  fettle::code_variant<fettle::policy<"signature">, int(int)> g(cx);
  g.add_variant("result", [](int n) { return n + 1; });
}
#endif

// expect: A variant must be callable with the argument types of its code_variant
#ifdef CASE_wrong_arguments
void wrong_arguments(product& f) {
  f.add_variant("swapped", [](int, const matrix&) {});
}
#endif

// expect: A variant must be callable with the argument types of its code_variant
#ifdef CASE_changes_a_const_argument
void changes_a_const_argument(product& f) {
  f.add_variant("in place", [](matrix& a, int n) { a.rows = n; });
}
#endif

// expect: A variant must be callable with the argument types of its code_variant
#ifdef CASE_not_callable
void not_callable(product& f) { f.add_variant("seven", 7); }
#endif

// expect: A variant must return double \(its metric\), nothing \(Fettle times it\), or what
#ifdef CASE_returns_text
void returns_text(product& f) {
  f.add_variant("text", [](const matrix&, int) { return std::string("done"); });
}
#endif

// expect: A variant of a code_variant with a signature must return its result
#ifdef CASE_signature_without_result
void signature_without_result(fettle::context& cx) {
  fettle::code_variant<fettle::policy<"signature">, int(int)> g(cx);
  g.add_variant("nothing", [](int) {});
}
#endif

// expect: The second template argument of fettle::code_variant is a tuple of the function's
#ifdef CASE_no_tuple
void no_tuple(fettle::context& cx) { fettle::code_variant<fettle::policy<"product">, int> f(cx); }
#endif

// expect: A tuned function cannot return an rvalue reference
#ifdef CASE_rvalue_result
void rvalue_result(fettle::context& cx) {
  fettle::code_variant<fettle::policy<"product">, std::string && (int)> f(cx);
}
#endif

// expect: An object without a name is named after its class, which a program that is compiled with
#ifdef CASE_unnamed_object_without_rtti  // with -fno-rtti
struct unnamed {
  double operator()(const matrix& a, int n) { return a.rows * n; }
};
void unnamed_object_without_rtti(product& f, unnamed& object) { f.add_variant(&object); }
#endif

// expect: A variant that is an object with virtual functions, given by pointer, cannot be
#ifdef CASE_virtual_object_without_rtti  // with -fno-rtti
void virtual_object_without_rtti(product& f, by_rows& object) { f.add_variant("named", &object); }
#endif

// expect: error: .*Fettle reports errors by exceptions; compile
#ifdef CASE_without_exceptions  // with -fno-exceptions
#endif
