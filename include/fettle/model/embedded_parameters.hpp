// What a generated header says of variants with parameters, of the models that choose among their
// points, and of what variants are expected to cost. Beside what every embedded model has, such a
// struct holds, for example,
//
//   static constexpr std::array<std::int64_t, 3> values_1{{16, 32, 64}};
//   static constexpr std::array<model::embedded_parameter, 1> parameters{{
//           {"tiled", "tile", values_1}}};
//   struct points_1 { ... };   // an embedded model whose variants are points
//   static constexpr std::array<std::size_t, 1> refined{{1}};   // the indices of their variants
//   using refinements = model::embedded_models<points_1>;
//   static constexpr std::array<double, 2> slopes_1{{0.9, 0}};
//   static constexpr std::array<model::embedded_expectation, 1> expectations{{
//           {"csr", 0.2, -7.1, slopes_1}}};
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/loaded_model.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// A parameter of a variant, with the values that it could have when the model was trained.
struct embedded_parameter {
  std::string_view variant;  ///< one's parameters stand together
  std::string_view name;
  std::span<const std::int64_t> values;
};

/// What a variant is expected to cost: see expectation.
struct embedded_expectation {
  std::string_view variant;
  double deviation;
  double constant;
  std::span<const double> slopes;
};

/// The models that refine variants of another.
template <typename... Models>
struct embedded_models {};

namespace detail {

template <typename Embedded, typename... Models>
void add_refinements(loaded_model& made, embedded_models<Models...>) {
  static_assert(Embedded::refined.size() == sizeof...(Models),
                "the embedded refinements and the variants that they refine differ in number");
  made.refinements.resize(made.variants.size());
  std::size_t next = 0;
  ((made.refinements[Embedded::refined[next++]] =
        std::make_shared<const loaded_model>(from_embedded<Models>())),
   ...);
}

/// Adds what a model directory of version 2 or 3 has more than one of version 1.
template <typename Embedded>
void add_parameters(loaded_model& made) {
  if constexpr (requires { Embedded::parameters; }) {
    for (const embedded_parameter& one : Embedded::parameters) {
      if (made.parameters.empty() || made.parameters.back().variant != one.variant) {
        made.parameters.push_back({std::string(one.variant), {}});
      }
      made.parameters.back().parameters.emplace_back(
          std::string(one.name), std::vector<std::int64_t>(one.values.begin(), one.values.end()));
    }
  }
  if constexpr (requires { Embedded::expectations; }) {
    for (const embedded_expectation& one : Embedded::expectations) {
      made.expectations.push_back({std::string(one.variant),
                                   one.deviation,
                                   one.constant,
                                   {one.slopes.begin(), one.slopes.end()}});
    }
  }
  if constexpr (requires { typename Embedded::refinements; }) {
    add_refinements<Embedded>(made, typename Embedded::refinements());
  }
}

}  // namespace detail

}  // namespace fettle::model
