// OpenMP as the platform of the execution tests: memory is the program's, and policies are values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/support/values.hpp"

namespace ndp_test {

using tested_platform = fettle::ndp::platform::openmp;

/// Elements in the platform's memory.
template <typename T>
class data {
 public:
  explicit data(std::vector<T> values) : values_(std::move(values)) {}

  [[nodiscard]] fettle::ndp::sequence<const T> read() const {
    return fettle::ndp::make_sequence(values_);
  }
  [[nodiscard]] fettle::ndp::sequence<T> write() { return fettle::ndp::make_sequence(values_); }
  [[nodiscard]] std::vector<T> values() const { return values_; }

 private:
  std::vector<T> values_;
};

/// Element types of which the platform's tests take the whole list.
using element_types = numbers;

/// Of the schedules that are valid for an expression, those that are tested: all.
template <typename Schedules>
using tested_schedules_t = Schedules;

/// One thread, more threads than cores, every loop schedule, nested teams.
inline const std::vector<fettle::ndp::openmp::policy> sampled_policies = [] {
  using fettle::ndp::openmp::execution_resource;
  using fettle::ndp::openmp::omp_schedule;
  using policy = fettle::ndp::openmp::policy;
  return std::vector<policy>{
      policy{},
      policy{.num_threads = 1},
      policy{.num_threads = 3,
             .level = {.first = {.schedule = omp_schedule::dynamic, .chunk_size = 1}}},
      policy{.num_threads = 2,
             .level = {.first = {.schedule = omp_schedule::guided, .chunk_size = 5},
                       .second = {.unroll = 2}}},
      policy{.num_threads = 5,
             .level = {.first = {.schedule = omp_schedule::static_, .chunk_size = 7},
                       .second = {.resource = execution_resource::thread}}},
      policy{.num_threads = 2,
             .enable_nesting = true,
             .level = {.first = {.schedule = omp_schedule::static_},
                       .second = {.resource = execution_resource::team}}},
  };
}();

template <typename Schedule, typename Visit>
void for_each_policy(Visit&& visit) {
  for (const fettle::ndp::openmp::policy& policy : sampled_policies) {
    if (violation(policy, Schedule{}).empty()) visit(policy, "policy " + to_string(policy));
  }
}

}  // namespace ndp_test
