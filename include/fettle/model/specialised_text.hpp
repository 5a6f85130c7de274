// A predictor's file with some of its inputs fixed: what a portable model becomes on one machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/model_input.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// The value t of each input that is fixed, nothing for those that stay.
using fixed_inputs = std::vector<std::optional<double>>;

/// The trees of a valid file without their splits by fixed inputs; the others are numbered anew.
/// Chooses as the whole trees do.
[[nodiscard]] std::string specialised_trees(const std::string& file, std::string_view text,
                                            const fixed_inputs& fixed);

/// A valid libsvm file without the fixed inputs: a radial basis function is a product, so that what
/// they contribute to a support vector's kernel is a factor of its coefficients. Decision values
/// are those of the whole file but for rounding. `inputs` say how t is scaled.
[[nodiscard]] std::string specialised_svm(const std::string& file, std::string_view text,
                                          const fixed_inputs& fixed,
                                          const std::vector<model_input>& inputs);

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/specialised_text.ipp>
#endif
