// How many threads OpenMP offers; one where the program is compiled without OpenMP.
#pragma once

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace spmv {

#if defined(_OPENMP)
inline int maximum_threads() noexcept { return omp_get_max_threads(); }
inline int this_thread() noexcept { return omp_get_thread_num(); }
inline int team_size() noexcept { return omp_get_num_threads(); }
#else
inline int maximum_threads() noexcept { return 1; }
inline int this_thread() noexcept { return 0; }
inline int team_size() noexcept { return 1; }
#endif

}  // namespace spmv
