// Definitions of frequency.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/registration/clock_control.hpp>
#include <fettle/variant/registration/environment.hpp>
#include <fettle/variant/selection/frequency.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE bool wants_clocks(const policy_settings& settings,
                                              const context& shared) {
  if (!settings.tunes_frequency) return false;
  const std::string asked = environment("FETTLE_FREQUENCY");
  if (asked.empty()) return shared.frequency().value_or(settings.sets_clocks);
  if (asked != "0" && asked != "1") {
    throw error("FETTLE_FREQUENCY=" + asked +
                " is neither 1, which lets calls set a device's clock, nor 0; correct it");
  }
  return asked == "1";
}

[[gnu::cold]] FETTLE_INLINE bool has_clocks(const registry& function, context& shared) {
  std::string problem;
  if (function.clock_control == nullptr) return false;
  if (function.clock_control->of_process(problem) != nullptr) return true;
  shared.warn_once(std::string(function.settings.name) +
                   ": variants alone are chosen, at the clock that is set: " + problem);
  return false;
}

[[gnu::cold]] FETTLE_INLINE std::string frequency_directory(const std::string& directory) {
  struct stat status{};
  const std::string found = directory + "/frequency";
  return stat((found + "/model.txt").c_str(), &status) == 0 ? found : std::string();
}

[[gnu::cold]] FETTLE_INLINE void add_clocked_variants(registry& function,
                                                      const std::vector<unsigned>& clocks) {
  for (std::size_t k = 0; k < function.families.size(); ++k) {
    for (const unsigned mhz : clocks) {
      if (function.find_or_add_point(clocked_name(function.families[k].name, mhz))) continue;
      function.complain(
          "there are more variants at clocks than a model can have; name fewer "
          "clocks in tune_frequency");
    }
  }
}

}  // namespace fettle::detail
