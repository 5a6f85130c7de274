// The file in which a running program keeps the best points of its searches: one line a kind of
// input, appended when its search ends. It is of one function on one machine.
//
//   fettle-points 1 product AMD%20EPYC
//   tiled 9ae16a3b2f90404f tile=32%20unroll=2 0.00123
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/core/percent.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// A line of such a file.
struct cached_point {
  std::string variant;
  std::uint64_t key = 0;
  std::string values;  ///< as parameter_space::text_of() says them
  double cost = 0.0;
};

class online_cache {
 public:
  /// Nothing is read or written yet. With an empty path nothing ever is.
  online_cache(std::string path, std::string_view function, std::string_view processor)
      : path_(std::move(path)),
        header_("fettle-points 1 " + percent_encode(function) + " " + percent_encode(processor)) {}

  /// What the file holds; nothing where it is not there. A line that cannot be read is left out, as
  /// one that was cut by a full disk. Throws fettle::error where it is of another function, machine
  /// or version: its points would mislead.
  std::vector<cached_point> read() const;

  /// Appends a line; false where that fails. Throws as read(): another function of the program may
  /// have begun the file since.
  bool append(const cached_point& point) const;

 private:
  /// Throws fettle::error for a first line that is of another function, machine or version.
  void check_header(const std::string& line) const;

  /// False at the end of the file, which a line without its end was cut by.
  static bool next_line(std::FILE& file, std::string& line);

  static std::string hexadecimal(std::uint64_t key);

  static std::optional<cached_point> parse(std::string_view line);

  std::string path_;
  std::string header_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/online/online_cache.ipp>
#endif
