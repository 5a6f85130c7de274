// Misuse of fettle::tuned and of restore_arguments.
#include <span>
#include <string>
#include <tuple>

#include <fettle/variant.hpp>

#ifndef MISUSE
int twin(int n) {
  static auto& f =
      fettle::tuned<"f", int(std::string&, std::span<int>, const int*, int)>([](auto& made) {
        made.add_variant("a", [](std::string&, std::span<int>, const int*, int i) { return i; });
        made.set_reset(fettle::restore_arguments{});
      });
  std::string text;
  return f(text, {}, nullptr, n);
}
#endif

// expect: its setup must not capture anything
#ifdef CASE_captures
int captures(int n) {
  static auto& f = fettle::tuned<"f", int(int)>(
      [n](auto& made) { made.add_variant("a", [n](int i) { return i + n; }); });
  return f(n);
}
#endif

// expect: fettle::tuned takes a setup that is called with the function
#ifdef CASE_setup_without_function
auto& f = fettle::tuned<"f", int(int)>([] {});
#endif

// expect: It does not know what lies behind a pointer or another view
#ifdef CASE_restores_a_pointer
void restores_a_pointer(fettle::context& cx) {
  fettle::code_variant<fettle::policy<"f">, void(int*, int)> f(cx);
  f.set_reset(fettle::restore_arguments{});
}
#endif

// expect: It does not know what lies behind a pointer or another view
#ifdef CASE_restores_a_view
struct view {
  int* data;
};
void restores_a_view(fettle::context& cx) {
  fettle::code_variant<fettle::policy<"f">, void(view)> f(cx);
  f.set_reset(fettle::restore_arguments{});
}
#endif
