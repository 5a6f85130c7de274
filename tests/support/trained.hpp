// What a program in training leaves behind, by the text of its log's lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace test {

struct trained {
  std::vector<std::string> log;
  int status = -1;     ///< how it ended, as who started it says
  std::string output;  ///< what it printed, where that was kept

  /// The number of lines of the log with `part` in them.
  [[nodiscard]] std::size_t count(const std::string& part) const {
    std::size_t n = 0;
    for (const std::string& line : log) n += line.find(part) != std::string::npos ? 1U : 0U;
    return n;
  }
  [[nodiscard]] bool has(const std::string& part) const { return count(part) > 0; }
  [[nodiscard]] bool says(const std::string& part) const {
    return output.find(part) != std::string::npos;
  }
};

}  // namespace test
