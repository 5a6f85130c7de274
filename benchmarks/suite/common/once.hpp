// execute_once: each computation of a list on one input, by Fettle alone: what a tuner starts.
//
//   PROGRAM SHAPE MEGABYTES
#pragma once

#include <cstddef>
#include <cstdlib>
#include <tuple>

#include "computation.hpp"
#include "inputs.hpp"

namespace suite {

template <typename Computation, typename Processor>
void execute_once(const shape& like, Processor& on) {
  using output = typename Computation::output;
  auto problem = Computation::make(like);
  const auto inputs = upload_inputs<Processor>(problem);
  typename Processor::template array<output> found(static_cast<std::size_t>(problem.outputs));
  const view<output> destination(found.data(), problem.outputs);
  on.steps = problem.steps;
  std::apply(
      [&](const auto&... all) {
        fettle_expression<Computation>::run(on, input_view(all)..., destination);
      },
      inputs);
  static_cast<void>(on.download(found));  // waits for it
}

template <typename Processor, typename... Computations>
[[nodiscard]] int execute_once(char** arguments, computations<Computations...>) {
  Processor on{};
  const shape like{arguments[1], 1e6 * std::atof(arguments[2])};
  (execute_once<Computations>(like, on), ...);
  return 0;
}

}  // namespace suite
