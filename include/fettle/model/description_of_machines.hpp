// What version 3 of a description has more: device features, and what variants are expected to
// cost.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/model/description.hpp>
#include <fettle/model/expectation.hpp>
#include <fettle/model/line_reader.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// The rest of a line `expect`. Throws fettle::error.
[[nodiscard]] expectation read_expectation(line_reader& lines);

/// Device features are features, and no input reads one of them beside one of the call's; what is
/// expected is of variants, and of all inputs. Throws fettle::error.
void check_machines(const description& model, const line_reader& lines);

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/description_of_machines.ipp>
#endif
