// What calls of a tuned function ask of its online search; only programs that call search_online()
// compile what is behind it.
#pragma once

#include <cstddef>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>

namespace fettle::inline FETTLE_ABI::detail {

template <typename Result, typename... Args>
class online_calls {
 public:
  online_calls() = default;
  online_calls(const online_calls&) = delete;
  online_calls& operator=(const online_calls&) = delete;
  virtual ~online_calls() = default;

  /// Runs a variant at the best point known for the input, or at one that is tried out.
  virtual Result call(std::size_t variant, Args&&... args) = 0;
  /// The name of the best point known for the input. Changes nothing.
  virtual std::string best(std::size_t variant, observed<Args>... args) = 0;
};

}  // namespace fettle::detail
