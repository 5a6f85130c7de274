// The decision trace: FETTLE_TRACE=file makes every selection write one JSON line there that says
// what was chosen and why.
//   {"function":"spmv","features":{"nnz":4054},"inside":true,"scores":{"csr":2.9,"dia":0.1},
//    "variant":"csr","reason":"model"}
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Appends lines to one file, each with one write, so that threads and processes may share it, also
/// a process that was forked from this one.
class decision_trace {
 public:
  /// Throws fettle::error where the file cannot be opened, or is a pipe that nobody reads.
  explicit decision_trace(const std::string& path);
  decision_trace(const decision_trace&) = delete;
  decision_trace& operator=(const decision_trace&) = delete;
  ~decision_trace();

  /// Writes one line. A full disk loses lines, never the program: the first that is lost is a line
  /// on standard error.
  void write(std::string line);

 private:
  std::string path_;
  int file_;
  std::atomic<bool> has_lost_{false};
};

/// The trace for FETTLE_TRACE's current value, one object a path and process. Throws as above.
std::shared_ptr<decision_trace> trace_to(const std::string& path);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/decision_trace.ipp>
#endif
