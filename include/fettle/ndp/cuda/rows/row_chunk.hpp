// row_chunk: a row cut in chunks of about the same length. Needs no CUDA.
#pragma once

#include <fettle/core/abi.hpp>
#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/index.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::cuda::detail {

/// Chunk `chunk` of `chunks` of a row of `size` atoms: [begin, end), all but the last equally long.
struct row_chunk {
  index_t begin;
  index_t end;

  [[nodiscard]] static FETTLE_HOST_DEVICE constexpr row_chunk of(index_t size, index_t chunk,
                                                                 index_t chunks) {
    const index_t length = ceiling_quotient(size, chunks);
    const index_t begin = chunk * length < size ? chunk * length : size;
    return {begin, begin + length < size ? begin + length : size};
  }
};

/// How many blocks a column gets: enough of them for a GPU that runs `threads` at once, down to
/// some elements a thread.
[[nodiscard]] constexpr index_t chunks_of_columns(index_t columns, index_t length,
                                                  int columns_a_block, int threads_a_column,
                                                  index_t threads) noexcept {
  constexpr index_t least_elements = 8;
  const index_t groups = ceiling_quotient(columns, index_t{columns_a_block});
  const index_t wanted = ceiling_quotient(threads, groups * columns_a_block * threads_a_column);
  const index_t most = ceiling_quotient(length, least_elements * threads_a_column);
  const index_t chunks = wanted < most ? wanted : most;
  return chunks > 0 ? chunks : 1;
}

}  // namespace fettle::ndp::cuda::detail
