// The nests that the programs are made of, as expressions: each from a function of a row and of an
// index in it, which reads the program's arrays.
//
//   reduction    map > reduce            a value for each row
//   prefixes     map > inclusive_scan    as many values as there are elements
//   table        map > map               the same, each element by itself
//   cells        map                     the table as one level
//
// Rows are equally long: what a row holds are the numbers of its elements, from row * length on.
#pragma once

#include <fettle/ndp.hpp>

namespace thresholds {

namespace ndp = fettle::ndp;
using index_t = ndp::index_t;

/// The rows' numbers, and their elements' numbers.
struct extent {
  index_t rows = 0;
  index_t length = 0;

  [[nodiscard]] index_t elements() const { return rows * length; }
  [[nodiscard]] auto numbers() const { return ndp::range(index_t{0}, rows); }
  [[nodiscard]] auto split() const {
    return ndp::split(ndp::range(index_t{0}, elements()), length);
  }
};

/// A function of a row and an index as one of an element's number.
template <typename Term>
struct in_row {
  Term term;
  index_t row;
  index_t first;
  FETTLE_HOST_DEVICE auto operator()(index_t element) const { return term(row, element - first); }
};

template <typename Term>
struct elements_of {
  Term term;
  index_t length;
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(index_t row, const Row& elements) const {
    return ndp::map(in_row<Term>{term, row, row * length}, elements);
  }
};

template <typename Op, typename Seed, typename Term>
struct reduce_row {
  elements_of<Term> of;
  Seed seed;
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(index_t row, const Row& elements) const {
    return ndp::reduce(Op{}, of(row, elements), seed);
  }
};

template <typename Op, typename Seed, typename Term>
struct scan_row {
  elements_of<Term> of;
  Seed seed;
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(index_t row, const Row& elements) const {
    return ndp::inclusive_scan(Op{}, of(row, elements), seed);
  }
};

template <typename Term>
struct of_element {
  Term term;
  index_t length;
  FETTLE_HOST_DEVICE auto operator()(index_t element) const {
    const index_t row = element / length;
    return term(row, element - row * length);
  }
};

/// Cell (row, column) of a table of reductions, summed up by a loop.
template <typename Op, typename Term>
struct cell_by_loop {
  Term term;
  index_t depth;
  FETTLE_HOST_DEVICE float operator()(index_t row, index_t column) const {
    float sum = 0;
    for (index_t k = 0; k < depth; ++k) sum = Op{}(sum, term(row, column, k));
    return sum;
  }
};

/// The terms of such a table's cells, where each cell is a row of its own.
template <typename Term>
struct cell_by_index {
  Term term;
  index_t columns;
  FETTLE_HOST_DEVICE float operator()(index_t cell, index_t k) const {
    const index_t row = cell / columns;
    return term(row, cell - row * columns, k);
  }
};

template <typename Op, typename Seed, typename Term>
[[nodiscard]] auto reduction(extent of, Op /*op*/, Seed seed, Term term) {
  return ndp::map(reduce_row<Op, Seed, Term>{{term, of.length}, seed}, of.numbers(), of.split());
}

template <typename Op, typename Seed, typename Term>
[[nodiscard]] auto prefixes(extent of, Op /*op*/, Seed seed, Term term) {
  return ndp::map(scan_row<Op, Seed, Term>{{term, of.length}, seed}, of.numbers(), of.split());
}

template <typename Term>
[[nodiscard]] auto table(extent of, Term term) {
  return ndp::map(elements_of<Term>{term, of.length}, of.numbers(), of.split());
}

template <typename Term>
[[nodiscard]] auto cells(extent of, Term term) {
  return ndp::map(of_element<Term>{term, of.length}, ndp::range(index_t{0}, of.elements()));
}

}  // namespace thresholds
