// Definitions of file.hpp.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/file.hpp>
#include <fettle/core/number.hpp>

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE std::string read_file(const std::string& path,
                                                  std::size_t maximum_size) {
  const auto fail = [&path](const char* what) {
    throw error("cannot " + std::string(what) + " '" + path + "': " + std::strerror(errno));
  };
  const struct opened {
    int file;
    explicit opened(const std::string& name)
        // Not blocking: a pipe opens at once, to be refused below. What is open stays what it is.
        : file(::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
    opened(const opened&) = delete;
    opened& operator=(const opened&) = delete;
    ~opened() {
      if (file >= 0) ::close(file);
    }
  } input(path);
  if (input.file < 0) fail("open");
  struct stat status{};
  if (::fstat(input.file, &status) != 0) fail("read");
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {  // read() says what a folder is
    throw error("cannot read '" + path + "': it is not a regular file but " +
                (S_ISFIFO(status.st_mode) ? "a pipe" : "a device"));
  }
  const auto too_large = [&] {
    return error("'" + path + "' is larger than the " + number_text(maximum_size) +
                 " bytes that are read at most");
  };
  // The file may grow meanwhile, and those in /proc say that they are empty.
  if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > maximum_size) {
    throw too_large();
  }
  std::string content;
  char buffer[1 << 14];
  while (true) {
    const ssize_t got = ::read(input.file, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read");
    if (got == 0) return content;
    if (static_cast<std::size_t>(got) > maximum_size - content.size()) throw too_large();
    content.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace fettle
