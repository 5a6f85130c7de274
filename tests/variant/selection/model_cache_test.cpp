// Models read from files: once a version, and again as long as a version is so young that its
// file's time may equal the next one's.
#include <ctime>
#include <string>
#include <sys/stat.h>

#include <fettle/variant/selection/model_cache.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

using fettle::detail::cached_model;
using test::split_model;

namespace {

struct stat status_of(const std::string& file) {
  struct stat status{};
  REQUIRE(stat(file.c_str(), &status) == 0);
  return status;
}

/// As if the file had last been changed so many seconds before now.
struct stat changed_before(struct stat status, std::time_t seconds) {
  timespec_get(&status.st_ctim, TIME_UTC);
  status.st_ctim.tv_sec -= seconds;
  return status;
}

double bound_of(const fettle::model::loaded_model& model) { return model.inputs.front().high; }

}  // namespace

TEST_CASE("a model that has not changed for long is read once") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  const struct stat old = changed_before(status_of(folder / "f/model.txt"), 60);
  const auto first = cached_model(folder / "f", old);
  CHECK(cached_model(folder / "f", old) == first);
}

TEST_CASE("a model that is written over within a tick of the file system's clock is read again") {
  test::scratch folder;
  split_model model;
  test::write_model(folder.path(), model);
  const struct stat young = changed_before(status_of(folder / "f/model.txt"), 0);
  CHECK(bound_of(*cached_model(folder / "f", young)) == 100.0);
  model.range_high = 200.0;
  test::write_model(folder.path(), model);
  CHECK(bound_of(*cached_model(folder / "f", young)) == 200.0);
}

TEST_CASE("a model of another size, inode or time is another version") {
  test::scratch folder;
  split_model model;
  test::write_model(folder.path(), model);
  struct stat known = changed_before(status_of(folder / "f/model.txt"), 60);
  CHECK(bound_of(*cached_model(folder / "f", known)) == 100.0);
  const auto changes = {
      +[](struct stat& status) { ++status.st_size; },
      +[](struct stat& status) { ++status.st_ino; },
      +[](struct stat& status) { ++status.st_dev; },
      +[](struct stat& status) { ++status.st_mtim.tv_nsec; },
      +[](struct stat& status) { --status.st_ctim.tv_sec; },
  };
  for (const auto change : changes) {
    model.range_high += 1.0;
    test::write_model(folder.path(), model);
    CHECK(bound_of(*cached_model(folder / "f", known)) == model.range_high - 1.0);
    change(known);
    CHECK(bound_of(*cached_model(folder / "f", known)) == model.range_high);
  }
}

TEST_CASE("a file of the far future does not stay unsettled for ever") {
  test::scratch folder;
  test::write_model(folder.path(), {});
  const struct stat future = changed_before(status_of(folder / "f/model.txt"), -3600);
  CHECK(cached_model(folder / "f", future) == cached_model(folder / "f", future));
}
