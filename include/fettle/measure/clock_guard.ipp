// Definitions of clock_guard.hpp.
#pragma once

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/clock_guard.hpp>
#include <fettle/measure/nvml_clocks.hpp>

namespace fettle::inline FETTLE_ABI {

namespace detail {

inline constexpr const char* guard_variable = "FETTLE_CLOCK_GUARD";
inline constexpr int guard_socket = 3;  // of the guard
inline constexpr char clock_is_changed = 'c';
inline constexpr char clock_is_set_back = 'b';
inline constexpr int guard_start_ms = 10'000;

/// Watches until the other end of the socket is closed or the process is gone, whichever is first:
/// children that it has forked hold the socket open. Returns whether a clock is changed.
[[gnu::cold]] FETTLE_INLINE bool watch(pid_t watched) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, watched, 0));
  bool changed = false;
  const char ready = 'r';
  if (write(guard_socket, &ready, 1) != 1) return false;
  pollfd seen[] = {{guard_socket, POLLIN, 0}, {process, POLLIN, 0}};
  for (;;) {
    if (poll(seen, process < 0 ? 1 : 2, -1) < 0) continue;  // a signal
    char said[64];
    const ssize_t count = recv(guard_socket, said, sizeof said, MSG_DONTWAIT);
    if (count > 0) {
      changed = said[count - 1] == clock_is_changed;
    } else if (count == 0 || (seen[1].revents & POLLIN) != 0) {
      return changed;
    }
  }
}

[[gnu::cold]] FETTLE_INLINE bool guard_if_asked() {
  const char* const asked = std::getenv(guard_variable);
  if (asked == nullptr) return false;
  unsigned device = 0;
  unsigned before = 0;
  int watched = 0;
  int length = 0;
  if (std::sscanf(asked, "%d %u %u %n", &watched, &device, &before, &length) != 3) std::_Exit(2);
  const std::string library(asked + length);
  unsetenv(guard_variable);  // programs that it starts are not guards
  syscall(SYS_close_range, guard_socket + 1, ~0U, 0);
  setsid();
  prctl(PR_SET_NAME, "fettle-guard");
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(number, SIG_IGN);
  if (!watch(watched)) std::_Exit(0);
  try {
    nvml_clocks(device, library).set(before);
  } catch (const error&) {
    std::_Exit(1);  // the watched process has ended: there is nowhere to report it
  }
  std::_Exit(0);
}

}  // namespace detail

[[gnu::cold]] FETTLE_INLINE clock_guard::clock_guard(unsigned device, const std::string& library,
                                                     unsigned before) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw error("cannot make a socket for the guard of a GPU's clock; too many files are open");
  }
  socket_ = ends[0];
  std::string asked = std::string(detail::guard_variable) + "=" + std::to_string(getpid()) + " " +
                      number_text(device) + " " + number_text(before) + " " + library;
  std::vector<char*> variables{asked.data()};
  for (char** one = environ; *one != nullptr; ++one) {
    // By its mark a tuner finds and kills what a program that hangs has started.
    if (!std::string_view(*one).starts_with("FETTLE_START=")) variables.push_back(*one);
  }
  variables.push_back(nullptr);
  std::string name = "fettle-guard";
  char* words[] = {name.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&files, standard, "/dev/null", O_RDWR, 0);
  }
  posix_spawn_file_actions_adddup2(&files, ends[1], detail::guard_socket);
  const int problem =
      posix_spawn(&process_, "/proc/self/exe", &files, nullptr, words, variables.data());
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  pollfd answer{socket_, POLLIN, 0};
  char ready = 0;
  if (problem == 0 && poll(&answer, 1, detail::guard_start_ms) == 1 &&
      recv(socket_, &ready, 1, 0) == 1) {
    return;
  }
  close(socket_);
  if (problem == 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  throw error(
      "the guard that sets a GPU's clock back did not start: the program is not compiled with "
      "<fettle/measure/clock_guard.hpp>, or is the interpreter of a script; clocks stay as they "
      "are");
}

[[gnu::cold]] FETTLE_INLINE clock_guard::~clock_guard() {
  close(socket_);
  waitpid(process_, nullptr, 0);
}

[[gnu::cold]] FETTLE_INLINE bool clock_guard::tell(bool changed) {
  const char said = changed ? detail::clock_is_changed : detail::clock_is_set_back;
  return send(socket_, &said, 1, MSG_NOSIGNAL) == 1;
}

}  // namespace fettle
