// Misuse of schedules, policies and platforms, before anything is executed.
#include <string_view>

#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/schedule/lattice.hpp>
#include <fettle/ndp/schedule/parameters.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/policy.hpp>

namespace ndp = fettle::ndp;
namespace op = fettle::ndp::op;
namespace schedule = fettle::ndp::schedule;
using ndp::expression;
using schedule::cooperative;
using schedule::flattened;
using schedule::independent;
using schedule::sequential;

using spmv = expression<op::map, op::reduce>;
struct fpga {
  static constexpr std::string_view name = "fpga";
  static constexpr bool runs_on_host = false;
};

#ifndef MISUSE
void twin() {
  schedule::require_valid<independent<cooperative<>>, spmv>();
  schedule::require_valid<flattened<>, expression<op::map, op::scan>>();
  schedule::require_implementable<independent<cooperative<>>, spmv, ndp::platform::cuda>();
  static_assert(ndp::get_parameters<spmv, ndp::platform::cuda, independent<>>().size() > 0);
  ndp::platform::openmp here;
  static_cast<void>(here);
}
#endif

// expect: reduce at level 2 cannot be independent: use cooperative or sequential
#ifdef CASE_independent_reduce
void f() { schedule::require_valid<independent<independent<>>, spmv>(); }
#endif

// expect: error.*reduce cannot be independent at this level: use cooperative or sequential
#ifdef CASE_independent_reduce_in_the_error_itself
void f() { schedule::require_valid<independent<>, expression<op::reduce>>(); }
#endif

// expect: error.*scan cannot be independent at this level: use cooperative or sequential
#ifdef CASE_independent_scan
void f() { schedule::require_valid<independent<>, expression<op::scan>>(); }
#endif

// expect: error.*reduce_by_key cannot be independent at this level: use cooperative or sequential
#ifdef CASE_independent_reduce_by_key
void f() { schedule::require_valid<independent<>, expression<op::reduce_by_key, op::map>>(); }
#endif

// expect: error.*map cannot be cooperative at this level: use independent or sequential
#ifdef CASE_cooperative_map
void f() { schedule::require_valid<cooperative<>, spmv>(); }
#endif

// expect: is_not_valid_at_level<2, .*op::split, .*kind::cooperative
#ifdef CASE_cooperative_split
void f() { schedule::require_valid<independent<cooperative<>>, expression<op::split>>(); }
#endif

// expect: error.*flattened schedule is for a map directly followed by reduce or scan
#ifdef CASE_flattened_without_map
void f() { schedule::require_valid<flattened<>, expression<op::reduce>>(); }
#endif

// expect: is_not_valid_at_level<1, .*op::map, .*kind::flattened
#ifdef CASE_flattened_map_of_map
void f() { schedule::require_valid<flattened<>, expression<op::map, op::map, op::scan>>(); }
#endif

// expect: error.*the schedule has more levels than the expression
#ifdef CASE_too_many_levels
void f() { schedule::require_valid<independent<cooperative<sequential<>>>, spmv>(); }
#endif

// expect: error.*a GPU has two parallel levels, so every level below level 2 must be sequential
#ifdef CASE_three_parallel_levels_on_cuda
void f() {
  schedule::require_implementable<independent<independent<cooperative<>>>,
                                  expression<op::map, op::map, op::reduce>, ndp::platform::cuda>();
}
#endif

// expect: error.*flattened must be the outermost schedule
#ifdef CASE_flattened_inside
void f() {
  schedule::require_implementable<
      independent<flattened<>>, expression<op::map, op::map, op::reduce>, ndp::platform::openmp>();
}
#endif

// expect: error.*flattened uses all resources, so every level below it must be sequential
#ifdef CASE_parallel_below_flattened
void f() {
  schedule::require_implementable<
      flattened<independent<>>, expression<op::map, op::reduce, op::map>, ndp::platform::openmp>();
}
#endif

// expect: error.*This platform's traits are not known here: include the platform's header
#ifdef CASE_schedules_of_a_platform_without_traits
void f() { schedule::require_implementable<independent<>, spmv, fpga>(); }
#endif

// expect: error.*This platform's traits are not known here: include the platform's header
#ifdef CASE_parameters_of_a_platform_without_traits
auto f() { return ndp::get_parameters<spmv, fpga, independent<>>(); }
#endif

// expect: error.*reduce cannot be independent at this level
#ifdef CASE_parameters_of_an_invalid_schedule
auto f() { return ndp::get_parameters<spmv, ndp::platform::openmp, independent<independent<>>>(); }
#endif

// expect: error.*This operator has no line in the schedule lookup table
#ifdef CASE_unknown_operator
struct sort {
  static constexpr std::string_view name = "sort";
};
using strongest = schedule::strongest_t<expression<sort>>;
#endif

// expect: error.*An expression needs at least one operator
#ifdef CASE_empty_expression
using strongest = schedule::strongest_t<expression<>>;
#endif

// expect: error.*platform::cuda needs nvcc: compile this file as CUDA
#ifdef CASE_cuda_without_nvcc
auto f() { return ndp::platform::cuda{}; }
#endif

// expect: error.*platform::cuda needs nvcc: compile this file as CUDA
#ifdef CASE_cuda_with_a_stream_without_nvcc
void* stream = nullptr;
auto f() { return ndp::platform::cuda{stream}; }
#endif

// expect within 16 lines: inner_schedule
#ifdef CASE_no_schedule_inside
using s = independent<int>;
#endif

// expect within 18 lines: policy_like
#ifdef CASE_constant_of_a_fraction
using p = ndp::constant<1.5>;
#endif
