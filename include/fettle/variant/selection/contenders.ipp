// Definitions of contenders.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/variant/selection/contenders.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE void contenders::load(const training_request& request,
                                                  registry& function) {
  if (!request.compares) return;
  all_.push_back({"default", {}, std::make_unique<deployment>()});
  add("deployed", request.deployed_model, function);
  add("candidate", request.candidate_model, function);
}

[[gnu::cold]] FETTLE_INLINE void contenders::lay_out(const registered& all) {
  const bool has_points = all.names.variants.size() == all.callables.variants.size();
  for (contender& one : all_) {
    if (!has_points && one.deployed->model != nullptr) {
      one.problem = "a point that a model chooses cannot be made";
      *one.deployed = {};
    }
    one.plan = call_plan::make(*one.deployed, all.names, all.callables, all.features, false);
  }
}

[[gnu::cold]] FETTLE_INLINE std::vector<std::string> contenders::names() const {
  std::vector<std::string> names;
  for (const contender& one : all_) names.push_back(one.name);
  return names;
}

[[gnu::cold]] FETTLE_INLINE void contenders::add(std::string name, const std::string& directory,
                                                 registry& function) {
  if (directory.empty()) return;
  all_.push_back({std::move(name), {}, std::make_unique<deployment>()});
  contender& one = all_.back();
  try {
    auto model =
        std::make_shared<const model::loaded_model>(model::load_model_directory(directory));
    deploy(*one.deployed, std::move(model), function, chosen_among::some_variants);
  } catch (const error& problem) {
    one.problem = problem.what();
    *one.deployed = {};
  }
}

[[gnu::cold]] FETTLE_INLINE contender_run::contender_run(const contender& one, std::size_t number) {
  if (!one.problem.empty()) throw error(one.problem);
  running_contender = number;
}

}  // namespace fettle::detail
