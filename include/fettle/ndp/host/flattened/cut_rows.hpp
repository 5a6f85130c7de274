// cut_rows: what equal tiles of rows and elements know of rows that are cut between them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/index.hpp>
#include <fettle/ndp/host/flattened/merge_path.hpp>
#include <fettle/ndp/host/lanes/fold.hpp>
#include <fettle/ndp/host/lanes/node.hpp>
#include <fettle/ndp/host/team/partial_results.hpp>
#include <fettle/ndp/host/whole/reduce.hpp>
#include <fettle/ndp/sequence/concepts.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::host::detail {

/// A map whose rows' offsets are known and whose elements are reductions or scans that can be cut.
template <typename E>
concept flattenable = nested_node<E> && has_outer_shape_v<E> && splits_v<row_t<E>> &&
                      (scalar_reduce_node<row_t<E>> || scan_node<row_t<E>>);

// A row's source and its operator, from `offset` elements in the shape to another.
template <flattenable E>
class cut_row {
 public:
  using value_type = typename row_t<E>::value_type;

  cut_row(const E& e, index_t row)
      : node_(e[row]), length_(outer_shape(e).row_begin(row + 1) - outer_shape(e).row_begin(row)) {}

  [[nodiscard]] const row_t<E>& node() const noexcept { return node_; }
  [[nodiscard]] index_t length() const noexcept { return length_; }
  [[nodiscard]] index_t index(index_t offset) const {
    return offset_in_source(offset, length_, node_.source.size());
  }
  // The elements between two offsets, combined; nothing where there are none.
  void sum(index_t from, index_t to, std::optional<value_type>& out) const {
    const index_t first = index(from);
    const index_t last = index(to);
    if (first < last) out.emplace(fold_part<value_type>(node_.op, node_.source, first, last));
  }

 private:
  row_t<E> node_;
  index_t length_;
};

template <typename Op, typename T>
void append(const Op& op, std::optional<T>& sum, const std::optional<T>& next) {
  if (!next) return;
  if (sum) {
    sum.emplace(op(*sum, *next));
  } else {
    sum.emplace(*next);
  }
}

// A tile, and what it knows of the rows that are cut. Where tiles begin is looked for once, by
// the threads that work on them.
template <flattenable E>
struct cut_tile {
  using value_type = typename row_t<E>::value_type;

  path_tile path;
  std::optional<value_type> head{};  // the end of a row that an earlier tile began
  std::optional<value_type> tail{};  // of the row that the tile leaves unfinished

  // The tail: the part of row path.last.row that lies in the tile.
  void sum_tail(const E& e) {
    if (path.last.offset <= path.tail_begin()) return;
    cut_row<E>(e, path.last.row).sum(path.tail_begin(), path.last.offset, tail);
  }
};

template <flattenable E>
using cut_tiles = uninitialised_results<cut_tile<E>>;

// Which tiles begin or end inside a row, written by the threads that work on them. Where rows are
// short, none does, and no thread loses its line.
class cut_marks {
 public:
  explicit cut_marks(int parts) : marks_(static_cast<std::size_t>(parts)) {}

  void mark(int part) noexcept { marks_[static_cast<std::size_t>(part)] = 1; }
  [[nodiscard]] bool operator[](int part) const noexcept {
    return marks_[static_cast<std::size_t>(part)] != 0;
  }
  [[nodiscard]] bool any() const noexcept {
    return std::find(marks_.begin(), marks_.end(), 1) != marks_.end();
  }

 private:
  std::vector<unsigned char> marks_;
};

// Calls finish(tile, carry) in order for each tile that begins inside a row, with what the
// earlier tiles have of that row; `cut(part)`: whether that tile is there, which all are that
// begin or end inside a row.
template <flattenable E, typename Cut, typename Finish>
void for_each_carry(const E& e, int parts, cut_tiles<E>& tiles, const Cut& cut,
                    const Finish& finish) {
  std::optional<typename row_t<E>::value_type> carry;
  for (int part = 0; part < parts; ++part) {
    if (!cut(part)) continue;
    cut_tile<E>& tile = tiles[part];
    const path_tile& path = tile.path;
    if (path.first.offset > 0) finish(tile, carry);
    if (path.last.row > path.first.row) {
      carry = tile.tail;
    } else if (tile.tail) {
      append(e[path.last.row].op, carry, tile.tail);
    }
  }
}

}  // namespace fettle::ndp::host::detail
