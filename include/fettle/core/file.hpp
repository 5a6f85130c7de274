// read_file: a whole file as a string, or a fettle::error that names it.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>

namespace fettle {

/// The bytes of the file at `path`. Throws fettle::error, naming the path and the system's reason,
/// where it cannot be opened or read (a directory, no permission), and where it is larger than
/// `maximum_size` bytes, so that a device or a wrong path cannot eat the memory.
[[nodiscard]] inline std::string read_file(const std::string& path,
                                           std::size_t maximum_size = std::size_t{1} << 30) {
  const struct opened {  // not unique_ptr: <memory> would double what this header costs to compile
    std::FILE* file;
    explicit opened(const std::string& name) : file(std::fopen(name.c_str(), "rb")) {}
    opened(const opened&) = delete;
    opened& operator=(const opened&) = delete;
    ~opened() {
      if (file != nullptr) std::fclose(file);
    }
  } input(path);
  if (input.file == nullptr) throw error("cannot open '" + path + "': " + std::strerror(errno));
  std::string content;
  char buffer[1 << 14];
  while (true) {
    const std::size_t got = std::fread(buffer, 1, sizeof buffer, input.file);
    if (got > maximum_size - content.size()) {
      throw error("'" + path + "' is larger than the " + number_text(maximum_size) +
                  " bytes that are read at most");
    }
    content.append(buffer, got);
    if (got < sizeof buffer) break;
  }
  if (std::ferror(input.file) != 0) {
    throw error("cannot read '" + path + "': " + std::strerror(errno));
  }
  return content;
}

}  // namespace fettle
