// The transposition by slots, whose steps a GPU runs, against the definition.
#include <algorithm>
#include <numeric>
#include <vector>

#include "../../examples/transpose/slots.hpp"
#include "support/catch.hpp"

namespace {

using transpose::device::no_slot;
using transpose::device::number;
using transpose::device::slot_chains;
using transpose::device::slot_layout;
using elements = std::vector<number>;

void copy_slot(const slot_layout& a, const elements& source, number from, elements& target,
               number to) {
  std::copy_n(source.begin() + (std::ptrdiff_t{from} << a.shift), a.length,
              target.begin() + (std::ptrdiff_t{to} << a.shift));
}

/// Follows the chains in an order, and then closes the cycles without a head.
template <bool ToLines>
void permute_slots(const slot_chains<ToLines>& chains, elements& data, bool last_first) {
  const slot_layout& a = chains.layout;
  elements saved(std::size_t{chains.heads} << a.shift);
  for (number k = 0; k < chains.heads; ++k) copy_slot(a, data, chains.head(k), saved, k);
  for (number k = 0; k < chains.count(); ++k) {
    number to = chains.first(last_first ? chains.count() - 1 - k : k);
    while (to != no_slot) {
      const number from = chains.source(to);
      const bool is_head = chains.is_head(from);
      copy_slot(a, is_head ? saved : data, is_head ? from >> chains.distance : from, data, to);
      if (is_head || chains.source(from) == no_slot) break;
      to = from;
    }
  }
  elements kept(a.length);
  for (number leader = 0; leader < a.slots; ++leader) {
    if (!chains.leads_cycle(leader)) continue;
    copy_slot(a, data, leader, kept, 0);
    number to = leader;
    for (number from = chains.source(to); from != leader; to = from, from = chains.source(to))
      copy_slot(a, data, from, data, to);
    copy_slot(a, kept, 0, data, to);
  }
}

/// Calls visit(index in the regrouped array, index in the rows' array).
template <class Visit>
void for_each_regrouped(const slot_layout& a, const Visit& visit) {
  for (number k = 0; k < a.tiles * a.n << a.shift; ++k) {
    const number slot = k >> a.shift;
    const number tile = slot / a.n;
    const number j = slot % a.n;
    const number row = tile * a.length + a.phase(j) + k % a.length;
    if (row < a.m) visit(k, row * a.n + j);
  }
}

/// Calls visit(index in the rows' array, index in the lines' array) for the loose elements.
template <class Visit>
void for_each_loose(const slot_layout& a, const Visit& visit) {
  for (number k = 0; k < a.edge_rows(); ++k)
    for (number j = 0; j < a.n; ++j)
      if (const number row = a.edge_row(k); a.is_loose(row, j)) visit(row * a.n + j, j * a.m + row);
}

void check(const slot_layout& a, number distance) {
  INFO(a.m << " x " << a.n << ", slots of " << a.length << ", heads every 2^" << distance);
  elements rows(a.m * a.n);
  std::iota(rows.begin(), rows.end(), 0U);
  elements lines(rows.size());
  for (number i = 0; i < a.m; ++i)
    for (number j = 0; j < a.n; ++j) lines[j * a.m + i] = rows[i * a.n + j];
  for (const bool last_first : {false, true}) {
    elements data = rows;
    for_each_regrouped(a, [&](number to, number from) { data[to] = rows[from]; });
    permute_slots(slot_chains<true>{a, distance}, data, last_first);
    for_each_loose(a, [&](number row, number line) { data[line] = rows[row]; });
    REQUIRE(data == lines);

    permute_slots(slot_chains<false>{a, distance}, data, last_first);
    const elements regrouped = data;
    for_each_regrouped(a, [&](number from, number to) { data[to] = regrouped[from]; });
    for (number k = a.tiles * a.length * a.n; k < data.size(); ++k)
      data[k] = lines[k % a.n * a.m + k / a.n];
    for_each_loose(a, [&](number row, number line) { data[row] = lines[line]; });
    REQUIRE(data == rows);
  }
}

}  // namespace

TEST_CASE("transposes by slots of every small shape") {
  for (number shift = 0; shift <= 3; ++shift)
    for (number n = 2; n <= 17; ++n)
      for (number m = 2U << shift; m <= 70; ++m) check(slot_layout{m, n, shift}, 1 + m % 4);
}

TEST_CASE("transposes by slots of primes, multiples and powers of two") {
  for (const number n : {2U, 3U, 16U, 31U, 48U, 63U, 64U})
    for (const number m : {509U, 512U, 640U, 1021U, n * 32, n * 32 + 1})
      check(slot_layout{m, n, 4}, 3);
}
