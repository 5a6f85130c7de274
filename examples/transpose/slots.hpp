// Transposition in place by pieces as wide as several memory transactions: where the pieces lie, on
// a GPU and on the host.
//
// m rows of n elements (the rows' array) become n lines of m elements (the lines' array). Both
// arrays are cut into slots of `length` elements, a power of two. The rows' array is first
// regrouped: within every tile of n slots, slot j gets the elements of line j that fill a slot of
// the lines' array. As line j begins at element j m, which need not be where a slot begins, these
// are the rows from phase(j) rows behind the tile's first one. Then whole slots are permuted. The
// elements of a line in front of its first whole slot and behind its last one are moved on their
// own: these are fewer than 3 n length.
#pragma once

#include "divider.hpp"

namespace transpose::device {

inline constexpr number no_slot = 0xFFFFFFFF;

/// Precondition: n >= 2, m >= 2 length, m n < 2^31.
struct slot_layout {
  number m;
  number n;
  number shift;  ///< length = 2^shift
  number length = number{1} << shift;
  number tiles = m >> shift;
  number slots = (m * n) >> shift;
  divider by_m{m};
  divider by_n{n};

  /// Elements of line j in front of its first whole slot.
  FETTLE_HOST_DEVICE number phase(number j) const { return (0U - j * m) & (length - 1); }
  /// The first whole slot of line j.
  FETTLE_HOST_DEVICE number first_slot(number j) const { return (j * m + length - 1) >> shift; }
  /// The whole slots of line j: `tiles`, or one less.
  FETTLE_HOST_DEVICE number whole_slots(number j) const { return (m - phase(j)) >> shift; }
  /// Whether row i of line j is in none of its whole slots.
  FETTLE_HOST_DEVICE bool is_loose(number i, number j) const {
    return i < phase(j) || i >= phase(j) + (whole_slots(j) << shift);
  }

  /// The regrouped slot that becomes slot i of the lines' array; no_slot where a line ends in it.
  FETTLE_HOST_DEVICE number regrouped(number i) const {
    if (i >= slots) return no_slot;
    const number j = by_m.quotient(i << shift);
    const number tile = i - first_slot(j);
    return tile < whole_slots(j) ? tile * n + j : no_slot;
  }
  /// The slot of the lines' array that regrouped slot i becomes, or no_slot.
  FETTLE_HOST_DEVICE number of_line(number i) const {
    const number tile = by_n.quotient(i);
    const number j = i - tile * n;
    return tile < whole_slots(j) ? first_slot(j) + tile : no_slot;
  }

  /// Rows with loose elements: the first `length` ones and those from the last tile on.
  FETTLE_HOST_DEVICE number edge_rows() const { return m - (tiles - 2) * length; }
  FETTLE_HOST_DEVICE number edge_row(number k) const {
    return k < length ? k : k + (tiles - 2) * length;
  }
};

/// The permutation of slots in pieces that can be followed at once. In every group of 2^distance
/// slots one, the head, is saved beforehand. A chain begins at a head, or at a slot that nothing is
/// fetched from, and ends at the next head. ToLines: whether slots of the lines' array are fetched
/// from regrouped ones, or the reverse.
template <bool ToLines>
struct slot_chains {
  slot_layout layout;
  number distance;
  number heads = ((layout.slots - 1) >> distance) + 1;

  /// The slot that slot i is fetched from; no_slot where nothing is.
  FETTLE_HOST_DEVICE number source(number i) const {
    return ToLines ? layout.regrouped(i) : layout.of_line(i);
  }
  /// Whether some slot is fetched from slot i.
  FETTLE_HOST_DEVICE bool is_source(number i) const {
    return (ToLines ? layout.of_line(i) : layout.regrouped(i)) != no_slot;
  }
  FETTLE_HOST_DEVICE number head(number group) const {
    // Scattered, so that no cycle of the permutation, which is nearly a multiplication, avoids
    // them.
    number mixed = group * 0x9E3779B1U;
    mixed = (mixed ^ mixed >> 15) * 0x85EBCA77U;
    const number chosen = (group << distance) + (mixed >> (32 - distance));
    return chosen < layout.slots ? chosen : layout.slots - 1;
  }
  FETTLE_HOST_DEVICE bool is_head(number i) const { return head(i >> distance) == i; }

  /// Chains, some of them empty.
  FETTLE_HOST_DEVICE number count() const { return heads + 2 * layout.n; }
  /// The first slot of chain k, or no_slot.
  FETTLE_HOST_DEVICE number first(number k) const {
    number i = no_slot;
    if (k < heads) {
      i = head(k);
    } else {
      k -= heads;
      i = ToLines ? (layout.tiles - 1) * layout.n + k
                  : (k < layout.n ? (k * layout.m) >> layout.shift : layout.slots);
      if (i >= layout.slots || is_source(i) || is_head(i)) return no_slot;
    }
    return source(i) == no_slot ? no_slot : i;
  }
  /// Whether slot i is the least of a cycle of several slots without a head. Such cycles are short.
  FETTLE_HOST_DEVICE bool leads_cycle(number i) const {
    if (is_head(i)) return false;
    number k = source(i);
    if (k == i) return false;
    while (k != i) {
      if (k == no_slot || k < i || is_head(k)) return false;
      k = source(k);
    }
    return true;
  }
};

}  // namespace transpose::device
