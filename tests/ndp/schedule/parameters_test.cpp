// Get-Parameters against the paper's table V, row by row, and beyond it.
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/schedule/lattice.hpp>
#include <fettle/ndp/schedule/parameters.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace op = fettle::ndp::op;
namespace platform = fettle::ndp::platform;
using ndp::expression;
using ndp::schedule::cooperative;
using ndp::schedule::flattened;
using ndp::schedule::independent;
using ndp::schedule::sequential;

namespace {

using names = std::vector<std::string>;
using spmv = expression<op::map, op::reduce>;

template <typename Expression, typename Platform, typename S>
names all_parameters() {
  names out;
  for (const ndp::parameter& p : ndp::get_parameters<Expression, Platform, S>()) {
    out.push_back(to_string(p));
  }
  return out;
}

// Without execution_resource, which the paper lists in table IV and leaves out of table V.
template <typename Platform, typename S>
names table_v() {
  names out;
  for (const std::string& name : all_parameters<spmv, Platform, S>()) {
    if (name.rfind("execution_resource", 0) != 0) out.push_back(name);
  }
  return out;
}

// Every parameter is a field of the platform's policy, at its level.
template <typename Policy, typename Expression, typename Platform>
void check_fields() {
  fettle::for_each(
      ndp::schedule::valid_t<Expression, Platform>{}, []<typename S>(fettle::type_tag<S>) {
        for (const ndp::parameter& p : ndp::get_parameters<Expression, Platform, S>()) {
          int found = 0;
          visit_fields(Policy{},
                       [&](int level, std::string_view, std::string_view paper_name, const auto&) {
                         if (level == p.level && paper_name == p.name) ++found;
                       });
          CAPTURE(to_string(p));
          CHECK(found == 1);
        }
      });
}

}  // namespace

TEST_CASE("table V: CUDA") {
  CHECK(table_v<platform::cuda, independent<cooperative<>>>() ==
        names{"block_size_x", "block_size_y", "logical_warp_size", "grain_size_1",
              "block_reduce_algo_2"});
  CHECK(table_v<platform::cuda, independent<sequential<>>>() ==
        names{"block_size_x", "block_size_y", "logical_warp_size", "grain_size_1",
              "enable_unroll_2"});
  // The table has no enable_unroll_1 in this row. Algorithm 1 looks a level up by its own operator
  // and schedule alone, so that the sequential map has it here as in the last row.
  CHECK(table_v<platform::cuda, sequential<cooperative<>>>() ==
        names{"block_size_x", "block_size_y", "logical_warp_size", "enable_unroll_1",
              "block_reduce_algo_2"});
  CHECK(table_v<platform::cuda, sequential<sequential<>>>() ==
        names{"block_size_x", "block_size_y", "logical_warp_size", "enable_unroll_1",
              "enable_unroll_2"});
}

TEST_CASE("table V: OpenMP") {
  CHECK(table_v<platform::openmp, independent<cooperative<>>>() ==
        names{"num_threads", "enable_nesting", "omp_schedule_1", "chunk_size_1", "omp_schedule_2",
              "chunk_size_2"});
  CHECK(
      table_v<platform::openmp, independent<sequential<>>>() ==
      names{"num_threads", "enable_nesting", "omp_schedule_1", "chunk_size_1", "enable_unroll_2"});
  CHECK(
      table_v<platform::openmp, sequential<cooperative<>>>() ==
      names{"num_threads", "enable_nesting", "enable_unroll_1", "omp_schedule_2", "chunk_size_2"});
  CHECK(table_v<platform::openmp, sequential<sequential<>>>() ==
        names{"num_threads", "enable_nesting", "enable_unroll_1", "enable_unroll_2"});
}

TEST_CASE("the innermost parallel level on CUDA leaves a choice of resources") {
  const auto resources = [](const names& all) {
    names out;
    for (const std::string& name : all) {
      if (name.rfind("execution_resource", 0) == 0) out.push_back(name);
    }
    return out;
  };
  using flat = expression<op::map>;
  using total = expression<op::reduce>;
  using grid = expression<op::map, op::map>;
  // Level 1's is for blocks that take rows as a whole.
  CHECK(resources(all_parameters<spmv, platform::cuda, independent<cooperative<>>>()) ==
        names{"execution_resource_1", "execution_resource_2"});
  CHECK(resources(all_parameters<spmv, platform::cuda, independent<sequential<>>>()) ==
        names{"execution_resource_1"});
  CHECK(resources(all_parameters<spmv, platform::cuda, sequential<cooperative<>>>()) ==
        names{"execution_resource_2"});
  CHECK(resources(all_parameters<spmv, platform::cuda, sequential<>>()).empty());
  CHECK(resources(all_parameters<spmv, platform::cuda, flattened<>>()).empty());
  CHECK(resources(all_parameters<flat, platform::cuda, independent<>>()).empty());
  CHECK(resources(all_parameters<total, platform::cuda, cooperative<>>()) ==
        names{"execution_resource_1"});
  CHECK(resources(all_parameters<grid, platform::cuda, independent<independent<>>>()) ==
        names{"execution_resource_2"});
}

TEST_CASE("a parallel level inside another level on OpenMP leaves a choice of resources") {
  const auto has_at = []<typename S>(S /*schedule*/, int level) {
    return ndp::get_parameters<spmv, platform::openmp, S>().contains({"execution_resource", level});
  };
  CHECK(has_at(independent<cooperative<>>{}, 2));
  CHECK(has_at(sequential<cooperative<>>{}, 2));
  CHECK_FALSE(has_at(independent<cooperative<>>{}, 1));
  CHECK_FALSE(has_at(independent<sequential<>>{}, 2));
}

TEST_CASE("scans have the parameters of block scans, levels left out those of sequential ones") {
  CHECK(
      all_parameters<expression<op::map, op::scan>, platform::cuda, independent<cooperative<>>>() ==
      names{"block_size_x", "block_size_y", "logical_warp_size", "grain_size_1",
            "block_scan_algo_2", "block_scan_grain_size_2", "execution_resource_2"});
  CHECK(all_parameters<expression<op::reduce_by_key>, platform::cuda, cooperative<>>() ==
        names{"block_size_x", "block_size_y", "logical_warp_size", "block_scan_algo_1",
              "block_scan_grain_size_1", "execution_resource_1"});
  CHECK(all_parameters<spmv, platform::cuda, independent<>>() ==
        all_parameters<spmv, platform::cuda, independent<sequential<>>>());
}

TEST_CASE("flattened is one node over two levels") {
  CHECK(all_parameters<spmv, platform::cuda, flattened<>>() ==
        names{"block_size_x", "block_size_y", "logical_warp_size", "grain_size_1"});
  CHECK(all_parameters<spmv, platform::openmp, flattened<>>() ==
        names{"num_threads", "enable_nesting"});
  CHECK(all_parameters<expression<op::map, op::reduce, op::map>, platform::openmp, flattened<>>() ==
        names{"num_threads", "enable_nesting", "enable_unroll_3"});
}

TEST_CASE("split has parameters for both of its levels, a fourth level none of its own") {
  CHECK(all_parameters<expression<op::split>, platform::openmp, independent<independent<>>>() ==
        names{"num_threads", "enable_nesting", "omp_schedule_1", "chunk_size_1", "omp_schedule_2",
              "chunk_size_2", "execution_resource_2"});
  CHECK(all_parameters<expression<op::map, op::map, op::map, op::map>, platform::openmp,
                       sequential<>>() == names{"num_threads", "enable_nesting", "enable_unroll_1",
                                                "enable_unroll_2", "enable_unroll_3"});
}

TEST_CASE("every parameter is a field of the policy, under its name in the paper") {
  using deep = expression<op::map, op::reduce_by_key, op::scan>;
  check_fields<ndp::cuda::policy, spmv, platform::cuda>();
  check_fields<ndp::cuda::policy, deep, platform::cuda>();
  check_fields<ndp::openmp::policy, spmv, platform::openmp>();
  check_fields<ndp::openmp::policy, deep, platform::openmp>();
}
