// OpenMP's threads in tests, which compile without OpenMP too.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

namespace test {

/// The number of the calling thread in its team.
[[nodiscard]] inline int this_thread() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

#ifdef _OPENMP
/// Teams are of so many threads while it lives, whatever the machine has.
class threads {
 public:
  explicit threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  threads(const threads&) = delete;
  threads& operator=(const threads&) = delete;
  ~threads() { omp_set_num_threads(before_); }

 private:
  int before_;
};
#endif

}  // namespace test
