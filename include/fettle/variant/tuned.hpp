// tuned<"name", signature>(setup): a tuned function that is declared, registered and kept in one
// expression.
//
//   void sort_values(std::span<int> values) {
//     static auto& sort = fettle::tuned<"sort", void(std::span<int>)>([](auto& f) {
//       f.add_variant("merge", merge_sort);
//       f.add_variant("insertion", insertion_sort);
//       f.add_input_feature("size", [](std::span<int> v) { return v.size(); });
//     });
//     sort(values);
//   }
#pragma once

#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/variant/code_variant.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/policy.hpp>

namespace fettle::inline FETTLE_ABI {

/// The context of the functions that are declared without one: all options at their defaults. Never
/// destroyed, like those functions.
inline context& default_context() {
  static context& shared = *new context;
  return shared;
}

namespace detail {

/// A code_variant and its registration, which is complete where the constructor returns.
template <typename Function, typename Setup>
struct registered_function {
  registered_function(context& shared, Setup& setup) : function(shared) { setup(function); }

  Function function;
};

}  // namespace detail

/// The code_variant<Policy, Arguments> that `setup(function)` has registered variants, features and
/// the like with. It is made once, by the first thread that comes here, and is never destroyed, so
/// that destructors of static objects and threads that outlive main() may call it; at function
/// scope or at namespace scope. An expression with a lambda declares a function
/// for itself: every evaluation of the same expression returns the same function. Throws what
/// `setup` throws, and is then tried again by the next call. `shared` must live as long as calls.
template <tuning_policy Policy, typename Arguments, typename Setup>
code_variant<Policy, Arguments>& tuned(context& shared, Setup setup) {
  using function_type = code_variant<Policy, Arguments>;
  static_assert(std::is_empty_v<Setup>,
                "fettle::tuned registers a function once for the whole program, so its setup must "
                "not capture anything: what a variant needs is an argument of the function.");
  static_assert(std::is_invocable_v<Setup&, function_type&>,
                "fettle::tuned takes a setup that is called with the function, as [](auto& f) { "
                "f.add_variant(...); }.");
  static auto& only = *new detail::registered_function<function_type, Setup>(shared, setup);
  return only.function;
}
template <tuning_policy Policy, typename Arguments, typename Setup>
code_variant<Policy, Arguments>& tuned(Setup setup) {
  return tuned<Policy, Arguments>(default_context(), setup);
}

/// ... of policy<Name>.
template <fixed_string Name, typename Arguments, typename Setup>
code_variant<policy<Name>, Arguments>& tuned(context& shared, Setup setup) {
  return tuned<policy<Name>, Arguments>(shared, setup);
}
template <fixed_string Name, typename Arguments, typename Setup>
code_variant<policy<Name>, Arguments>& tuned(Setup setup) {
  return tuned<policy<Name>, Arguments>(default_context(), setup);
}

}  // namespace fettle
