// The versions of a nest: what incremental flattening makes of a map with parallelism in it
// (Breddam 2019, rule G3), as schedules of the platform that the program is compiled for.
//
//   version      who works                       CUDA                      OpenMP
//   outer        a thread a row                  independent>sequential    independent>sequential
//   inner        a group a row                   a block of 128 threads    a thread's vector lanes
//   flattened    equal shares of all elements    flattened                 flattened
//
// Of a table the flattened version is one loop over all elements.
#pragma once

#include "nests.hpp"

namespace thresholds {

namespace schedule = ndp::schedule;

using by_rows = schedule::independent<schedule::sequential<>>;
using by_groups = schedule::independent<schedule::cooperative<>>;
using by_groups_alone = schedule::independent<schedule::independent<>>;
using by_elements = schedule::independent<>;

#ifdef __CUDACC__

inline constexpr int group = 128;
inline constexpr ndp::cuda::policy a_block_a_row{
    .block_size_x = group, .level = {{}, {.resource = ndp::cuda::execution_resource::block}}};
inline constexpr ndp::cuda::policy flat{.block_size_x = group};
using group_policy = ndp::constant<a_block_a_row>;
using flat_policy = ndp::constant<flat>;

#else

using group_policy = ndp::openmp::policy;
using flat_policy = ndp::openmp::policy;

#endif

}  // namespace thresholds
