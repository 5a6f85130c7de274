// What the OpenMP kernels' tests share: policies.
#pragma once

#include <string>
#include <vector>

#include <fettle/ndp/openmp.hpp>

#include "ndp/host/cases.hpp"

namespace openmp_cases {

using namespace host_cases;

inline std::vector<ndp::openmp::policy> policies() {
  using ndp::openmp::execution_resource;
  using ndp::openmp::omp_schedule;
  using ndp::openmp::policy;
  std::vector<policy> out{{}, {.num_threads = 1}, {.num_threads = 2}, {.num_threads = 7}};
  for (const int factor : {1, 2, 4, 8}) {
    policy unrolled{.num_threads = 2};
    for (int i = 0; i < unrolled.level.count; ++i) unrolled.level[i].unroll = factor;
    out.push_back(unrolled);
  }
  for (const auto schedule : {omp_schedule::static_, omp_schedule::dynamic, omp_schedule::guided}) {
    for (const int chunk : {0, 3}) {
      policy dealt{.num_threads = 3};
      dealt.level.first = {.schedule = schedule, .chunk_size = chunk};
      out.push_back(dealt);
    }
  }
  policy nested{.num_threads = 4, .enable_nesting = true};
  nested.level.second.resource = execution_resource::team;
  out.push_back(nested);
  policy one_thread{.num_threads = 3};
  one_thread.level.first.resource = execution_resource::thread;
  out.push_back(one_thread);
  return out;
}

template <typename E, typename Visit>
void for_each_way(const E& e, const Visit& visit) {
  host_cases::for_each_way<ndp::platform::openmp>(e, policies(), visit);
}

template <typename E, typename T>
void check_every_way(const E& e, const std::vector<T>& expected, const std::string& about = {}) {
  host_cases::check_every_way<ndp::platform::openmp>(e, expected, policies(), about);
}

}  // namespace openmp_cases
