// Definitions of deployment.hpp.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/environment.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/selection/decision_trace.hpp>
#include <fettle/variant/selection/deployed_points.hpp>
#include <fettle/variant/selection/deployment.hpp>
#include <fettle/variant/selection/frequency.hpp>
#include <fettle/variant/selection/model_cache.hpp>
#include <fettle/variant/selection/objectives.hpp>
#include <fettle/variant/selection/quality_gate.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::vector<std::string> model_directories(
    const policy_settings& settings, const context_options& options) {
  std::vector<std::string> directories;
  for (const std::string& base :
       {options.model_directory, environment("FETTLE_MODEL_DIR"),
        std::string(settings.model_directory), std::string("fettle_models")}) {
    if (!base.empty()) directories.push_back(base + "/" + std::string(settings.name));
  }
  return directories;
}

[[gnu::cold]] FETTLE_INLINE bool is_folder(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

[[gnu::cold]] FETTLE_INLINE void check_model_directory() {
  const std::string named = environment("FETTLE_MODEL_DIR");
  struct stat status{};
  if (named.empty()) return;
  constexpr const char* remedy = "; name the one that holds <function>/model.txt, or unset it";
  if (!is_folder(named)) {
    throw error("FETTLE_MODEL_DIR=" + named + " is not a folder" + remedy);
  }
  if (stat((named + "/model.txt").c_str(), &status) == 0) {
    throw error("FETTLE_MODEL_DIR=" + named + " is the folder of one model" + remedy);
  }
}

[[gnu::cold]] FETTLE_INLINE std::vector<std::size_t> match_names(
    std::string_view what, const std::vector<std::string>& wanted,
    const std::vector<std::string>& all) {
  std::vector<std::size_t> indices;
  for (const std::string& name : wanted) {
    const auto found = std::find(all.begin(), all.end(), name);
    if (found != all.end()) indices.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  if (indices.size() != wanted.size() || wanted.size() != all.size()) {
    throw error("the model was trained for other " + std::string(what) + " (" + joined(wanted) +
                ") than the program's (" + joined(all) + "); run the tuning script again");
  }
  return indices;
}

[[gnu::cold]] FETTLE_INLINE void deploy(deployment& plan,
                                        std::shared_ptr<const model::loaded_model> model,
                                        registry& function, chosen_among which) {
  if (model->function != function.settings.name) {
    throw error("the model was trained for the function " + model->function +
                "; run the tuning script again");
  }
  check_parameters(*model, function);
  plan.variant_of_class = match_variants(model->variants, function, which);
  std::vector<bool> used = model->used_features;
  if (!model->refinements.empty()) plan.refined.resize(model->variants.size());
  for (std::size_t c = 0; c < model->refinements.size(); ++c) {
    const model::loaded_model* const refining = model->refinements[c].get();
    if (refining == nullptr) continue;
    plan.refined[c] = {refining, match_points(*refining, plan.variant_of_class[c], function)};
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (refining->used_features[i]) used[i] = true;
    }
  }
  const std::vector<std::size_t> indices =
      match_names("features", model->features, function.features);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (used[i]) plan.features.push_back({indices[i], i});
  }
  if (function.has_approximate() || !model->errors.empty()) {
    plan.gate = std::make_unique<quality_gate>(*model, plan.variant_of_class, function);
  }
  plan.model = std::move(model);
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::size_t> find_forced(registry& function,
                                                                   context& shared) {
  const std::optional<std::string> name = forced_variant(function.settings.name);
  if (!name) return std::nullopt;
  if (const auto found = function.find_or_add_point(*name)) {
    if (!function.is_approximate(*found)) return found;
    shared.warn_once(std::string(function.settings.name) + ": FETTLE_FORCE names the variant " +
                     *name + ", which is approximate" +
                     (function.bound ? "; it runs without a check of its error"
                                     : ", but set_quality gives no bound; ignored"));
    return function.bound ? found : std::nullopt;
  }
  const std::string variants = joined(function.variants);
  const std::string message =
      std::string(function.settings.name) + ": FETTLE_FORCE names the variant " + *name +
      ", which is not one of " + variants +
      (variants.find(',') == std::string::npos ? "" : " (write a comma in a name as %2C)") +
      function.how_points_are_written(*name);
  if (function.settings.strict || shared.options().strict) {
    throw error(message + "; name one of them, or unset it");
  }
  shared.warn_once(message + "; ignored");
  return std::nullopt;
}

[[gnu::cold]] FETTLE_INLINE std::shared_ptr<const model::loaded_model> find_model(
    const registry& function, context& shared, model_loader embedded) {
  const context_options& options = shared.options();
  const std::string named = environment("FETTLE_MODEL_DIR");
  const std::string objective = wanted_objective(function.settings, shared);
  const std::vector<std::string> directories = model_directories(function.settings, options);
  const std::size_t asked_for = static_cast<std::size_t>(!options.model_directory.empty()) +
                                static_cast<std::size_t>(!named.empty());
  std::string looked_for;
  for (std::size_t i = 0; i <= directories.size(); ++i) {
    if (i == asked_for) {
      if (std::shared_ptr<const model::loaded_model> own = embedded()) return own;
    }
    if (i == directories.size()) break;
    struct stat status{};
    const std::string directory = objective_directory(directories[i], objective);
    const std::string file = directory + "/model.txt";
    if (stat(file.c_str(), &status) == 0) {
      if (i >= asked_for && !named.empty() && is_folder(named)) {
        std::string message(function.settings.name);
        message.append(": FETTLE_MODEL_DIR=")
            .append(named)
            .append(" has no model of it; the one in ");
        shared.warn_once(message.append(directory).append(" is used"));
      }
      return cached_model(directory, status);
    }
    if (errno != ENOENT && errno != ENOTDIR) {
      throw error("cannot open '" + file + "': " + std::strerror(errno) +
                  "; mend it, or run the tuning script again");
    }
    looked_for += (looked_for.empty() ? "" : ", ") + file;
  }
  throw error("no model (looked for " + looked_for + "); run the tuning script to make one");
}

[[gnu::cold]] FETTLE_INLINE std::shared_ptr<const model::loaded_model> find_frequency_model(
    const registry& function, const context& shared) {
  const std::string objective = wanted_objective(function.settings, shared);
  for (const std::string& base : model_directories(function.settings, shared.options())) {
    const std::string directory = frequency_directory(objective_directory(base, objective));
    struct stat status{};
    if (directory.empty() || stat((directory + "/model.txt").c_str(), &status) != 0) continue;
    return cached_model(directory, status);
  }
  return nullptr;
}

[[gnu::cold]] FETTLE_INLINE deployment make_deployment(registry& function, context& shared,
                                                       model_loader embedded) {
  deployment plan;
  const std::string name(function.settings.name);
  const training_request* training = active_training();
  if (training != nullptr && training->function == name) {
    plan.training = training;
    if (!training->clocks.empty() && has_clocks(function, shared)) {
      add_clocked_variants(function, training->clocks);
    }
    return plan;
  }
  plan.forced = find_forced(function, shared);
  if (const std::string path = environment("FETTLE_TRACE"); !path.empty()) {
    try {
      plan.trace = trace_to(path);
    } catch (const error& problem) {
      shared.warn_once(name + ": " + problem.what());
    }
  }
  if (plan.forced) return plan;
  const bool strict = function.settings.strict || shared.options().strict;
  try {
    check_model_directory();
  } catch (const error& problem) {
    if (strict) throw;
    shared.warn_once(problem.what());
  }
  try {
    if (wants_clocks(function.settings, shared) && has_clocks(function, shared)) {
      if (auto at_clocks = find_frequency_model(function, shared)) {
        deploy(plan, std::move(at_clocks), function);
        return plan;
      }
    }
    deploy(plan, find_model(function, shared, embedded), function);
    if (plan.gate && !plan.gate->is_closed() && function.settings.check_every == 0) {
      shared.warn_once(name +
                       ": the errors of approximate variants are never checked, as check_every = 0 "
                       "says; a drift of the inputs beyond the bound will not be noticed");
    }
  } catch (const error& problem) {
    plan.model = nullptr;
    plan.gate = nullptr;
    if (strict) throw error(name + ": " + problem.what());
    shared.warn_once(name + ": " + problem.what() + ". The default variant " +
                     function.variants[function.default_index] + " runs meanwhile");
  }
  return plan;
}

[[gnu::cold]] FETTLE_INLINE void add_points(variant_tables& tables, deployment& plan,
                                            const registry& function, context& shared) {
  try {
    tables.add_points(function);
  } catch (const error& problem) {
    const std::string message = std::string(function.settings.name) + ": " + problem.what();
    if (function.settings.strict || shared.options().strict) throw error(message);
    shared.warn_once(message);
    plan.model = nullptr;
    plan.gate = nullptr;
    plan.forced = std::nullopt;
  }
}

}  // namespace fettle::detail
