// An energy sensor that another program writes: joules as text in a file, as of zeus, of a power
// meter at the wall, or of a daemon that may read what this program may not.
#pragma once

#include <cstddef>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/measure/energy_sensor.hpp>

namespace fettle::inline FETTLE_ABI {

/// Reads "1234.5" from a file: joules since whenever, of which the writer replaces the file several
/// times a second. Says no power.
class file_sensor {
 public:
  /// Throws fettle::error where the file cannot be read, or holds no number.
  explicit file_sensor(std::string path) : path_(std::move(path)) { static_cast<void>(read()); }

  /// Throws fettle::error likewise.
  sensor_sample read() const {
    char text[64] = {};
    std::FILE* const file = std::fopen(path_.c_str(), "r");
    std::size_t count = 0;
    if (file != nullptr) {
      count = std::fread(text, 1, sizeof text - 1, file);
      std::fclose(file);
    }
    while (count > 0 && (text[count - 1] == '\n' || text[count - 1] == ' ')) --count;
    const std::optional<double> joules = parse_number<double>(std::string_view(text, count));
    if (!joules || !is_finite(*joules)) {
      throw error("the energy counter '" + path_ +
                  "' holds no number of joules; start what writes it, or unset "
                  "FETTLE_ENERGY_COUNTER");
    }
    sensor_sample found;
    found.joules = *joules;
    return found;
  }

  [[nodiscard]] std::string name() const { return "the counter " + path_; }
  /// Never: what begins anew is seen as a counter that went back, and refused.
  [[nodiscard]] static double counter_range() { return std::numeric_limits<double>::infinity(); }

 private:
  std::string path_;
};

}  // namespace fettle
