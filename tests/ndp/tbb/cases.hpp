// What the tests of platform::tbb have in common: policies.
#pragma once

#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/tbb.hpp>

#include "ndp/host/cases.hpp"

namespace tbb_cases {

using namespace host_cases;
using on_tbb = ndp::platform::tbb;

/// One thread, more threads than cores, every partitioner with and without a grain, tasks in tasks.
inline std::vector<ndp::tbb::policy> policies() {
  using enum ndp::tbb::partitioner_type;
  using ndp::tbb::execution_resource;
  std::vector<ndp::tbb::policy> out{{}, {.num_threads = 1}, {.num_threads = 7}};
  for (const auto split : {automatic, auto_, simple, static_}) {
    for (const int grain : {0, 3}) {
      out.push_back({.num_threads = 3,
                     .level = {.first = {.partitioner = split, .grain_size = grain},
                               .second = {.unroll = 4}}});
    }
  }
  out.push_back({.num_threads = 4, .level = {.second = {.resource = execution_resource::tasks}}});
  out.push_back({.num_threads = 3, .level = {.first = {.resource = execution_resource::thread}}});
  return out;
}

struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 2.0);
  }
};
struct row_scan {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::scan(ndp::plus{}, row, 1.0);
  }
};
struct row_negated {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::map(ndp::negate{}, row);
  }
};

}  // namespace tbb_cases
