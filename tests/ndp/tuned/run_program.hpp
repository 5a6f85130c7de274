// Running a tuned program, and what it leaves behind.
#pragma once

#include <cstdlib>
#include <string>
#include <sys/wait.h>

#include "support/scratch.hpp"
#include "support/trained.hpp"

namespace test {

struct outcome {
  int status;
  std::string text;

  [[nodiscard]] bool says(const std::string& part) const {
    return text.find(part) != std::string::npos;
  }
};

/// Runs a command by the shell, with `environment` as in "A=1 B=2".
inline outcome run(const std::string& environment, const std::string& command) {
  const scratch folder;
  const std::string output = folder / "output";
  const int status = std::system(
      (environment + " OMP_WAIT_POLICY=passive " + command + " > " + output + " 2>&1").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(output)};
}

/// Training of `function` by a program with its arguments, with shards separated by colons.
inline trained train(const std::string& function, const std::string& shards,
                     const std::string& program) {
  const scratch folder;
  const outcome ended =
      run("FETTLE_NDP_SHARDS=" + shards + " FETTLE_TRAINING_LOG=" + (folder / "log") +
              " FETTLE_TRAINING='function=" + function + " budget_s=0.2'",
          program);
  return {lines_of(folder / "log"), ended.status, ended.text};
}

}  // namespace test
