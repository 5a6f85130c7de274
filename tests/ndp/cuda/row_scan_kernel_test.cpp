// The default rule for scans of rows on CUDA: what it chooses from sizes and from what a program
// says.
#include <fettle/ndp/cuda/rows/row_scan_kernel.hpp>

#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::cuda::detail::choose_row_scan_kernel;
using ndp::cuda::detail::row_scan_kernel;

namespace {

row_scan_kernel of_equal(ndp::index_t rows, ndp::index_t length, int value_bytes = 8) {
  return choose_row_scan_kernel({.rows = rows,
                                 .atoms = rows * length,
                                 .known = {.longest = length, .variation = 0.0},
                                 .value_bytes = value_bytes});
}

}  // namespace

TEST_CASE("row scan kernel: a block for each of few rows") {
  // The partial sums of a scan by tiles, as measured: one row of up to 1024.
  for (const ndp::index_t length : {1, 25, 391, 1024}) {
    CAPTURE(length);
    CHECK(of_equal(1, length) == row_scan_kernel::block);
  }
  CHECK(of_equal(528, 30) == row_scan_kernel::block);
  CHECK(of_equal(16, 10000) == row_scan_kernel::block);
}

TEST_CASE("row scan kernel: a block for each of long rows") {
  // The tiles of a scan of 25k to 15M numbers, as measured.
  CHECK(of_equal(25, 1024) == row_scan_kernel::block);
  CHECK(of_equal(391, 1024) == row_scan_kernel::block);
  CHECK(of_equal(977, 1024) == row_scan_kernel::block);
  CHECK(of_equal(1024, 14649) == row_scan_kernel::block);
  CHECK(of_equal(100000, 600, 4) == row_scan_kernel::block);
}

TEST_CASE("row scan kernel: a row that holds up its block is flattened") {
  CHECK(of_equal(1, 50000000) == row_scan_kernel::flattened);
  CHECK(of_equal(16, 1000000) == row_scan_kernel::flattened);
  CHECK(choose_row_scan_kernel(
            {.rows = 10000, .atoms = 10000000, .known = {.longest = 1000000, .variation = 10.0}}) ==
        row_scan_kernel::flattened);
  // Little work, but nearly all of it in one row.
  CHECK(choose_row_scan_kernel(
            {.rows = 20000, .atoms = 60000, .known = {.longest = 40000, .variation = 90.0}}) ==
        row_scan_kernel::flattened);
  CHECK(choose_row_scan_kernel(
            {.rows = 20, .atoms = 60000, .known = {.longest = 59000, .variation = 4.0}}) ==
        row_scan_kernel::flattened);
}

TEST_CASE("row scan kernel: short rows get as many lanes as suit their length") {
  CHECK(of_equal(2000, 30) == row_scan_kernel::lanes_32);
  CHECK(of_equal(20000, 3) == row_scan_kernel::lane);
  CHECK(of_equal(20000, 30) == row_scan_kernel::lanes_32);
  CHECK(of_equal(1000000, 16) == row_scan_kernel::lanes_8);
  CHECK(of_equal(5000000, 3) == row_scan_kernel::lane);
}

TEST_CASE("row scan kernel: nothing known of the rows") {
  CHECK(choose_row_scan_kernel({.rows = 64, .atoms = 65536}) == row_scan_kernel::block);
  CHECK(choose_row_scan_kernel({.rows = 529, .atoms = 65536}) == row_scan_kernel::lanes_32);
  CHECK(choose_row_scan_kernel({.rows = 0, .atoms = 0}) == row_scan_kernel::block);
  // Taken for balanced, where that is far faster.
  CHECK(choose_row_scan_kernel({.rows = 10000, .atoms = 10000000}) == row_scan_kernel::block);
  CHECK(choose_row_scan_kernel({.rows = 220000, .atoms = 10700000}) == row_scan_kernel::lanes_32);
  CHECK(choose_row_scan_kernel({.rows = 5300000, .atoms = 8000000}) == row_scan_kernel::lane);
  CHECK(choose_row_scan_kernel({.rows = 1200000, .atoms = 10700000}) == row_scan_kernel::flattened);
  CHECK(choose_row_scan_kernel({.rows = 24, .atoms = 10700000}) == row_scan_kernel::flattened);
}
