// How rows of any lengths are distributed on CUDA: lanes, and the pieces of very long rows.
#include <fettle/ndp/cuda/rows/adaptive_rows_plan.hpp>
#include <fettle/ndp/cuda/rows/row_cost.hpp>

#include "support/catch.hpp"

using fettle::ndp::index_t;
using fettle::ndp::cuda::detail::best_lanes;
using fettle::ndp::cuda::detail::device_rates;
using fettle::ndp::cuda::detail::row_work;
using plan = fettle::ndp::cuda::detail::adaptive_rows_plan;

namespace {

row_work doubles(index_t rows, double mean) { return {.rows = rows, .mean = mean}; }

}  // namespace

TEST_CASE("adaptive rows: the longer the rows, the more lanes they get") {
  for (const index_t rows : {1000, 100000, 1000000}) {
    int before = 1;
    for (double mean = 1; mean < 1e6; mean *= 2) {
      const int lanes = plan::of(doubles(rows, mean)).lanes;
      CAPTURE(rows, mean, lanes);
      CHECK(2 * lanes >= before);  // estimates of neighbours may change places
      before = lanes;
    }
    CHECK(before == plan::threads);
  }
  CHECK(plan::of(doubles(1000000, 3)).lanes == 1);
  CHECK(plan::of(doubles(0, 0)).lanes == 32);
}

TEST_CASE("adaptive rows: few rows get more lanes") {
  CHECK(plan::of(doubles(1000, 60)).lanes > plan::of(doubles(3000000, 60)).lanes);
  CHECK(plan::of(doubles(1, 1000000)).lanes == plan::threads);
}

TEST_CASE("row cost: the lanes that were best on an H100") {
  const row_work floats{.atom_bytes = 4, .element_bytes = 4, .partial_words = 1};
  const row_work least{.atom_bytes = 8, .element_bytes = 8, .partial_words = 3};
  const row_work gathered{
      .atom_bytes = 28, .element_bytes = 4, .partial_words = 1, .has_gather = true};
  const auto lanes = [](row_work work, index_t rows, double mean) {
    work.rows = rows;
    work.mean = mean;
    return best_lanes(work, device_rates{}).lanes;
  };
  const auto among = [](int chosen, int first, int last) {
    return chosen >= first && chosen <= last;
  };
  CHECK(lanes(floats, 300000, 3) == 1);
  CHECK(lanes(floats, 2000000, 5) == 1);
  CHECK(among(lanes(floats, 20000, 40), 8, 16));
  CHECK(among(lanes(floats, 200000, 64), 4, 8));
  CHECK(among(lanes(floats, 5000, 200), 16, 32));
  CHECK(lanes(least, 300000, 3) == 1);
  CHECK(among(lanes(least, 20000, 40), 4, 16));
  CHECK(among(lanes(least, 200000, 64), 4, 8));
  CHECK(among(lanes(gathered, 200000, 64), 8, 32));
  CHECK(among(lanes(gathered, 2000000, 5), 1, 4));
}

TEST_CASE("adaptive rows: every plan takes rows of the mean length, and whole blocks of rows") {
  for (const index_t rows : {1, 2, 100, 10000, 1000000}) {
    for (const index_t mean : {0, 1, 4, 5, 12, 13, 24, 25, 256}) {
      const plan chosen = plan::of(doubles(rows, static_cast<double>(mean)));
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
