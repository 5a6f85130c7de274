// What a generated header says of approximate variants (error_model.hpp). Beside what every
// embedded model has, such a struct holds, for example,
//
//   static constexpr std::array<std::string_view, 1> approximate{{"tenth"}};
//   static constexpr double bound = 0.05;
//   static constexpr std::array<model::model_input, 1> error_inputs{{
//           {model::transform::log, 0, 0, 4.6, 16.2}}};
//   static constexpr std::array<double, 1> error_slopes_1{{0.9}};
//   static constexpr std::array<model::embedded_admission, 1> admissions{{
//           {"tenth", -0.7, error_slopes_1}}};
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/model/loaded_model.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/model/model_input.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// Where a variant may run: see admission.
struct embedded_admission {
  std::string_view variant;
  double constant;
  std::span<const double> slopes;
};

namespace detail {

/// Adds what a model directory of version 4 has more than others.
template <typename Embedded>
void add_errors(loaded_model& made) {
  if constexpr (requires { Embedded::approximate; }) {
    made.errors.approximate.assign(Embedded::approximate.begin(), Embedded::approximate.end());
    made.errors.bound = Embedded::bound;
    made.errors.inputs.assign(Embedded::error_inputs.begin(), Embedded::error_inputs.end());
    for (const embedded_admission& one : Embedded::admissions) {
      made.errors.admissions.push_back(
          {std::string(one.variant), one.constant, {one.slopes.begin(), one.slopes.end()}});
    }
    made.used_features = used_features(made.features.size(), made.inputs, made.errors.inputs);
  }
}

}  // namespace detail

}  // namespace fettle::model
