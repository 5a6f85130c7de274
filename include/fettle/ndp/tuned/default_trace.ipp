// Definitions of default_trace.hpp.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/ndp/tuned/default_trace.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE bool update_default_trace() {
  const char* const file = std::getenv("FETTLE_TRACE");
  const bool traced = file != nullptr && *file != '\0';
  default_trace_state.store(traced ? 1 : 0, std::memory_order_relaxed);
  return traced;
}

// The text up to the next line break, which `text` loses with it, without blanks before it.
[[gnu::cold]] FETTLE_INLINE std::string_view next_explained(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  while (line.starts_with(' ')) line.remove_prefix(1);
  return line;
}

// Names are the program's: of what JSON does not take as it is they may have quotes, backslashes
// and control characters.
[[gnu::cold]] FETTLE_INLINE std::string& append_quoted(std::string& line, std::string_view text) {
  line += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') line += '\\';
    line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return line += '"';
}

[[gnu::cold]] FETTLE_INLINE void write_default_trace(std::string_view name,
                                                     std::string_view platform,
                                                     std::string_view expression,
                                                     std::string_view explanation) {
  constexpr std::string_view chosen = "chosen: ";
  std::string line = "{\"function\":";
  append_quoted(line, std::string(name).append(".").append(platform)) += ",\"expression\":";
  append_quoted(line, expression) += ",\"sizes\":";
  append_quoted(line, next_explained(explanation)) += ",\"candidates\":[";
  std::string_view choice;
  for (bool is_first = true; !explanation.empty();) {
    const std::string_view next = next_explained(explanation);
    if (next.starts_with(chosen)) {
      choice = next.substr(chosen.size());
    } else {
      if (!is_first) line += ',';
      is_first = false;
      append_quoted(line, next);
    }
  }
  append_quoted(line += "],\"variant\":", choice) += ",\"reason\":\"default rule\"}\n";
  const char* const path = std::getenv("FETTLE_TRACE");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "a");
  if (file == nullptr) {
    default_trace_state.store(0, std::memory_order_relaxed);
    std::fprintf(stderr,
                 "fettle: cannot open the trace file '%s' (FETTLE_TRACE): %s; the default rule's "
                 "choices are not traced\n",
                 path == nullptr ? "" : path, std::strerror(errno));
    return;
  }
  std::fwrite(line.data(), 1, line.size(), file);  // one write: threads and processes share it
  std::fclose(file);
}

}  // namespace fettle::detail
