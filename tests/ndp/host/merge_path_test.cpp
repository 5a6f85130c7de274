#include <cstdint>
#include <vector>

#include <fettle/ndp/host/flattened/merge_path.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>

#include "ndp/support/values.hpp"
#include "support/catch.hpp"

using namespace fettle::ndp;
using host::detail::row_position;

TEST_CASE("a position is where a walk over rows and elements gets") {
  for (const auto& shape : ndp_test::row_shapes()) {
    auto offsets = shape.offsets();
    for (index_t& offset : offsets) offset += 5;  // rows that begin behind other elements
    const std::vector<char> values(static_cast<std::size_t>(offsets.back()));
    const auto rows = nest(make_sequence(values), make_sequence(offsets));
    INFO(shape.name);
    row_position walked;
    index_t step = 0;
    bool right = true;
    for (std::size_t row = 0; row < shape.lengths.size(); ++row) {
      for (index_t offset = 0; offset <= shape.lengths[row]; ++offset, ++step) {
        walked = {static_cast<index_t>(row), offset};
        right = right && host::detail::position_after(rows, step) == walked;
      }
    }
    CHECK(right);
    CHECK(step == host::detail::path_length(rows));
    CHECK(host::detail::position_after(rows, step) == row_position{rows.size(), 0});
  }
}

TEST_CASE("a position does not hang on what paths of the same length were looked at before") {
  const std::vector<std::vector<index_t>> all_lengths = {
      {4, 0, 0, 4}, {0, 4, 4, 0}, {8, 0, 0, 0}, {0, 0, 0, 8}, {2, 2, 2, 2}};
  const auto walk = [](const std::vector<index_t>& lengths, index_t steps) {
    row_position at;
    for (; steps > 0; --steps) {
      const bool row_ends = at.offset == lengths[static_cast<std::size_t>(at.row)];
      at = row_ends ? row_position{at.row + 1, 0} : row_position{at.row, at.offset + 1};
    }
    return at;
  };
  const std::vector<char> values(8);
  for (int times = 0; times < 3; ++times) {
    for (index_t step = 0; step <= 12; ++step) {
      for (const auto& lengths : all_lengths) {
        const auto offsets = ndp_test::rows{"", lengths}.offsets();
        const auto rows = nest(make_sequence(values), make_sequence(offsets));
        INFO("step " << step << " of rows of " << lengths[0] << ", " << lengths[1]);
        const auto position = host::detail::position_after(rows, step);
        CHECK(position == walk(lengths, step));
        CHECK(host::detail::position_after(rows, step) == position);
      }
    }
  }
}

TEST_CASE("shares are equal and meet") {
  for (const auto& shape : ndp_test::row_shapes()) {
    const auto offsets = shape.offsets();
    const std::vector<char> values(static_cast<std::size_t>(offsets.back()));
    const auto rows = nest(make_sequence(values), make_sequence(offsets));
    for (const index_t parts : {1, 2, 3, 16, 100}) {
      INFO(shape.name << " in " << parts);
      row_position end{};
      for (index_t part = 0; part < parts; ++part) {
        const auto share = host::detail::tile_of_path(rows, part, parts);
        CHECK(share.first == end);
        end = share.last;
      }
      CHECK(end == row_position{rows.size(), 0});
    }
  }
}

TEST_CASE("shares of rows meet, and cut none that is short beside what a thread has") {
  for (const auto& shape : ndp_test::row_shapes()) {
    const auto offsets = shape.offsets();
    const std::vector<char> values(static_cast<std::size_t>(offsets.back()));
    const auto rows = nest(make_sequence(values), make_sequence(offsets));
    const index_t steps = host::detail::path_length(rows);
    for (const int threads : {1, 2, 3, 16, 100}) {
      for (const int each : {1, 5, 16}) {
        INFO(shape.name << " by " << threads << ", " << each << " each");
        const int parts = threads * each;
        const index_t longest = steps / (8 * threads);
        host::detail::tiles_of_rows places(rows, parts, threads);
        row_position end{};
        for (int part = 0; part < parts; ++part) {
          const auto share = places[part];
          CHECK(share.first == end);
          end = share.last;
          if (end.offset > 0) {
            CHECK(share.cuts_rows());
            CHECK(rows.row_begin(end.row + 1) - rows.row_begin(end.row) > longest);
          }
          const index_t step = end.row + rows.row_begin(end.row) - rows.row_begin(0) + end.offset;
          const index_t exact = fettle::ndp::part_begin(steps, part + 1, parts);
          CHECK(2 * (step > exact ? step - exact : exact - step) <= longest + 2);
        }
        CHECK(end == row_position{rows.size(), 0});
      }
    }
  }
}

TEST_CASE("shares are the same in whatever order they are asked for") {
  for (const auto& shape : ndp_test::row_shapes()) {
    const auto offsets = shape.offsets();
    const std::vector<char> values(static_cast<std::size_t>(offsets.back()));
    const auto rows = nest(make_sequence(values), make_sequence(offsets));
    host::detail::tiles_of_rows in_order(rows, 12, 3);
    std::vector<host::detail::path_tile> expected;
    for (int part = 0; part < 12; ++part) expected.push_back(in_order[part]);
    host::detail::tiles_of_rows places(rows, 12, 3);
    for (const int part : {4, 5, 11, 0, 1, 5, 5, 3}) {
      INFO(shape.name << ' ' << part);
      const auto share = places[part];
      CHECK(share.first == expected[static_cast<std::size_t>(part)].first);
      CHECK(share.last == expected[static_cast<std::size_t>(part)].last);
    }
  }
}

TEST_CASE("a source of another length than its row is cut so that nothing is lost") {
  CHECK(host::detail::offset_in_source(3, 10, 10) == 3);
  CHECK(host::detail::offset_in_source(10, 10, 10) == 10);
  CHECK(host::detail::offset_in_source(10, 10, 12) == 12);
  CHECK(host::detail::offset_in_source(9, 10, 12) == 9);
  CHECK(host::detail::offset_in_source(9, 10, 4) == 4);
  CHECK(host::detail::offset_in_source(10, 10, 0) == 0);
}
