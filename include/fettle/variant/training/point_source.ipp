// Definitions of point_source.hpp.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/percent.hpp>
#include <fettle/variant/training/point_source.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE point_source::point_source(const std::string& path)
    : path_(path), file_(std::fopen(path.c_str(), "r")) {
  if (file_ == nullptr) {
    throw error("cannot open '" + path + "' (points_from in FETTLE_TRAINING): " +
                std::strerror(errno) + "; run the program through the tuning script");
  }
}

[[gnu::cold]] FETTLE_INLINE std::optional<std::string> point_source::next() {
  std::string line;
  for (int c = std::fgetc(file_); c != EOF && c != '\n'; c = std::fgetc(file_)) {
    line += static_cast<char>(c);
  }
  if (line.empty()) return std::nullopt;
  std::optional<std::string> name = percent_decode(line);
  if (!name) throw error("'" + path_ + "': cannot understand '" + line + "'");
  return name;
}

}  // namespace fettle::detail
