// Checks one reduction in every form: a value, a variable, a sequence of one.
#pragma once

#include <vector>

#include <fettle/ndp/operator/reduce.hpp>

#include "ndp/support/on_platform.hpp"

namespace ndp_test {

template <typename Op, typename T, typename P>
void check_reduce(Op op, const std::vector<T>& x, P seed) {
  namespace ndp = fettle::ndp;
  const data<T> in(x);
  const auto e = ndp::reduce(op, in.read(), seed);
  using result = typename decltype(e)::value_type;
  const result expected = ndp::reduce(op, ndp::make_sequence(x), seed).evaluate();
  for_each_realisation<decltype(e)>([&](const auto& run) {
    REQUIRE(run(e) == expected);
    result variable = poison<result>();
    run(e, variable);
    REQUIRE(variable == expected);
    data<result> one = room_for<result>(1);
    run(e, one.write());
    REQUIRE(one.values() == with_margin(std::vector<result>{expected}));
  });
}

}  // namespace ndp_test
