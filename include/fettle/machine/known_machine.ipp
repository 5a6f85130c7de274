// Definitions of known_machine.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/crc32.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/file.hpp>
#include <fettle/core/number.hpp>
#include <fettle/core/percent.hpp>
#include <fettle/machine/description.hpp>
#include <fettle/machine/gpu_features.hpp>
#include <fettle/machine/known_machine.hpp>
#include <fettle/machine/measured_features.hpp>
#include <fettle/machine/processor_features.hpp>

namespace fettle::inline FETTLE_ABI::detail {

inline constexpr std::int64_t oldest_seconds = std::int64_t{90} * 24 * 3600;
inline constexpr std::size_t largest_machine_file = 1 << 20;

[[gnu::cold]] FETTLE_INLINE std::string processor_and_cores() {
  const machine_description machine = describe_machine();
  return machine.processor + ", " + number_text(machine.cores) + " cores";
}

[[gnu::cold]] FETTLE_INLINE std::string driver_version() {
  try {
    const std::string text = read_file("/proc/driver/nvidia/version", largest_machine_file);
    return text.substr(0, text.find('\n'));
  } catch (const error&) {
    return {};
  }
}

[[gnu::cold]] FETTLE_INLINE bool holds_here(const known_machine& machine, std::int64_t now) {
  const std::int64_t age = now - machine.measured_at;
  return machine.processor == processor_and_cores() && machine.driver == driver_version() &&
         age < oldest_seconds && age > -oldest_seconds;
}

[[gnu::cold]] FETTLE_INLINE std::optional<double> value_of(const known_machine& machine,
                                                           std::string_view name) {
  for (const device_features* const all : {&machine.own, &machine.features}) {
    for (const device_feature& one : *all) {
      if (one.name == name) return one.value;
    }
  }
  return std::nullopt;
}

[[gnu::cold]] FETTLE_INLINE known_machine
describe_this_machine(const std::vector<std::string>& needed, std::int64_t now) {
  known_machine found{processor_and_cores(), driver_version(), now, processor_features(), {}};
  for (device_feature& one : describe_gpu().features) found.features.push_back(std::move(one));
  const bool lacks_some = std::any_of(needed.begin(), needed.end(), [&](const std::string& name) {
    return !value_of(found, name);
  });
  if (lacks_some) {
    for (device_feature& one : measure_processor()) found.features.push_back(std::move(one));
  }
  return found;
}

[[gnu::cold]] FETTLE_INLINE void keep_machine(const std::string& file,
                                              const known_machine& machine) {
  std::error_code ignored;
  const std::filesystem::path path(file);
  std::filesystem::create_directories(path.parent_path(), ignored);
  const std::string fresh = file + "." + number_text(getpid());
  std::ofstream out(fresh, std::ios::binary);
  out << machine_text(machine);
  out.close();
  if (out) std::filesystem::rename(fresh, path, ignored);
  if (!out || ignored) std::filesystem::remove(fresh, ignored);
}

/// One line of a machine file, as its words.
[[gnu::cold]] FETTLE_INLINE std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::optional<std::string> word = percent_decode(line.substr(0, end));
    words.push_back(word ? *word : std::string());
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

}  // namespace fettle::detail

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE std::string machine_file() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (std::string named = variable("FETTLE_MACHINE"); !named.empty()) return named;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) {
    return cache + "/fettle/machine.txt";
  }
  const std::string home = variable("HOME");
  return home.empty() ? std::string() : home + "/.cache/fettle/machine.txt";
}

[[gnu::cold]] FETTLE_INLINE std::string machine_text(const known_machine& machine) {
  std::string text = "fettle-machine 1\nprocessor " + percent_encode(machine.processor) + "\n";
  if (!machine.driver.empty()) text += "driver " + percent_encode(machine.driver) + "\n";
  text += "measured " + number_text(machine.measured_at) + "\n";
  const auto add = [&](const char* key, const device_features& all) {
    for (const device_feature& one : all) {
      text +=
          std::string(key) + " " + percent_encode(one.name) + " " + number_text(one.value) + "\n";
    }
  };
  add("feature", machine.features);
  add("own", machine.own);
  char checksum[16];
  std::snprintf(checksum, sizeof checksum, "%08x", static_cast<unsigned>(crc32(text)));
  return text + "end " + checksum + "\n";
}

[[gnu::cold]] FETTLE_INLINE known_machine read_machine_text(const std::string& file,
                                                            std::string_view text) {
  const auto fail = [&](const std::string& what) {
    throw error("'" + file + "' " + what +
                "; remove it, or write it again with `fettle machine --write`");
  };
  known_machine found;
  std::string_view rest = text;
  std::size_t number = 0;
  bool ended = false;
  while (!ended) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) fail("is cut off: its last line is not 'end'");
    const std::vector<std::string> words = detail::words_of(rest.substr(0, end));
    const std::string key = words.empty() ? std::string() : words[0];
    const auto wrong = [&] { fail("line " + number_text(number + 1) + " cannot be read"); };
    if (number == 0) {
      if (key != "fettle-machine" || words.size() != 2) fail("is not a machine file");
      if (words[1] != "1") {
        fail("is of version " + words[1].substr(0, 20) + ", this program reads version 1");
      }
    } else if (key == "end" && words.size() == 2) {
      char checksum[16];
      const std::string_view before = text.substr(0, text.size() - rest.size());
      std::snprintf(checksum, sizeof checksum, "%08x", static_cast<unsigned>(crc32(before)));
      if (words[1] != checksum) fail("does not match its checksum: it was damaged or edited");
      ended = true;
    } else if ((key == "processor" || key == "driver") && words.size() == 2) {
      (key == "driver" ? found.driver : found.processor) = words[1];
    } else if (key == "measured" && words.size() == 2) {
      const auto seconds = parse_number<std::int64_t>(words[1]);
      if (!seconds) wrong();
      found.measured_at = *seconds;
    } else if ((key == "feature" || key == "own") && words.size() == 3 && !words[1].empty()) {
      const auto value = parse_number<double>(words[2]);
      if (!value || !is_finite(*value)) wrong();
      (key == "own" ? found.own : found.features).push_back({words[1], *value});
    } else {
      wrong();
    }
    rest.remove_prefix(end + 1);
    ++number;
  }
  if (!rest.empty()) fail("has more after its end");
  return found;
}

[[gnu::cold]] FETTLE_INLINE std::vector<double> features_of_this_machine(
    const std::vector<std::string>& names) {
  const std::string file = machine_file();
  const auto now = static_cast<std::int64_t>(std::time(nullptr));
  std::optional<known_machine> kept;
  try {
    if (!file.empty()) {
      kept = read_machine_text(file, read_file(file, detail::largest_machine_file));
    }
  } catch (const error&) {  // not there, or damaged: found again
  }
  const auto lacks = [&names](const known_machine& machine) {
    const auto lacking = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return !detail::value_of(machine, name);
    });
    return lacking == names.end() ? std::string() : *lacking;
  };
  if (!kept || !detail::holds_here(*kept, now) || !lacks(*kept).empty()) {
    const bool is_same = kept && kept->processor == detail::processor_and_cores();
    const device_features own = is_same ? kept->own : device_features{};
    kept = detail::describe_this_machine(names, now);
    kept->own = own;
    if (!file.empty()) detail::keep_machine(file, *kept);
  }
  if (const std::string name = lacks(*kept); !name.empty()) {
    throw error("this machine has no device feature '" + name + "'; give it one: `fettle machine " +
                "--set " + name + "=... --write`");
  }
  std::vector<double> values;
  values.reserve(names.size());
  for (const std::string& name : names) values.push_back(*detail::value_of(*kept, name));
  return values;
}

}  // namespace fettle
