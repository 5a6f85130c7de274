// Models that were read from files, kept for the process: tuned functions are often local to a
// function that is called a million times.
#pragma once

#include <array>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <sys/stat.h>

#include <fettle/core/abi.hpp>
#include <fettle/model/model_directory.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// What changes with a file's content, as far as the file system tells.
using file_version = std::array<std::int64_t, 5>;

inline std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

file_version version_of(const struct stat& status);

/// Whether a file that changes from now on is sure to get another version. Its clock goes in ticks
/// of up to some ten milliseconds: two changes within one may leave the same times.
bool has_settled(const struct stat& status);

/// The model in `directory`, whose model.txt has this `status`. Read again where the file has
/// changed since, or may have. Throws as load_model_directory.
std::shared_ptr<const model::loaded_model> cached_model(const std::string& directory,
                                                        const struct stat& status);

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/selection/model_cache.ipp>
#endif
