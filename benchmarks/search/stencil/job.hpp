// What the measuring program is asked for, and what it answers: a line each.
//
// A job is these fields, separated by tabs:
//
//   id  kernel  priority  key  threads  groups_x  groups_y  groups_z  shared_bytes  repeats  macros
//
// where `macros` are -DNAME=VALUE separated by blanks, and `repeats` is 0 for the usual number of
// launches. Jobs of a higher priority are compiled and measured first. The line
//
//   kernel  name  path
//
// says before a kernel's first job where its stencil_terms.inc is. An answer is a JSON object.
#pragma once

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace stencil {

/// One configuration of one kernel.
struct Job {
  std::int64_t id = 0;
  std::string kernel;
  int priority = 0;
  std::string key;  // of the cache
  unsigned threads = 1;
  unsigned groups[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  int repeats = 0;
  std::vector<std::string> macros;
};

/// What came of a job. `reason` says why it has no time; empty: it has one.
struct Answer {
  std::int64_t id = 0;
  std::string reason;
  double seconds = 0;  // the median launch
  double compile_seconds = 0;
  double measure_seconds = 0;  // loading, verification and all launches
  int launches = 0;            // that were timed
  int registers = 0;
  int local_bytes = 0;  // of a thread: spilled registers
  bool cached = false;  // the compiled kernel was on the disk; its compile_seconds are of then
};

/// The whole of a file. Throws where it cannot be read.
[[nodiscard]] inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + " cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The parts of a text between separators.
[[nodiscard]] inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// The job that a line's fields describe. Throws where they do not.
[[nodiscard]] inline Job parse_job(const std::vector<std::string>& fields) {
  if (fields.size() != 11) throw std::runtime_error("a job needs 11 fields, see job.hpp");
  const auto number = [&](std::size_t field) {
    return static_cast<unsigned>(std::stoul(fields[field]));
  };
  Job job;
  job.id = std::stoll(fields[0]);
  job.kernel = fields[1];
  job.priority = std::stoi(fields[2]);
  job.key = fields[3];
  job.threads = number(4);
  for (std::size_t i = 0; i < 3; ++i) job.groups[i] = number(5 + i);
  job.shared_bytes = number(8);
  job.repeats = std::stoi(fields[9]);
  job.macros = split(fields[10], ' ');
  return job;
}

/// A text as it stands in JSON.
[[nodiscard]] inline std::string json_text(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    if (static_cast<unsigned char>(c) < ' ') {
      made += ' ';
    } else {
      made += c;
    }
  }
  return made + '"';
}

/// The answer as a line of JSON.
[[nodiscard]] inline std::string to_json(const Answer& answer) {
  char seconds[32] = "null";
  if (answer.reason.empty()) std::snprintf(seconds, sizeof seconds, "%.9g", answer.seconds);
  char text[512];
  std::snprintf(text, sizeof text,
                "{\"id\": %lld, \"seconds\": %s, \"compile_seconds\": %.6g, "
                "\"measure_seconds\": %.6g, \"launches\": %d, \"registers\": %d, "
                "\"local_bytes\": %d, \"cached\": %s, \"reason\": ",
                static_cast<long long>(answer.id), seconds, answer.compile_seconds,
                answer.measure_seconds, answer.launches, answer.registers, answer.local_bytes,
                answer.cached ? "true" : "false");
  return text + json_text(answer.reason) + "}";
}

}  // namespace stencil
