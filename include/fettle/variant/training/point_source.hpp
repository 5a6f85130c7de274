// Where a program in training gets the points of parameters that it is to measure: a pipe on whose
// other end a search strategy writes one after the other, as it hears what the last one took.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/percent.hpp>

namespace fettle::inline FETTLE_ABI::detail {

class point_source {
 public:
  /// Waits until the other end is open. Throws fettle::error where the file cannot be opened.
  explicit point_source(const std::string& path)
      : path_(path), file_(std::fopen(path.c_str(), "r")) {
    if (file_ == nullptr) {
      throw error("cannot open '" + path + "' (points_from in FETTLE_TRAINING): " +
                  std::strerror(errno) + "; run the program through the tuning script");
    }
  }
  point_source(const point_source&) = delete;
  point_source& operator=(const point_source&) = delete;
  ~point_source() { std::fclose(file_); }

  /// The next point's name, waiting for it; nothing at the end. Throws fettle::error for a line
  /// that is no percent-encoded name.
  std::optional<std::string> next() {
    std::string line;
    for (int c = std::fgetc(file_); c != EOF && c != '\n'; c = std::fgetc(file_)) {
      line += static_cast<char>(c);
    }
    if (line.empty()) return std::nullopt;
    std::optional<std::string> name = percent_decode(line);
    if (!name) throw error("'" + path_ + "': cannot understand '" + line + "'");
    return name;
  }

 private:
  std::string path_;
  std::FILE* file_;
};

}  // namespace fettle::detail
