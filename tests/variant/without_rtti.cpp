// A program that is compiled with -fno-rtti: everything works but what needs the class of an object
// that is given by pointer (tests/compile_fail/variants.cpp).
#include <tuple>

#include <fettle/variant.hpp>

namespace {

struct squared {  // without virtual functions
  double operator()(double& y, int x) { return y = 1.0 * x * x; }
};

bool is_large(double&, int x) { return x > 10; }

}  // namespace

int main() {
  fettle::context cx;
  fettle::code_variant<fettle::policy<"f">, std::tuple<double&, int>> f(cx);
  squared object;
  f.add_variant("zero", [](double& y, int) { return y = 0.0; });
  f.add_variant("squared", &object);
  f.set_default(&object);
  f.add_input_feature("x", [](double&, int x) { return x; });
  f.add_constraint("zero", is_large);
  f.set_reset([](double& y, int&) { y = -1.0; });
  f.set_verify([](double& y, int) { return y; }, fettle::within{1e-9});
  double y = -1.0;
  f(y, 3);
  const bool called = y == 9.0;
  f.bind(y, 4)();
  return called && y == 16.0 && f.last_selection()->variant == "squared" ? 0 : 1;
}
