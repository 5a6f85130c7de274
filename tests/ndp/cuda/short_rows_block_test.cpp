// A block's work on consecutive short rows, run on the host by loops over blocks and threads and
// compared with the serial result.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include <fettle/ndp/cuda/rows/short_rows_block.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/support/row_computations.hpp"
#include "ndp/support/row_patterns.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace cuda = fettle::ndp::cuda;

namespace {

// What short_rows.cuh does, block by block.
template <int Threads, int Tile, bool SameRows, typename E>
auto emulate_short_rows(const E& e) {
  using reduction = typename E::value_type;
  using value_type = typename reduction::value_type;
  using op_type = decltype(reduction::op);
  using partial = cuda::detail::partial_value<op_type, value_type>;
  using block_of_rows = cuda::detail::short_rows_block<value_type, Threads, Tile>;
  std::vector<value_type> out;
  auto shared = std::make_unique<typename block_of_rows::memory>();
  for (index_t first = 0; first < e.size(); first += Threads) {
    const typename block_of_rows::bounds block{
        first, static_cast<int>(std::min<index_t>(Threads, e.size() - first))};
    for (int t = 0; t < Threads; ++t) block_of_rows::place_rows(*shared, block, outer_shape(e), t);
    std::vector<partial> sum(Threads, partial::none());
    const index_t end = shared->row_begin[block.rows];
    for (index_t tile = shared->row_begin[0]; tile < end; tile += Tile) {
      for (int t = 0; t < Threads; ++t) block_of_rows::mark(*shared, block, tile, t);
      for (int t = 0; t < Threads; ++t) {
        block_of_rows::template evaluate<SameRows>(*shared, block, e, tile, t);
      }
      for (int t = 0; t < block.rows; ++t) {
        const auto r = row_at<SameRows>(e, block_of_rows::extent_of(*shared, block, t));
        block_of_rows::reduce(*shared, block, tile, t, r.op, sum[static_cast<std::size_t>(t)]);
      }
    }
    for (int t = 0; t < block.rows; ++t) {
      const auto place = block_of_rows::extent_of(*shared, block, t);
      const auto r = row_at<SameRows>(e, place);
      out.push_back(!covers_row(r, place) ? r.evaluate()
                    : place.size() == 0   ? static_cast<value_type>(r.seed)
                                          : r.op(static_cast<value_type>(r.seed),
                                                 sum[static_cast<std::size_t>(t)].value));
    }
  }
  return out;
}

template <typename E>
void require_all_tiles_right(const E& e) {
  const auto expected = serial(e);
  REQUIRE((emulate_short_rows<32, 5, true>(e) == expected));
  REQUIRE((emulate_short_rows<64, 512, false>(e) == expected));
  REQUIRE((emulate_short_rows<256, 2048, true>(e) == expected));
}

template <std::size_t Bytes>
struct bytes_of {
  unsigned char values[Bytes];
};

// Whether a block's memory is no more than 48 KiB, all that a kernel gets without asking.
template <int Threads, std::size_t... Bytes>
constexpr bool fits_shared_memory =
    (... &&
     (sizeof(typename cuda::detail::short_rows_block<
             bytes_of<Bytes>, Threads, cuda::detail::short_rows_tile(Threads, Bytes)>::memory) <=
      48 * 1024));
static_assert(fits_shared_memory<32, 1, 2, 4, 8, 12, 16, 24, 32, 40, 64, 100, 128, 200, 256>);
static_assert(fits_shared_memory<256, 1, 2, 4, 8, 12, 16, 24, 32, 40, 64, 100, 128, 200, 256>);
static_assert(fits_shared_memory<1024, 1, 2, 4, 8, 12, 16, 24, 32, 40, 64, 100, 128, 200, 256>);

}  // namespace

TEST_CASE("short rows: rows of all lengths, operators of all kinds") {
  for (const auto& pattern : row_patterns(21)) {
    INFO(pattern.name);
    const auto count = static_cast<std::size_t>(pattern.offsets.back());
    const auto numbers = random_numbers(count, 1);
    const auto affines = random_affines(count, 2);
    const auto shifts = random_numbers(pattern.offsets.size() - 1, 3);
    const auto offsets = ndp::make_sequence(pattern.offsets);
    require_all_tiles_right(ndp::map(sum_row{}, ndp::nest(ndp::make_sequence(numbers), offsets)));
    require_all_tiles_right(
        ndp::map(compose_row{}, ndp::nest(ndp::make_sequence(affines), offsets)));
    require_all_tiles_right(ndp::map(shifted_row{}, ndp::nest(ndp::make_sequence(numbers), offsets),
                                     ndp::make_sequence(shifts)));
    require_all_tiles_right(
        ndp::map(without_first{}, ndp::nest(ndp::make_sequence(numbers), offsets)));
  }
}

TEST_CASE("short rows: neighbouring threads use different banks") {
  using block_of_rows = cuda::detail::short_rows_block<double, 32, 1024>;
  for (const int row_length : {2, 4, 8, 16, 32}) {
    std::vector<int> used(16);
    for (int half = 0; half < 16; ++half) {
      ++used[static_cast<std::size_t>(block_of_rows::padded(half * row_length) % 16)];
    }
    INFO("rows of " << row_length);
    CHECK(*std::max_element(used.begin(), used.end()) <= 2);
  }
}
