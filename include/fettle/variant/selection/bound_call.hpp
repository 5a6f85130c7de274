// A call bound to its inputs: features, model and constraints are evaluated once, the selected
// variant runs many times.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/selection/selection.hpp>

namespace fettle::inline FETTLE_ABI {

/// Made by code_variant::bind(). A call costs one indirect call more than calling the variant
/// itself. Keeps references by address and values by value; the code_variant and what the
/// references name must outlive it. One thread at a time may call one bound_call; bind() again for
/// another thread.
template <typename Result, typename... Args>
class bound_call {
 public:
  using function = Result (*)(void*, Args&&...);

  bound_call(function code, void* object, selection chosen, detail::kept_arguments<Args...> args)
      : code_(code), object_(object), chosen_(chosen), args_(std::move(args)) {}

  Result operator()() {
    return std::apply([this](auto&... kept) -> Result { return code_(object_, kept.pass()...); },
                      args_);
  }

  /// What was selected, and why.
  const fettle::selection& selection() const noexcept { return chosen_; }

 private:
  function code_;
  void* object_;
  fettle::selection chosen_;
  detail::kept_arguments<Args...> args_;
};

}  // namespace fettle
