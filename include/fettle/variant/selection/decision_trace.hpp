// The decision trace: FETTLE_TRACE=file makes every selection write one JSON line there that says
// what was chosen and why.
//   {"function":"spmv","features":{"nnz":4054},"inside":true,"scores":{"csr":2.9,"dia":0.1},
//    "variant":"csr","reason":"model"}
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
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
  explicit decision_trace(const std::string& path) : file_(std::fopen(path.c_str(), "a")) {
    if (file_ == nullptr) {
      throw error("cannot open the trace file '" + path +
                  "' (FETTLE_TRACE): " + std::strerror(errno) + "; decisions are not traced");
    }
  }
  decision_trace(const decision_trace&) = delete;
  decision_trace& operator=(const decision_trace&) = delete;
  ~decision_trace() { std::fclose(file_); }

  /// Writes one line. A full disk loses lines, never the program: tracing is not its business.
  void write(std::string line) {
    line += '\n';
    const std::scoped_lock lock(mutex_);
    std::fwrite(line.data(), 1, line.size(), file_);
    std::fflush(file_);
  }

 private:
  std::mutex mutex_;
  std::FILE* file_;
};

/// The trace for FETTLE_TRACE's current value, one object a path and process. Throws as above.
inline std::shared_ptr<decision_trace> trace_to(const std::string& path) {
  static std::mutex mutex;
  static std::string opened;
  static std::shared_ptr<decision_trace> trace;
  const std::scoped_lock lock(mutex);
  if (trace == nullptr || opened != path) {
    trace = std::make_shared<decision_trace>(path);
    opened = path;
  }
  return trace;
}

}  // namespace fettle::detail
