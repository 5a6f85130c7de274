// Definitions of decision_trace.hpp.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/selection/decision_trace.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE decision_trace::decision_trace(const std::string& path)
    : file_(std::fopen(path.c_str(), "a")) {
  if (file_ == nullptr) {
    throw error("cannot open the trace file '" + path +
                "' (FETTLE_TRACE): " + std::strerror(errno) + "; decisions are not traced");
  }
}

[[gnu::cold]] FETTLE_INLINE void decision_trace::write(std::string line) {
  line += '\n';
  const std::scoped_lock lock(mutex_);
  std::fwrite(line.data(), 1, line.size(), file_);
  std::fflush(file_);
}

[[gnu::cold]] FETTLE_INLINE std::shared_ptr<decision_trace> trace_to(const std::string& path) {
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
