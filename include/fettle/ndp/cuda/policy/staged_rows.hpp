// Which rows a block may stage in its shared memory (rows/short_rows.cuh). Needs no CUDA.
#pragma once

#include <cstddef>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// The largest value that is staged, in bytes.
inline constexpr std::size_t staged_value_bytes = 256;

}  // namespace fettle::ndp::cuda::detail
