// merge_path: a nested sequence cut into equal shares of steps, whatever its rows' lengths are. A
// share may begin and end inside a row.
#pragma once

#include <algorithm>

#include <fettle/ndp/index.hpp>
#include <fettle/ndp/merge_path.hpp>
#include <fettle/ndp/openmp/deal.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::ndp::openmp {

/// A place in a nested sequence: before element `offset` of row `row`.
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

/// Where the path is after `step` steps.
template <has_row_offsets Rows>
[[nodiscard]] inline row_position position_after(const Rows& rows, index_t step) {
  const index_t count = rows.size();
  if (count == 0) return {};
  const index_t base = rows.row_begin(0);
  const auto place = find_on_path<index_t>(row_ends_of<Rows>{rows, base}, count,
                                           rows.row_begin(count) - base, step);
  return {place.row, place.atom - (rows.row_begin(place.row) - base)};
}

/// One share of the path: the rest of row first.row from first.offset on, the rows behind it, and
/// the start of row last.row up to last.offset.
struct path_share {
  row_position first;
  row_position last;

  /// A row ends in this share that began in an earlier one.
  [[nodiscard]] bool ends_open_row() const noexcept {
    return last.row > first.row && first.offset > 0;
  }
  /// It begins or ends inside a row.
  [[nodiscard]] bool cuts_rows() const noexcept { return first.offset > 0 || last.offset > 0; }
  /// Where in last.row the elements of this share begin.
  [[nodiscard]] index_t tail_begin() const noexcept {
    return last.row == first.row ? first.offset : 0;
  }
};

template <has_row_offsets Rows>
[[nodiscard]] inline path_share share_of_path(const Rows& rows, index_t part, index_t parts) {
  const index_t steps = path_length(rows);
  return {position_after(rows, share_begin(steps, part, parts)),
          position_after(rows, share_begin(steps, part + 1, parts))};
}

/// `at`, moved to the nearer end of its row where that row has at most `longest` elements.
template <has_row_offsets Rows>
[[nodiscard]] inline row_position at_row_end(const Rows& rows, row_position at, index_t longest) {
  if (at.offset == 0) return at;
  const index_t length = rows.row_begin(at.row + 1) - rows.row_begin(at.row);
  if (length > longest) return at;
  return {2 * at.offset < length ? at.row : at.row + 1, 0};
}

/// Shares that are about equal, because rows that are short beside a share are not cut: whoever
/// puts cut rows together again has nothing to do but for long ones.
template <has_row_offsets Rows>
[[nodiscard]] inline path_share share_of_rows(const Rows& rows, index_t part, index_t parts) {
  constexpr index_t short_beside_share = 8;
  const index_t longest = path_length(rows) / (short_beside_share * parts);
  const path_share exact = share_of_path(rows, part, parts);
  return {at_row_end(rows, exact.first, longest), at_row_end(rows, exact.last, longest)};
}

/// Where a row's own source is cut that is cut at `offset` in the sequence that gives the shape and
/// has `length` elements there. They are equally long, unless the user's function reduces another
/// part of the row than all of it.
[[nodiscard]] constexpr index_t offset_in_source(index_t offset, index_t length,
                                                 index_t source_length) noexcept {
  return offset >= length ? source_length : std::min(offset, source_length);
}

}  // namespace fettle::ndp::openmp
