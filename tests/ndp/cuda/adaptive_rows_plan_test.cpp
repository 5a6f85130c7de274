// How rows of any lengths are distributed on CUDA: lanes, and the pieces of very long rows.
#include <fettle/ndp/cuda/rows/adaptive_rows_plan.hpp>

#include "support/catch.hpp"

using fettle::ndp::index_t;
using plan = fettle::ndp::cuda::detail::adaptive_rows_plan;

TEST_CASE("adaptive rows: lanes suit the mean length where there are rows enough") {
  const auto lanes = [](index_t mean, int value_bytes = 8) {
    return plan::of(1000000, mean * 1000000, value_bytes).lanes;
  };
  CHECK(lanes(0) == 1);
  CHECK(lanes(4) == 1);
  CHECK(lanes(5) == 2);
  CHECK(lanes(10, 4) == 1);
  CHECK(lanes(13) == 4);
  CHECK(lanes(25) == 16);
  CHECK(lanes(256) == 16);
  CHECK(lanes(257) == plan::threads);
}

TEST_CASE("adaptive rows: few rows get more lanes, and no rows get some") {
  CHECK(plan::of(1000, 3000, 8).lanes == 32);
  CHECK(plan::of(20000, 60000, 8).lanes == 8);
  CHECK(plan::of(0, 0, 8).lanes == 32);
  CHECK(plan::of(1, 1000000, 8).lanes == plan::threads);
}

TEST_CASE("adaptive rows: every plan takes rows of the mean length, and whole blocks of rows") {
  for (const index_t rows : {1, 2, 100, 10000, 1000000}) {
    for (const index_t mean : {0, 1, 4, 5, 12, 13, 24, 25, 256}) {
      const plan chosen = plan::of(rows, mean * rows, 8);
      CAPTURE(rows, mean, chosen.lanes);
      CHECK(chosen.longest >= mean);
      CHECK(chosen.rows_at_once() * chosen.lanes == plan::threads);
    }
  }
}

TEST_CASE("adaptive rows: pieces cover a row, and the list holds what all rows can be cut in") {
  CHECK(plan::pieces_of(plan::piece_atoms) == 1);
  CHECK(plan::pieces_of(plan::piece_atoms + 1) == 2);
  CHECK(plan::pieces_of(index_t{1} << 40) == plan::most_pieces);
  for (const index_t size : {plan::long_if_crowded + 1, 5000, 16385, 1000000}) {
    for (const index_t rows : {1, 2, 77}) {
      CAPTURE(size, rows);
      CHECK(rows <= plan::cut_rows_at_most(rows, rows * size));
      CHECK(rows * plan::pieces_of(size) <= plan::pieces_at_most(rows, rows * size));
    }
  }
  // A few rows of a source without end do not take its memory.
  CHECK(plan::cut_rows_at_most(100, index_t{1} << 60) == 100);
  CHECK(plan::pieces_at_most(100, index_t{1} << 60) == 100 * plan::most_pieces);
  CHECK(plan::pieces_at_most(index_t{1} << 40, index_t{1} << 60) <= index_t{1} << 31);
}
