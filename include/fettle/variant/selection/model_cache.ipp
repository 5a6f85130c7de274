// Definitions of model_cache.hpp.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <sys/stat.h>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/variant/selection/model_cache.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE file_version version_of(const struct stat& status) {
  return {nanoseconds(status.st_mtim), nanoseconds(status.st_ctim),
          static_cast<std::int64_t>(status.st_ino), static_cast<std::int64_t>(status.st_dev),
          static_cast<std::int64_t>(status.st_size)};
}

[[gnu::cold]] FETTLE_INLINE bool has_settled(const struct stat& status) {
  constexpr std::int64_t settling = 1'000'000'000;
  timespec now{};
  timespec_get(&now, TIME_UTC);
  const std::int64_t age = nanoseconds(now) - nanoseconds(status.st_ctim);
  return age > settling || age < -settling;  // far in the future: another machine's clock
}

[[gnu::cold]] FETTLE_INLINE std::shared_ptr<const model::loaded_model> cached_model(
    const std::string& directory, const struct stat& status) {
  struct kept {
    file_version version{};
    std::shared_ptr<const model::loaded_model> model;
  };
  static std::mutex mutex;
  static auto& cache = *new std::map<std::string, kept>;  // static destructors may call, too
  const bool will_be_told = has_settled(status);          // before it is read
  const std::scoped_lock lock(mutex);
  if (const auto known = cache.find(directory);
      known != cache.end() && known->second.version == version_of(status)) {
    return known->second.model;
  }
  auto read = std::make_shared<const model::loaded_model>(model::load_model_directory(directory));
  if (will_be_told) cache[directory] = {version_of(status), read};
  return read;
}

}  // namespace fettle::detail
