// What version 4 of a description has more: approximate variants, and where their errors keep a
// bound.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/model/description.hpp>
#include <fettle/model/error_model.hpp>
#include <fettle/model/line_reader.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// The rest of a line `admit`. Throws fettle::error.
[[nodiscard]] admission read_admission(line_reader& lines);

/// What is approximate and admitted are variants, but never the default one; all inputs of the
/// error model have slopes. Throws fettle::error.
void check_errors(const description& model, const line_reader& lines);

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/description_of_errors.ipp>
#endif
