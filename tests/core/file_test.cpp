#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

#include <fettle/core/file.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"

TEST_CASE("read_file returns every byte") {
  const test::scratch here;
  for (const std::size_t size : {0U, 1U, 16383U, 16384U, 16385U, 100000U}) {
    std::string content(size, '\0');
    for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<char>(i * 31 % 256);
    const std::string path = here / "bytes";
    std::ofstream(path, std::ios::binary) << content;
    CHECK(fettle::read_file(path) == content);
    CHECK(fettle::read_file(path, size) == content);
    if (size > 0) CHECK_THROWS_AS(fettle::read_file(path, size - 1), fettle::error);
  }
}

TEST_CASE("read_file names what it cannot read, and why") {
  const test::scratch here;
  const std::string missing = here / "missing";
  const auto message = [](const std::string& path) -> std::string {
    try {
      return fettle::read_file(path, 100000);
    } catch (const fettle::error& caught) {
      return caught.what();
    }
  };
  CHECK(message(missing) == "cannot open '" + missing + "': No such file or directory");
  CHECK(message(here.path()) == "cannot read '" + here.path() + "': Is a directory");
  const std::string large = here / "large";
  std::ofstream(large) << "x";
  std::filesystem::resize_file(large, std::uintmax_t{1} << 41);  // takes no room
  CHECK(message(large) == "'" + large + "' is larger than the 100000 bytes that are read at most");
  const std::string loop = here / "loop";
  std::filesystem::create_symlink(loop, loop);
  CHECK(message(loop) == "cannot open '" + loop + "': Too many levels of symbolic links");
}

TEST_CASE("read_file reads regular files alone, and waits for none") {
  const test::scratch here;
  const auto message = [](const std::string& path) -> std::string {
    try {
      return fettle::read_file(path);
    } catch (const fettle::error& caught) {
      return caught.what();
    }
  };
  const std::string pipe = here / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(message(pipe) == "cannot read '" + pipe + "': it is not a regular file but a pipe");
  CHECK(message("/dev/zero") == "cannot read '/dev/zero': it is not a regular file but a device");
  CHECK_FALSE(message("/proc/self/status").starts_with("cannot"));  // of no size, as it says
}
