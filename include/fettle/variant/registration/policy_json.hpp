// What a training log's header says of the options that the program was compiled with
// (docs/formats.md, section 2), so that the tuner notices options that the program does not have.
#pragma once

#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/variant/registration/policy.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// {"constraints":true,"metric":"elapsed",...}: names and values of the tuning script's options.
/// "header" says whether they come from a generated header, which always states a directory.
std::string policy_json(const policy_settings& all);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/policy_json.ipp>
#endif
