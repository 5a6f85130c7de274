// The deployment of one tuned function: which model it selects by, and what the environment asks
// for. Made at the first call, then never changed, so that any number of threads may select by it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/environment.hpp>
#include <fettle/variant/registration/policy.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/training_request.hpp>
#include <fettle/variant/registration/variant_tables.hpp>
#include <fettle/variant/selection/decision_trace.hpp>
#include <fettle/variant/selection/deployed_points.hpp>
#include <fettle/variant/selection/model_cache.hpp>
#include <fettle/variant/selection/quality_gate.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// A feature to evaluate: the function's own number for it, and its index in the model's list.
struct used_feature {
  std::size_t registered;
  std::size_t position;
};

/// The model that chooses among the points of a class's variant, and the variants of its classes.
struct refined_class {
  const model::loaded_model* model = nullptr;  ///< null: the class is a variant
  std::vector<std::size_t> variant_of_class;
};

struct deployment {
  std::shared_ptr<const model::loaded_model> model;  ///< null: the default variant always runs
  std::vector<used_feature> features;                ///< those that the model looks at
  std::vector<std::size_t> variant_of_class;         ///< the model's class -> variant
  std::vector<refined_class> refined;                ///< a class; empty where no class is refined
  std::unique_ptr<quality_gate> gate;  ///< of approximate variants; null where there are none
  std::optional<std::size_t> forced;
  std::shared_ptr<decision_trace> trace;       ///< null: not traced
  const training_request* training = nullptr;  ///< not null: this function is in training
};

/// Reads the model that a policy embeds; null where it has none.
using model_loader = std::shared_ptr<const model::loaded_model> (*)();

/// The policy's own model, or null. Read once a process.
template <typename Policy>
std::shared_ptr<const model::loaded_model> embedded_model() {
  if constexpr (requires { typename Policy::embedded_model; }) {
    static const auto loaded = std::make_shared<const model::loaded_model>(
        model::from_embedded<typename Policy::embedded_model>());
    return loaded;
  } else {
    return nullptr;
  }
}

/// Where a function's model may be, in order.
std::vector<std::string> model_directories(const policy_settings& settings,
                                           const context_options& options);

/// The first model there is. `embedded` is the policy's own, as a function that loads it, or null.
/// Throws fettle::error where there is none, or where the first one cannot be read or reached (a
/// loop of links, no permission): what comes after it is not what was asked for. Warns where
/// FETTLE_MODEL_DIR has none and another folder has.
std::shared_ptr<const model::loaded_model> find_model(const registry& function, context& shared,
                                                      model_loader embedded);

/// The model that chooses a variant and a clock; null where none was trained.
std::shared_ptr<const model::loaded_model> find_frequency_model(const registry& function,
                                                                const context& shared);

/// Throws fettle::error where FETTLE_MODEL_DIR names no folder: what is found elsewhere is not what
/// was asked for.
void check_model_directory();

/// The index of each of `wanted` in `all`. Throws where the two are not the same set.
std::vector<std::size_t> match_names(std::string_view what, const std::vector<std::string>& wanted,
                                     const std::vector<std::string>& all);

/// Makes `plan` select by the model. Throws fettle::error where the model is not for this function.
void deploy(deployment& plan, std::shared_ptr<const model::loaded_model> model, registry& function,
            chosen_among which = chosen_among::all_variants);

/// Throws fettle::error where FETTLE_FORCE cannot be understood, and in strict mode where it names
/// no variant of the function.
std::optional<std::size_t> find_forced(registry& function, context& shared);

/// Everything above, for the first call. Throws in strict mode, and on a malformed FETTLE_FORCE or
/// training request.
deployment make_deployment(registry& function, context& shared, model_loader embedded);

/// Makes the points that the plan's model may choose. Where one cannot be made (it does not
/// compile), the plan loses its model; in strict mode it throws.
void add_points(variant_tables& tables, deployment& plan, const registry& function,
                context& shared);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/deployment.ipp>
#endif
