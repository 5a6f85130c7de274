// The platform that a test program checks: CUDA where nvcc compiles it, OpenMP elsewhere. The same
// cases run on both: memory of the platform, and every way in which execute() can realise an
// expression on it.
//
//   data<double> x(made_up<double>(100));
//   const auto e = ndp::map(twice{}, x.read());
//   for_each_realisation<decltype(e)>([&](const auto& run) {
//     data<double> y(100);
//     run(e, y.write());
//     REQUIRE(y.values() == expected);
//   });
#pragma once

#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/schedule/lattice.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/policy.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/shape/expression.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

#ifdef __CUDACC__
#include <fettle/ndp/cuda.hpp>

#include "ndp/support/cuda_platform.cuh"
#else
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/openmp_platform.hpp"
#endif

namespace ndp_test {

/// Sizes around those of warps, blocks, tiles and chunks, and one that fills many of them.
inline const std::vector<index_t> execution_sizes = sized<index_t>(
    {0, 1, 2, 5, 31, 32, 33, 64, 127, 255, 257, 1024, 1025, 4099, 70001}, {0, 1, 33, 257, 4099});

/// Says at the end of the program how much it has checked.
struct tally {
  long realisations = 0;
  tally() = default;
  tally(const tally&) = delete;
  tally& operator=(const tally&) = delete;
  ~tally() { std::printf("%ld realisations were checked\n", realisations); }
};
inline tally checked_realisations;

/// Calls check(run) for every way to realise an expression of type E: the default rule, and all
/// schedules that are valid for it on the platform, each with a sample of policies. run(e,
/// destination...) is execute() in that way.
template <typename E, typename Check>
void for_each_realisation(Check&& check) {
  namespace ndp = fettle::ndp;
  {
    INFO("by the default rule");
    check([](const auto& e, auto&&... destination) {
      return ndp::execute<"tested">(e, destination..., tested_platform{});
    });
    ++checked_realisations.realisations;
  }
  using valid = ndp::schedule::valid_t<ndp::expression_of_t<E>, tested_platform>;
  using schedules = tested_schedules_t<valid>;
  fettle::for_each(schedules{}, [&]<typename Schedule>(fettle::type_tag<Schedule>) {
    // Flattened work is cut by where rows lie, which not every nested sequence knows.
    if constexpr (ndp::schedule::kind_v<Schedule> != ndp::schedule::kind::flattened ||
                  ndp::has_outer_shape_v<typename ndp::detail::without_epilogue<E>::type>) {
      for_each_policy<Schedule>([&](const auto& policy, const std::string& text) {
        INFO(ndp::schedule::to_string<Schedule>() << " with " << text);
        check([&policy](const auto& e, auto&&... destination) {
          return ndp::execute<"tested">(e, destination..., tested_platform{}, Schedule{}, policy);
        });
        ++checked_realisations.realisations;
      });
    }
  });
}

/// What destinations hold before: a value that no result is by accident.
template <typename T>
[[nodiscard]] T poison() {
  if constexpr (std::is_arithmetic_v<T>) {
    return T(101);
  } else {
    return T{101, 101};
  }
}

/// `expected` and some poison behind it, which no realisation may touch.
template <typename T>
[[nodiscard]] std::vector<T> with_margin(std::vector<T> expected) {
  expected.insert(expected.end(), 3, poison<T>());
  return expected;
}

/// Room for `count` elements and a margin.
template <typename T>
[[nodiscard]] data<T> room_for(index_t count) {
  return data<T>(std::vector<T>(static_cast<std::size_t>(count) + 3, poison<T>()));
}

/// Checks all realisations of `e` against `expected`.
template <typename E, typename T>
void check_all(const E& e, const std::vector<T>& expected) {
  const std::vector<T> wanted = with_margin(expected);
  for_each_realisation<E>([&](const auto& run) {
    data<T> result = room_for<T>(static_cast<index_t>(expected.size()));
    run(e, result.write());
    REQUIRE(result.values() == wanted);
  });
}

}  // namespace ndp_test
