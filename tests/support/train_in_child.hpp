// Training in a child process of a test, since a process has one training request.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <fettle/core/error.hpp>
#include <fettle/measure/timer.hpp>

#include "support/scratch.hpp"
#include "support/trained.hpp"

namespace test {

/// What a test wants to be otherwise than usual of the files of a program in training.
struct training_files {
  std::string points{};  ///< the content of the file of points to measure
  std::string log{};     ///< the log, which is then not read
};

/// Runs `program` as a child process that is asked to train f; its status is that of waitpid().
/// An error of Fettle ends it with 98.
inline trained train(const std::string& request, const std::function<int()>& program,
                     const training_files& files = {}) {
  const scratch folder;
  const std::string log = files.log.empty() ? folder / "log.jsonl" : files.log;
  const std::string from = files.points.empty() ? "" : " points_from=" + folder / "points";
  if (!files.points.empty()) write_text(folder / "points", files.points);
  const pid_t child = fork();
  if (child == 0) {
    setenv("FETTLE_TRAINING_LOG", log.c_str(), 1);
    setenv("FETTLE_TRAINING", ("function=f " + request + from).c_str(), 1);
    int code = 99;
    try {
      code = program();
    } catch (const fettle::error& problem) {
      std::fprintf(stderr, "%s\n", problem.what());
      code = 98;
    }
    _exit(code);
  }
  trained seen;
  waitpid(child, &seen.status, 0);
  if (files.log.empty()) seen.log = lines_of(log);
  return seen;
}

/// Works for so long; on a busy machine it takes longer.
inline void spin(double seconds) {
  const fettle::timer clock;
  while (clock.seconds() < seconds) {
  }
}

}  // namespace test
