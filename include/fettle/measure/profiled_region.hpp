// The part of a program that a profiler counts: from the construction of an object to its end.
// The profiler is started so that it waits for this: `ncu --profile-from-start off`, or
// `perf stat --delay=-1 --control fifo:FOLDER/control,FOLDER/answer`.
#pragma once

#include <string>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Counts nothing where no profiler is attached. Not for use by several threads at a time.
class profiled_region {
 public:
  /// `profiler` is "cuda", for Nsight Compute, or the folder of perf's two pipes. Throws
  /// fettle::error where the program uses no CUDA, and where perf does not answer.
  explicit profiled_region(std::string profiler);
  ~profiled_region();
  profiled_region(const profiled_region&) = delete;
  profiled_region& operator=(const profiled_region&) = delete;

 private:
  std::string profiler_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/measure/profiled_region.ipp>
#endif
