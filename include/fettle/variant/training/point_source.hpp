// Where a program in training gets the points of parameters that it is to measure: a pipe on whose
// other end a search strategy writes one after the other, as it hears what the last one took.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/percent.hpp>

namespace fettle::inline FETTLE_ABI::detail {

class point_source {
 public:
  /// Waits until the other end is open. Throws fettle::error where the file cannot be opened.
  explicit point_source(const std::string& path);
  point_source(const point_source&) = delete;
  point_source& operator=(const point_source&) = delete;
  ~point_source() { std::fclose(file_); }

  /// The next point's name, waiting for it; nothing at the end. Throws fettle::error for a line
  /// that is not a percent-encoded name.
  std::optional<std::string> next();

 private:
  std::string path_;
  std::FILE* file_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/training/point_source.ipp>
#endif
