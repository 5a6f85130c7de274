// A policy that asks for oneTBB in a program that CMake links without it.
#include <string_view>
#include <tuple>

#include <fettle/variant.hpp>
#include <fettle/variant/parallel_evaluation.hpp>

struct asynchronous {
  static constexpr std::string_view name = "sum";
  static constexpr bool async_feature_eval = true;
  using evaluation = fettle::tbb_evaluation;
};
using sum = fettle::code_variant<asynchronous, std::tuple<int>>;

void twin(fettle::context& cx) {
  sum f(cx);
  f.add_variant("sum", [](int) {});
  f(1);
}

// expect: tbb_evaluation needs oneTBB, which fettle::fettle does not link: link .*fettle::tbb
#ifdef CASE_without_onetbb  // with -DFETTLE_CMAKE_TARGET
#endif
