// read_file: a whole regular file as a string, or a fettle::error that names it.
#pragma once

#include <cstddef>
#include <string>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>

namespace fettle::inline FETTLE_ABI {

/// The bytes of the regular file at `path`. Throws fettle::error, naming the path and the system's
/// reason, where it cannot be opened or read, and where it is a folder, a pipe, a device or larger
/// than `maximum_size` bytes: neither a pipe that no one writes to nor a wrong path stops the
/// program or takes its memory.
[[nodiscard]] std::string read_file(const std::string& path,
                                    std::size_t maximum_size = std::size_t{1} << 30);

}  // namespace fettle

#ifndef FETTLE_COMPILED
#include <fettle/core/file.ipp>
#endif
