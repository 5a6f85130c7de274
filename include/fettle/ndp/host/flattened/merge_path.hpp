// merge_path: a nested sequence cut into equal tiles of steps, whatever its rows' lengths are. A
// tile may begin and end inside a row.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/base/merge_path.hpp>
#include <fettle/ndp/base/split.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// A position in a nested sequence: before element `offset` of row `row`.
struct row_position {
  index_t row = 0;
  index_t offset = 0;

  [[nodiscard]] friend constexpr bool operator==(const row_position&,
                                                 const row_position&) = default;
};

/// The steps of the whole path.
template <has_row_offsets Rows>
[[nodiscard]] inline index_t path_length(const Rows& rows) {
  const index_t count = rows.size();
  return count == 0 ? 0 : count + rows.row_begin(count) - rows.row_begin(0);
}

// The row that this thread found for such a step of such a path last, or of another one.
[[nodiscard]] inline index_t& remembered_row(index_t rows, index_t atoms, index_t step) noexcept {
  constexpr std::size_t bits = 6;
  thread_local std::array<index_t, std::size_t{1} << bits> found{};
  constexpr std::uint64_t spread = 0x9e3779b97f4a7c15;  // 2^64 / the golden ratio (Knuth 6.4)
  const auto key = static_cast<std::uint64_t>(step + 3 * rows + 5 * atoms);
  return found[static_cast<std::size_t>((key * spread) >> (64 - bits))];
}

// Whether the search would end at `row`: a look at the two ends beside it.
template <typename RowEnd>
[[nodiscard]] bool ends_at(const path_search<index_t>& search, index_t row, const RowEnd& row_end) {
  return search.low <= row && row <= search.high &&
         (row == search.low || search.comes_before(row - 1, row_end(row - 1))) &&
         (row == search.high || !search.comes_before(row, row_end(row)));
}

// find_on_path(), from guesses: the row of the last call, because a computation that runs again has
// its tiles at the same rows; then the row at the same fraction of all rows, which is nearly right
// where rows are about equally long, so that few, neighbouring row ends are read.
template <typename RowEnd>
[[nodiscard]] path_coordinate<index_t> find_near(const RowEnd& row_end, index_t rows, index_t atoms,
                                                 index_t step) {
  auto search = path_search<index_t>::over(rows, atoms, step);
  if (search.found()) return search.coordinate();
  index_t& remembered = remembered_row(rows, atoms, step);
  if (ends_at(search, remembered, row_end)) return {remembered, step - remembered};
  const double fraction = static_cast<double>(step) / static_cast<double>(rows + atoms);
  index_t probe = std::clamp(static_cast<index_t>(fraction * static_cast<double>(rows)), search.low,
                             search.high - 1);
  const auto narrow = [&] {
    const bool before = search.comes_before(probe, row_end(probe));
    (before ? search.low : search.high) = before ? probe + 1 : probe;
    return before;
  };
  const bool upwards = narrow();
  for (index_t stride = 4; !search.found(); stride *= 4) {
    probe = upwards ? std::min(search.low + stride, search.high) - 1
                    : std::max(search.high - stride, search.low);
    if (narrow() != upwards) break;
  }
  const auto coordinate = bisect(search, row_end);
  remembered = coordinate.row;
  return coordinate;
}

/// Where the path is after `step` steps.
template <has_row_offsets Rows>
[[nodiscard]] inline row_position position_after(const Rows& rows, index_t step) {
  const index_t count = rows.size();
  if (count == 0) return {};
  const index_t base = rows.row_begin(0);
  const auto coordinate =
      find_near(row_ends_of<Rows>{rows, base}, count, rows.row_begin(count) - base, step);
  return {coordinate.row, coordinate.atom - (rows.row_begin(coordinate.row) - base)};
}

/// One tile of the path: the rest of row first.row from first.offset on, the rows behind it, and
/// the start of row last.row up to last.offset.
struct path_tile {
  row_position first;
  row_position last;

  /// A row ends in this tile that began in an earlier one.
  [[nodiscard]] bool ends_open_row() const noexcept {
    return last.row > first.row && first.offset > 0;
  }
  /// It begins or ends inside a row.
  [[nodiscard]] bool cuts_rows() const noexcept { return first.offset > 0 || last.offset > 0; }
  /// Where in last.row the elements of this tile begin.
  [[nodiscard]] index_t tail_begin() const noexcept {
    return last.row == first.row ? first.offset : 0;
  }
};

template <has_row_offsets Rows>
[[nodiscard]] inline path_tile tile_of_path(const Rows& rows, index_t part, index_t parts) {
  const index_t steps = path_length(rows);
  return {position_after(rows, part_begin(steps, part, parts)),
          position_after(rows, part_begin(steps, part + 1, parts))};
}

/// `at`, moved to the nearer end of its row where that row has at most `longest` elements.
template <has_row_offsets Rows>
[[nodiscard]] inline row_position at_row_end(const Rows& rows, row_position at, index_t longest) {
  if (at.offset == 0) return at;
  const index_t length = rows.row_begin(at.row + 1) - rows.row_begin(at.row);
  if (length > longest) return at;
  return {2 * at.offset < length ? at.row : at.row + 1, 0};
}

/// Tiles that are about equal, one after the other: rows that are short beside all that a thread
/// has are not cut, so that only long ones have to be put together again.
template <has_row_offsets Rows>
class tiles_of_rows {
 public:
  /// `parts` tiles of `rows`, which has to live as long, for `threads` threads.
  tiles_of_rows(const Rows& rows, int parts, int threads)
      : rows_(rows),
        steps_(path_length(rows)),
        parts_(parts),
        longest_(steps_ / (short_beside_thread * threads)) {}

  [[nodiscard]] path_tile operator[](int part) {
    const row_position first = part == behind_ ? end_ : edge(part);
    behind_ = part + 1;
    end_ = edge(behind_);
    return {first, end_};
  }

 private:
  [[nodiscard]] row_position edge(int part) const {
    return at_row_end(rows_, position_after(rows_, part_begin(steps_, part, parts_)), longest_);
  }

  static constexpr index_t short_beside_thread = 8;  // an eighth of what a thread has, at most

  const Rows& rows_;
  index_t steps_;
  int parts_;
  index_t longest_;
  int behind_ = -1;     // the tile behind the last one that was asked for,
  row_position end_{};  // and where it begins
};

/// Where a row's own source is cut that is cut at `offset` in the sequence that gives the shape and
/// has `length` elements there. They are equally long, unless the user's function reduces another
/// part of the row than all of it.
[[nodiscard]] constexpr index_t offset_in_source(index_t offset, index_t length,
                                                 index_t source_length) noexcept {
  return offset >= length ? source_length : std::min(offset, source_length);
}

}  // namespace fettle::ndp::host::detail
