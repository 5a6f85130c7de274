// The flattened scan of rows, run on the host by loops over blocks and threads and compared with
// the serial result.
#include <algorithm>
#include <memory>
#include <vector>

#include <fettle/ndp/cuda/flattened/flattened_tile.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/cuda/emulated_block.hpp"
#include "ndp/support/row_computations.hpp"
#include "ndp/support/row_patterns.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;

namespace {

template <typename E>
auto serial_scan(const E& e, std::size_t count) {
  std::vector<typename E::value_type::value_type> out(count);
  for (index_t i = 0; i < e.size(); ++i) {
    const auto begin = static_cast<std::size_t>(outer_shape(e).row_begin(i));
    e[i].for_each_serial(
        [&](index_t j, const auto& value) { out[begin + static_cast<std::size_t>(j)] = value; });
  }
  return out;
}

// What flattened_scan.cuh does, kernel by kernel.
template <int Threads, int Steps, bool SameRows, typename E>
auto emulate_flattened_scan(const E& e, std::size_t count) {
  using block_type = emulated_block<Threads, Steps, SameRows, E>;
  using op_type = typename block_type::op_type;
  using value_type = typename block_type::value_type;
  using partial = cuda::detail::partial_value<op_type, value_type>;
  using carry_type = emulated_carry<op_type, value_type, Threads>;
  const index_t total = e.size() + outer_shape(e).row_begin(e.size()) - outer_shape(e).row_begin(0);
  std::vector<value_type> out(count);
  partial before_tile = partial::none();
  for (index_t step = 0; step < total; step += Threads * Steps) {
    const auto block =
        std::make_unique<block_type>(e, step, std::min(step + Threads * Steps, total));
    const carry_type carry(block->own, block->ops);
    for (std::size_t t = 0; t < Threads; ++t) {
      auto before = carry.before[t];
      if (block->steps[t].row == 0) before = joined(block->ops[t], before_tile, before);
      constexpr bool inclusive = E::value_type::is_inclusive;
      block_type::tile::template scan<inclusive>(block->shared, block->steps[t],
                                                 static_cast<int>(t), before, block->op_of(e));
    }
    for (int k = 0; k < block->bounds.atoms; ++k) {
      const int taken_by = block->shared.step_of(k);
      const auto place = block->place(taken_by - k);
      const auto r = cuda::detail::row_at<SameRows>(e, place);
      const index_t at = block->bounds.first_atom + k;
      const auto seed = static_cast<value_type>(r.seed);
      out[static_cast<std::size_t>(at)] =
          at == place.begin && !E::value_type::is_inclusive
              ? seed
              : static_cast<value_type>(r.op(seed, block->shared.values()[taken_by]));
    }
    before_tile =
        block->bounds.rows > 0 ? carry.all : joined(block->ops[0], before_tile, carry.all);
  }
  return out;
}

template <typename E>
void require_all_cuts_right(const E& e, std::size_t count) {
  const auto expected = serial_scan(e, count);
  REQUIRE((emulate_flattened_scan<32, 3, true>(e, count) == expected));
  REQUIRE((emulate_flattened_scan<64, 7, false>(e, count) == expected));
}

}  // namespace

TEST_CASE("flattened scan: rows of all lengths, with and without an identity") {
  for (const auto& pattern : row_patterns(31)) {
    INFO(pattern.name);
    const auto count = static_cast<std::size_t>(pattern.offsets.back());
    const auto numbers = random_numbers(count, 1);
    const auto affines = random_affines(count, 2);
    const auto offsets = ndp::make_sequence(pattern.offsets);
    require_all_cuts_right(ndp::map(scan_row{}, ndp::nest(ndp::make_sequence(numbers), offsets)),
                           count);
    require_all_cuts_right(
        ndp::map(scan_compose_row{}, ndp::nest(ndp::make_sequence(affines), offsets)), count);
    require_all_cuts_right(
        ndp::map(inclusive_scan_compose_row{}, ndp::nest(ndp::make_sequence(affines), offsets)),
        count);
  }
}
