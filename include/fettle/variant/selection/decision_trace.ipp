// Definitions of decision_trace.hpp.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <unistd.h>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/variant/selection/decision_trace.hpp>

namespace fettle::inline FETTLE_ABI::detail {

// Non-blocking only while it is opened: there the program would wait for a pipe's reader.
[[gnu::cold]] FETTLE_INLINE decision_trace::decision_trace(const std::string& path)
    : path_(path),
      file_(open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666)) {
  if (file_ < 0) {
    const char* const why =
        errno == ENXIO ? "it is a pipe that nobody reads" : std::strerror(errno);
    throw error("cannot open the trace file '" + path + "' (FETTLE_TRACE): " + why +
                "; decisions are not traced");
  }
  fcntl(file_, F_SETFL, O_APPEND);
}

[[gnu::cold]] FETTLE_INLINE decision_trace::~decision_trace() { close(file_); }

[[gnu::cold]] FETTLE_INLINE void decision_trace::write(std::string line) {
  line += '\n';
  const char* rest = line.data();
  std::size_t left = line.size();
  while (left > 0) {
    const ssize_t written = ::write(file_, rest, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      if (has_lost_.exchange(true)) return;
      std::fprintf(stderr,
                   "fettle: warning: cannot write to '%s' (FETTLE_TRACE): %s; lines are lost\n",
                   path_.c_str(), std::strerror(errno));
      return;
    }
    rest += written;
    left -= static_cast<std::size_t>(written);
  }
}

[[gnu::cold]] FETTLE_INLINE std::shared_ptr<decision_trace> trace_to(const std::string& path) {
  static std::mutex mutex;
  static auto& opened = *new std::string;  // static destructors may call, too
  static auto& trace = *new std::shared_ptr<decision_trace>;
  const std::scoped_lock lock(mutex);
  if (trace == nullptr || opened != path) {
    trace = std::make_shared<decision_trace>(path);
    opened = path;
  }
  return trace;
}

}  // namespace fettle::detail
