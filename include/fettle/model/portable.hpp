// Portable models: some of their features are the machine's. Where such a model is loaded, they are
// found once, and what is left is a model of the input's features, which selects as any other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/description.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// What a model's description and its predictor's text become on a machine whose device features
/// have the values `here`, in the description's order. `file` names the predictor's file.
///
/// Throws fettle::error where a value is outside what the model's machines had (by the guard), or
/// has no logarithm: it says nothing of such a machine.
void specialise(description& model, const std::string& file, std::string& predictor_text,
                const std::vector<double>& here);

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/portable.ipp>
#endif
