// How an example states its tuned function: tables of variants and features, registered in a loop,
// so that its tests and its judge see the same variants as Fettle.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include <fettle/variant.hpp>

namespace examples {

/// One way to compute a function, and for which inputs it exists (null: for all).
template <class Signature>
struct variant;
template <class Result, class... Args>
struct variant<Result(Args...)> {
  std::string_view name;
  Result (*run)(Args...);
  bool (*applies)(const std::remove_reference_t<Args>&...) = nullptr;
};

/// A number that describes an input.
template <class Signature>
struct feature;
template <class Result, class... Args>
struct feature<Result(Args...)> {
  std::string_view name;
  double (*of)(const std::remove_reference_t<Args>&...);
};

/// Registers the variants and features of `Example`; the first variant is the default.
template <class Example, class Function>
void register_tables(Function& function) {
  for (const auto& one : Example::variants) {
    function.add_variant(one.name, one.run);
    if (one.applies != nullptr) function.add_constraint(one.name, one.applies);
  }
  for (const auto& one : Example::features) function.add_input_feature(one.name, one.of);
}

/// What the program of an example is made of: its function's signature and policy, the tables
/// above, `set_up(function)` for the rest, `load(text)` for the arguments of one call, `calls` over
/// which features and selection are spread, and whether variants change their input. It may have
/// `references`, a table of functions that are measured beside the variants and never chosen, and
/// `work(arguments)`, the number of `work_unit` that a call moves or visits.
template <class Example>
concept tuned_example = requires(const std::string& text) {
  typename Example::signature;
  typename Example::policy;
  Example::variants;
  Example::features;
  { Example::changes_input } -> std::convertible_to<bool>;
  { Example::calls } -> std::convertible_to<double>;
  Example::load(text);
};

}  // namespace examples
