// Definitions of parameter.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/parameters/parameter.hpp>

namespace fettle::inline FETTLE_ABI {

FETTLE_INLINE std::int64_t parameters::operator[](std::string_view name) const {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if ((*names_)[i] == name) return values_[i];
  }
  std::string known;
  for (const std::string& one : *names_) known += (known.empty() ? "" : " ") + one;
  throw error("a variant asks for its parameter " + std::string(name) +
              ", but its parameters are " + known);
}

}  // namespace fettle
