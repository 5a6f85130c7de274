// Tiles of a flattened computation: the search on the merge path, and a block's work on its tile,
// run on the host by loops over blocks and threads and compared with the serial result.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/cuda/block/partial_value.hpp>
#include <fettle/ndp/cuda/flattened/flattened_tile.hpp>
#include <fettle/ndp/cuda/flattened/posted_carries.hpp>
#include <fettle/ndp/cuda/generic/flat_row.hpp>
#include <fettle/ndp/cuda/policy/flattened_memory.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/cuda/emulated_block.hpp"
#include "ndp/support/row_computations.hpp"
#include "ndp/support/row_patterns.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
namespace cuda = fettle::ndp::cuda;

namespace {

// The path step by step.
std::vector<ndp::path_coordinate<index_t>> serial_path(const std::vector<index_t>& offsets) {
  std::vector<ndp::path_coordinate<index_t>> out;
  index_t row = 0;
  index_t atom = 0;
  const auto rows = static_cast<index_t>(offsets.size()) - 1;
  for (;;) {
    out.push_back({row, atom});
    if (row == rows) return out;
    if (atom < offsets[static_cast<std::size_t>(row) + 1] - offsets[0]) {
      ++atom;
    } else {
      ++row;
    }
  }
}

// What flattened_reduce.cuh does, block by block.
template <int Threads, int Steps, bool SameRows, typename E>
auto emulate_flattened_reduce(const E& e) {
  using reduction = typename E::value_type;
  using value_type = typename reduction::value_type;
  using op_type = decltype(reduction::op);
  using block_type = emulated_block<Threads, Steps, SameRows, E>;
  using partial = cuda::detail::partial_value<op_type, value_type>;
  const auto& shape = outer_shape(e);
  const index_t rows = e.size();
  const index_t base = shape.row_begin(0);
  const index_t atoms = shape.row_begin(rows) - base;
  constexpr index_t tile_steps = Threads * Steps;
  std::vector<value_type> out(static_cast<std::size_t>(rows));
  std::vector<int> written(static_cast<std::size_t>(rows));
  using posted = cuda::detail::posted_carries<value_type>;
  const auto tiles = static_cast<std::size_t>((rows + atoms) / tile_steps + 1);
  std::vector<typename posted::word> words(
      static_cast<std::size_t>(posted::words_for(static_cast<index_t>(tiles))), 7);
  const posted carries{words.data()};
  for (std::size_t s = 0; s < tiles; ++s) carries.clear(static_cast<index_t>(s), 0, 1);
  const auto write = [&](const auto& r, const cuda::detail::row_extent& place,
                         const value_type& sum) {
    const auto at = static_cast<std::size_t>(place.row);
    ++written[at];
    out[at] = !covers_row(r, place) ? r.evaluate()
              : place.size() == 0   ? static_cast<value_type>(r.seed)
                                    : r.op(static_cast<value_type>(r.seed), sum);
  };
  for (index_t step = 0; step < rows + atoms; step += tile_steps) {
    const index_t end = std::min(step + tile_steps, rows + atoms);
    const auto block = std::make_unique<block_type>(e, step, end);
    const auto& bounds = block->bounds;
    const emulated_carry<op_type, value_type, Threads> carry(block->own, block->ops);
    for (std::size_t t = 0; t < Threads; ++t) {
      block_type::tile::finish(block->shared, block->steps[t], static_cast<int>(t), block->own[t],
                               carry.before[t], block->ops[t]);
    }
    for (int i = bounds.first_row_goes_on() ? 1 : 0; i < bounds.rows; ++i) {
      const auto place = block->place(i);
      write(row_at<SameRows>(e, place), place, block->shared.result(bounds, i));
    }
    const index_t here = step / tile_steps;
    carries.post(here, carry.all.value);
    if (bounds.rows > 0 && bounds.first_row_goes_on()) {
      const auto place = block->place(0);
      const auto r = row_at<SameRows>(e, place);
      const index_t first = first_tile_of_row(bounds, here, tile_steps);
      REQUIRE(first == ndp::first_step_of(place.row, place.begin - base) / tile_steps);
      auto sum = partial::none();
      for (index_t tile = first; tile < here; ++tile) sum.append(r.op, carries.take(tile));
      if (block->shared.row_end(bounds, 0) > 0) sum.append(r.op, block->shared.result(bounds, 0));
      write(r, place, sum.value);
    }
  }
  for (const int times : written) REQUIRE(times == 1);
  return out;
}

template <typename E>
void require_all_cuts_right(const E& e) {
  const auto expected = serial(e);
  REQUIRE((emulate_flattened_reduce<32, 1, false>(e) == expected));
  REQUIRE((emulate_flattened_reduce<32, 3, true>(e) == expected));
  REQUIRE((emulate_flattened_reduce<64, 7, true>(e) == expected));
  REQUIRE((emulate_flattened_reduce<256, 11, false>(e) == expected));
}

}  // namespace

TEST_CASE("merge path: every step is found, alone and by the lanes of a warp together") {
  for (const auto& pattern : row_patterns(1)) {
    if (pattern.offsets.back() > 3000) continue;
    INFO(pattern.name);
    const auto path = serial_path(pattern.offsets);
    const auto rows = static_cast<index_t>(pattern.offsets.size()) - 1;
    const index_t atoms = pattern.offsets.back() - pattern.offsets.front();
    const auto row_end = [&](index_t row) {
      return pattern.offsets[static_cast<std::size_t>(row) + 1] - pattern.offsets[0];
    };
    REQUIRE(static_cast<index_t>(path.size()) == rows + atoms + 1);
    bool all_found = true;
    int most_rounds = 0;
    for (index_t step = 0; step <= rows + atoms; ++step) {
      const auto& expected = path[static_cast<std::size_t>(step)];
      all_found &= ndp::find_on_path<index_t>(row_end, rows, atoms, step) == expected;
      // As in flattened_block.cuh: without knowing how many atoms there are.
      auto search = ndp::path_search<index_t>::over(rows, step, step);
      int rounds = 0;
      for (; !search.found() && rounds < 10; ++rounds) {
        const int lanes = rounds == 0 || search.high - search.low <= 128 ? 128 : 32;
        int count = 0;
        for (int lane = 0; lane < lanes; ++lane) {
          const index_t row = search.probe(lane, lanes);
          if (row < search.high && search.comes_before(row, row_end(row))) ++count;
        }
        search.narrow(count, lanes);
      }
      most_rounds = std::max(most_rounds, rounds);
      all_found &= search.coordinate() == expected;
    }
    CHECK(all_found);
    CHECK(most_rounds <= 2);
  }
}

TEST_CASE("flattened tile: sums of rows of all lengths") {
  for (const auto& pattern : row_patterns(2)) {
    INFO(pattern.name);
    const auto values = random_numbers(static_cast<std::size_t>(pattern.offsets.back()), 7);
    require_all_cuts_right(ndp::map(
        sum_row{}, ndp::nest(ndp::make_sequence(values), ndp::make_sequence(pattern.offsets))));
  }
}

TEST_CASE("flattened tile: an operator that is not commutative and has no identity") {
  for (const auto& pattern : row_patterns(3)) {
    INFO(pattern.name);
    const auto values = random_affines(static_cast<std::size_t>(pattern.offsets.back()), 8);
    require_all_cuts_right(ndp::map(
        compose_row{}, ndp::nest(ndp::make_sequence(values), ndp::make_sequence(pattern.offsets))));
  }
}

TEST_CASE("flattened tile: the operator's state may differ from row to row") {
  for (const auto& pattern : row_patterns(4)) {
    INFO(pattern.name);
    const auto values = random_numbers(static_cast<std::size_t>(pattern.offsets.back()), 9);
    const auto shifts = random_numbers(pattern.offsets.size() - 1, 10);
    require_all_cuts_right(ndp::map(
        shifted_row{}, ndp::nest(ndp::make_sequence(values), ndp::make_sequence(pattern.offsets)),
        ndp::make_sequence(shifts)));
  }
}

TEST_CASE("flattened tile: a reduction over part of its row is right all the same") {
  for (const auto& pattern : row_patterns(5)) {
    INFO(pattern.name);
    std::vector<index_t> values(static_cast<std::size_t>(pattern.offsets.back()), 1);
    require_all_cuts_right(
        ndp::map(without_first{},
                 ndp::nest(ndp::make_sequence(values), ndp::make_sequence(pattern.offsets))));
  }
}

TEST_CASE("posted carries: a value of any size is taken as it was posted") {
  const auto is_kept = [](const auto& value) {
    using posted = cuda::detail::posted_carries<std::remove_cvref_t<decltype(value)>>;
    std::vector<typename posted::word> words(static_cast<std::size_t>(posted::words_for(3)), 5);
    const posted carries{words.data()};
    for (int lane = 0; lane < 32; ++lane) carries.clear(1, lane, 32);
    carries.post(1, value);
    const auto once = carries.take(1);
    return std::memcmp(&once, &value, sizeof(value)) == 0 && words.front() == 5 &&
           words.back() == 5;
  };
  CHECK(is_kept(std::uint8_t{200}));
  CHECK(is_kept(-1.5F));
  CHECK(is_kept(std::int64_t{-1}));
  CHECK(is_kept(std::array<std::uint8_t, 7>{1, 2, 3, 4, 5, 6, 255}));
  CHECK(is_kept(std::array<double, 40>{1.0, -2.0, 0.0, 1e300}));
}

TEST_CASE("flattened tile: steps of a thread fit the shared memory of a block") {
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    for (const int grain : {1, 2, 3, 8}) {
      for (const std::size_t bytes : {1U, 4U, 8U, 16U, 24U}) {
        const int steps = cuda::detail::steps_per_thread(threads, grain, bytes);
        INFO(threads << " threads, grain " << grain << ", " << bytes << " bytes");
        CHECK(steps >= 1);
        CHECK(steps % 2 == 1);
        CHECK(steps <= 31);
        const bool fits = static_cast<std::size_t>(threads * steps) * (bytes + 4) <= 44 * 1024;
        CHECK(fits);
      }
    }
  }
}
