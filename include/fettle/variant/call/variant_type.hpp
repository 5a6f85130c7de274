// The paper's three base classes (dissertation table 2.1 and figure 2.2): a code variant, an input
// feature and a constraint as function objects. A plain callable with a name serves as well; see
// code_variant::add_variant.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>

namespace fettle::inline FETTLE_ABI {

/// A code variant: one way to compute the function. Returns its metric, by default the seconds it
/// took; smaller is better. All variants of a function have the same argument types.
template <typename... Args>
struct variant_type {
  virtual ~variant_type() = default;
  virtual double operator()(Args... args) = 0;
};

/// An input feature: a number that says something about the input. Must not change it.
template <typename... Args>
struct input_feature_type {
  virtual ~input_feature_type() = default;
  virtual double operator()(detail::observed_by_class<Args>... args) = 0;
};

/// A constraint on one variant: false where the variant is wrong or takes unacceptably long. Must
/// not change the input.
template <typename... Args>
struct constraint_type {
  virtual ~constraint_type() = default;
  virtual bool operator()(detail::observed_by_class<Args>... args) = 0;
};

}  // namespace fettle
