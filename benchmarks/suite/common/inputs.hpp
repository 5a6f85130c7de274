// The inputs of a problem where a processor computes with them: arrays in its memory, and numbers
// as they are; and the views of them that a computation is given.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "view.hpp"

namespace suite {

template <typename Processor, typename T>
[[nodiscard]] auto uploaded(std::vector<T>& all) {
  return Processor::upload(std::move(all));
}
template <typename Processor, typename T>
  requires std::is_arithmetic_v<T>
[[nodiscard]] T uploaded(T number) {
  return number;
}

/// A tuple of all inputs; those of the problem are gone.
template <typename Processor, typename Problem>
[[nodiscard]] auto upload_inputs(Problem& of) {
  return std::apply([](auto&... all) { return std::tuple(uploaded<Processor>(all)...); },
                    of.inputs);
}

template <typename T>
[[nodiscard]] auto input_view(const T& input) {
  if constexpr (std::is_arithmetic_v<T>) {
    return input;
  } else {
    using element = std::remove_reference_t<decltype(*input.data())>;
    return view<const element>(input.data(), static_cast<index>(input.size()));
  }
}

}  // namespace suite
