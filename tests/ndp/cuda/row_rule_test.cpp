// The default rule for rows on CUDA: what it chooses from sizes and from what a program says.
#include <algorithm>
#include <utility>
#include <vector>

#include <fettle/ndp/cuda/rows/row_kernel.hpp>
#include <fettle/ndp/cuda/rows/row_rule.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/split.hpp>
#include <fettle/ndp/sequence/make_sequence.hpp>
#include <fettle/ndp/sequence/row_statistics.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::cuda::detail::choose_row_kernel;
using ndp::cuda::detail::row_kernel;
using ndp::cuda::detail::row_work;

TEST_CASE("row kernel: the GPU looks at the rows of little work of unknown shape") {
  CHECK(choose_row_kernel({.rows = 0, .atoms = 0}) == row_kernel::adaptive);
  CHECK(choose_row_kernel({.rows = 10000, .atoms = 50000}) == row_kernel::adaptive);
  CHECK(choose_row_kernel({.rows = 300, .atoms = 60000}) == row_kernel::adaptive);
  CHECK(choose_row_kernel({.rows = 128, .atoms = 131072}) == row_kernel::adaptive);
  CHECK(choose_row_kernel({.rows = 10000, .atoms = 200000}) == row_kernel::adaptive);
}

TEST_CASE("row kernel: much work of unknown shape goes by rows, whose long ones are listed") {
  CHECK(choose_row_kernel({.rows = 4000000, .atoms = 12000000}) == row_kernel::adaptive);
  // Products with a complex sparse matrix, rows of up to three: 93 us by a thread each, 119
  // flattened.
  const row_work product{.atom_bytes = 36, .element_bytes = 12, .has_gather = true};
  CHECK(choose_row_kernel({.rows = 4000000, .atoms = 12000000, .work = product}) ==
        row_kernel::adaptive);
  // Nine rows of ten are empty.
  CHECK(choose_row_kernel({.rows = 4000000, .atoms = 400000}) == row_kernel::flattened_large);
  CHECK(choose_row_kernel({.rows = 4096, .atoms = 16777216}) == row_kernel::block);
  // So few blocks would leave most of the GPU idle.
  CHECK(choose_row_kernel({.rows = 24, .atoms = 8000000}) == row_kernel::flattened_large);
  // Of matrices, for which tiles have no room: 90 us in pieces, 255 by tiles.
  const row_work matrix_rows{.atom_bytes = 64, .element_bytes = 64, .partial_words = 17};
  CHECK(choose_row_kernel({.rows = 24,
                           .atoms = 1000000,
                           .commutative = false,
                           .value_bytes = 64,
                           .work = matrix_rows}) == row_kernel::adaptive);
  CHECK(choose_row_kernel({.rows = 520,
                           .atoms = 8600000,
                           .commutative = false,
                           .value_bytes = 64,
                           .work = matrix_rows}) == row_kernel::block);
  // Forces of 12 bytes, of gathered positions.
  const row_work forces{
      .atom_bytes = 28, .element_bytes = 4, .partial_words = 4, .has_gather = true};
  CHECK(choose_row_kernel({.rows = 4000000, .atoms = 12000000, .work = forces}) ==
        row_kernel::adaptive);
  // Blocks of 64 bytes.
  const row_work blocks{
      .atom_bytes = 92, .element_bytes = 68, .partial_words = 5, .has_gather = true};
  CHECK(choose_row_kernel({.rows = 100000, .atoms = 900000, .work = blocks}) ==
        row_kernel::flattened_small);
  // Matrices of 64 bytes, multiplied in their order.
  const row_work matrices{.atom_bytes = 64, .element_bytes = 64, .partial_words = 17};
  CHECK(choose_row_kernel({.rows = 110000,
                           .atoms = 1000000,
                           .commutative = false,
                           .value_bytes = 64,
                           .work = matrices}) == row_kernel::adaptive);
}

TEST_CASE("row kernel: long rows of unknown lengths get a warp each, or a block") {
  const auto rows_of_1000 = [](int element_bytes, int partial_words, ndp::index_t rows = 16000) {
    return choose_row_kernel({.rows = rows,
                              .atoms = 1000 * rows,
                              .value_bytes = 4 * partial_words,
                              .work = {.atom_bytes = element_bytes,
                                       .element_bytes = element_bytes,
                                       .partial_words = partial_words}});
  };
  // Hashes of words of bytes: 60 us by a warp each, 78 by a block. Means of pairs: 34 and 27.
  CHECK(rows_of_1000(1, 5) == row_kernel::adaptive);
  CHECK(rows_of_1000(8, 3) == row_kernel::block);
  CHECK(rows_of_1000(4, 13) == row_kernel::adaptive);
  // Matrices, which are no packets.
  CHECK(rows_of_1000(64, 17) == row_kernel::block);
  // The nearest of gathered places: 203 us by a warp each, 280 by a block.
  const row_work nearest{
      .atom_bytes = 24, .element_bytes = 8, .partial_words = 5, .has_gather = true};
  CHECK(choose_row_kernel({.rows = 8000, .atoms = 8000000, .work = nearest}) ==
        row_kernel::adaptive);
  // Too few warps.
  CHECK(rows_of_1000(1, 5, 2000) == row_kernel::block);
}

TEST_CASE("row kernel: rows that are known to be alike are mapped by their length") {
  const auto choice = [](ndp::index_t rows, ndp::index_t length, int value_bytes = 8) {
    return choose_row_kernel({.rows = rows,
                              .atoms = rows * length,
                              .known = {.longest = length, .variation = 0.0},
                              .value_bytes = value_bytes,
                              .work = {.atom_bytes = value_bytes,
                                       .element_bytes = value_bytes,
                                       .partial_words = value_bytes / 4}});
  };
  CHECK(choice(4000000, 3) == row_kernel::thread);
  CHECK(choice(1000000, 9) <= row_kernel::warp_of_2);
  CHECK(choice(1000000, 9, 4) == row_kernel::thread);
  CHECK(choice(150000, 14) != row_kernel::thread);
  CHECK(choice(1000000, 32) == row_kernel::warp_of_4);
  CHECK(choice(200000, 128) == row_kernel::warp_of_8);
  CHECK(choice(10000, 4096) == row_kernel::block);
}

TEST_CASE("row kernel: longer rows get more lanes, and one far longer is no business of a row's") {
  // A collaboration network, a web graph, a power law, one full row: as measured.
  CHECK(choose_row_kernel({.rows = 16706, .atoms = 242502, .known = {.longest = 360}}) ==
        row_kernel::warp_of_16);
  CHECK(choose_row_kernel({.rows = 7115, .atoms = 103689, .known = {.longest = 893}}) ==
        row_kernel::adaptive);
  CHECK(choose_row_kernel({.rows = 6833, .atoms = 43250, .known = {.longest = 1442}}) ==
        row_kernel::adaptive);
  CHECK(choose_row_kernel(
            {.rows = 325557, .atoms = 3216152, .known = {.longest = 2716, .variation = 2.1}}) ==
        row_kernel::flattened_large);
  CHECK(
      choose_row_kernel(
          {.rows = 1000000, .atoms = 5000000, .known = {.longest = 1000000, .variation = 200.0}}) ==
      row_kernel::flattened_large);
  // Nine rows of ten are empty: lanes would wait for the tenth.
  CHECK(choose_row_kernel(
            {.rows = 4000000, .atoms = 3388994, .known = {.longest = 30, .variation = 3.1}}) ==
        row_kernel::flattened_large);
}

TEST_CASE("row kernel: rows that differ somewhat are alike") {
  // A mesh with 13.6 elements a row and 44 at most: as measured.
  CHECK(choose_row_kernel({.rows = 156317,
                           .atoms = 2118662,
                           .known = {.longest = 44, .variation = 0.245},
                           .work = {.atom_bytes = 36, .element_bytes = 12, .has_gather = true}}) ==
        row_kernel::warp_of_8);
  CHECK(choose_row_kernel(
            {.rows = 156317, .atoms = 2118662, .known = {.longest = 60, .variation = 0.245}}) ==
        row_kernel::warp_of_16);
}

TEST_CASE("row kernel: a thread combines a short row of wide values faster than lanes do") {
  // k-means: the nearest of ten centroids, a distance and a label, from 25000 points on.
  const auto nearest = [](ndp::index_t rows, ndp::index_t length, double variation) {
    return choose_row_kernel({.rows = rows,
                              .atoms = rows * length,
                              .known = {.longest = length, .variation = variation},
                              .value_bytes = 16,
                              .work = {.atom_bytes = 16, .element_bytes = 16, .partial_words = 5}});
  };
  for (const ndp::index_t rows : {25000, 100000, 1000000, 12000000}) {
    CAPTURE(rows);
    CHECK(nearest(rows, 10, 0.0) == row_kernel::thread);
    CHECK(nearest(rows, 14, 0.0) != row_kernel::thread);
  }
  // Too few for threads to be many.
  CHECK(nearest(200, 10, 0.0) == row_kernel::warp_of_2);
}

TEST_CASE("row kernel: costly elements get whole warps, whatever their bytes would take") {
  // CoMD: tiles of 64 atoms, whose pair energies are computed.
  const auto tiles = [](ndp::index_t rows, ndp::index_t length, bool costly) {
    return choose_row_kernel({.rows = rows,
                              .atoms = rows * length,
                              .known = {.longest = length, .variation = 0.0},
                              .costly = costly});
  };
  for (const ndp::index_t rows : {108, 1525, 17969, 1000000}) {
    CAPTURE(rows);
    CHECK(tiles(rows, 64, true) == row_kernel::warp_of_32);
  }
  CHECK(tiles(17969, 64, false) != row_kernel::warp_of_32);
  CHECK(tiles(1000000, 3, true) == row_kernel::thread);
  CHECK(tiles(100000, 14, true) == row_kernel::warp_of_4);
  CHECK(tiles(10000, 4096, true) == row_kernel::block);
}

TEST_CASE("row kernel: of costly elements sixteen lanes are never chosen, for there is no kernel") {
  for (const ndp::index_t rows : {1, 100, 10000, 1000000}) {
    for (const ndp::index_t mean : {1, 5, 20, 30, 100, 600, 5000}) {
      for (const ndp::index_t times_mean : {1, 2, 5, 20, 1000}) {
        for (const double variation : {-1.0, 0.0, 1.0, 10.0}) {
          const row_kernel chosen =
              choose_row_kernel({.rows = rows,
                                 .atoms = rows * mean,
                                 .known = {.longest = mean * times_mean, .variation = variation},
                                 .costly = true});
          if (chosen == row_kernel::warp_of_16) {
            FAIL(rows << " rows of " << mean << ", longest " << mean * times_mean);
          }
        }
      }
    }
  }
}

TEST_CASE("row kernel: a handful of long rows is cut, where order does not matter") {
  CHECK(choose_row_kernel({.rows = 1, .atoms = 50000000}) == row_kernel::split);
  CHECK(choose_row_kernel({.rows = 16, .atoms = 50000000}) == row_kernel::split);
  // The largest value of a row with its index: as many loads as keep the memory busy.
  fettle::ndp::cuda::detail::row_problem largest{
      .rows = 512, .atoms = 512 * 65536, .work = {.element_bytes = 4}};
  largest.known.variation = 0;
  largest.known.longest = 65536;
  CHECK(choose_row_kernel(largest) != row_kernel::split);
  largest.work.partial_words = 3;
  CHECK(choose_row_kernel(largest) == row_kernel::split);
  largest.rows *= 8;
  largest.atoms *= 8;
  CHECK(choose_row_kernel(largest) != row_kernel::split);
  // In order too, unless values are wide.
  CHECK(choose_row_kernel({.rows = 16, .atoms = 50000000, .commutative = false}) ==
        row_kernel::split);
  CHECK(choose_row_kernel({.rows = 16,
                           .atoms = 50000000,
                           .commutative = false,
                           .value_bytes = 64,
                           .work = {.element_bytes = 64, .partial_words = 17}}) !=
        row_kernel::split);
}

TEST_CASE("row statistics: from nest's argument, from a tiling, or unknown") {
  const std::vector<double> values(12);
  const std::vector<int> offsets{0, 4, 12};
  const auto s = ndp::make_sequence(values);
  const auto told = ndp::nest(s, ndp::make_sequence(offsets), {.longest = 8});
  CHECK(ndp::statistics_of_rows(told).longest == 8);
  CHECK(told[1].size() == 8);
  const auto tiles = ndp::split(s, 5);
  CHECK((ndp::statistics_of_rows(tiles) ==
         ndp::row_statistics{5, 0.0, 0.0, ndp::longest_rows_fraction}));
  const auto untold = ndp::nest(s, ndp::make_sequence(offsets));
  CHECK((ndp::statistics_of_rows(untold) == ndp::row_statistics{}));
}

TEST_CASE("the rule reports the estimates that it compares, and takes the least") {
  using ndp::cuda::detail::name_of;
  std::vector<std::pair<row_kernel, double>> estimates;
  const auto report = [&](row_kernel kernel, double us) { estimates.emplace_back(kernel, us); };
  const ndp::cuda::detail::row_problem known{
      .rows = 300000, .atoms = 3000000, .known = {.longest = 2000, .variation = 2.0}};
  const row_kernel chosen = choose_row_kernel(known, {}, {}, report);
  REQUIRE(estimates.size() >= 3);
  const auto least =
      std::min_element(estimates.begin(), estimates.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  CHECK(least->first == chosen);
  CHECK(chosen == choose_row_kernel(known));
  CHECK(name_of(row_kernel::thread) == "1 lane a row");
  CHECK(name_of(row_kernel::flattened_large) == "flattened, two launches");
}
