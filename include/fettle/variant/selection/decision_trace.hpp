// The decision trace: FETTLE_TRACE=file makes every selection write one JSON line there that says
// what was chosen and why.
//   {"function":"spmv","features":{"nnz":4054},"inside":true,"scores":{"csr":2.9,"dia":0.1},
//    "variant":"csr","reason":"model"}
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Appends lines to one file, each with one write, so that threads and processes may share it.
class decision_trace {
 public:
  /// Throws fettle::error where the file cannot be opened.
  explicit decision_trace(const std::string& path);
  decision_trace(const decision_trace&) = delete;
  decision_trace& operator=(const decision_trace&) = delete;
  ~decision_trace() { std::fclose(file_); }

  /// Writes one line. A full disk loses lines, never the program: tracing is not its business.
  void write(std::string line);

 private:
  std::mutex mutex_;
  std::FILE* file_;
};

/// The trace for FETTLE_TRACE's current value, one object a path and process. Throws as above.
std::shared_ptr<decision_trace> trace_to(const std::string& path);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/decision_trace.ipp>
#endif
