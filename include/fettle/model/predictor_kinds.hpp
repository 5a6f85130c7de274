// predictor_kinds: the closed list of the kinds of predictors. A new kind is a separate header,
// which predictor_kind.hpp describes, and its name here.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/model/forest_predictor.hpp>
#include <fettle/model/svm_predictor.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// The first is found fastest.
using predictor_kinds = type_list<forest_predictor, svm_predictor>;

}  // namespace fettle::model
