// Definitions of objectives.hpp.
#pragma once

#include <algorithm>
#include <dirent.h>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/environment.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/selection/objectives.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string wanted_objective(const policy_settings& settings,
                                                         const context& shared) {
  for (const std::string& name : {environment("FETTLE_OBJECTIVE"), shared.objective()}) {
    if (!name.empty()) return name;
  }
  return std::string(settings.objective);
}

[[gnu::cold]] FETTLE_INLINE std::vector<std::string> trained_objectives(
    const std::string& directory) {
  constexpr std::string_view prefix = "objective-";
  std::vector<std::string> found;
  DIR* const folder = opendir(directory.c_str());
  if (folder == nullptr) return found;
  while (const dirent* const entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    if (name.starts_with(prefix)) found.emplace_back(name.substr(prefix.size()));
  }
  closedir(folder);
  std::sort(found.begin(), found.end());
  return found;
}

[[gnu::cold]] FETTLE_INLINE std::string objective_directory(const std::string& directory,
                                                            const std::string& objective) {
  if (objective.empty()) return directory;
  const std::vector<std::string> trained = trained_objectives(directory);
  if (trained.empty()) return directory;
  if (std::find(trained.begin(), trained.end(), objective) == trained.end()) {
    throw error("there is no model for the objective '" + objective + "', but for " +
                joined(trained) +
                "; name one of them in FETTLE_OBJECTIVE, the policy or context::set_objective, or "
                "add it to the tuning script's objectives");
  }
  return directory + "/objective-" + objective;
}

}  // namespace fettle::detail
