// The reduction and scan examples: listings 3 and 4, in both spellings, against the serial loop.
#include <utility>
#include <vector>

#include "reduction.hpp"
#include "scan.hpp"
#include "support/catch.hpp"
#include "support/platform.hpp"

namespace {

using examples::read_only;
using fettle::ndp::index_t;
using fettle::ndp::make_sequence;
constexpr fettle::ndp::platform::openmp on_openmp;

// Whole numbers, so that the order of a sum does not matter.
std::vector<double> numbers(index_t size) {
  std::vector<double> out;
  for (index_t i = 0; i < size; ++i) out.push_back(static_cast<double>(i * 37 % 101 - 50));
  return out;
}

constexpr std::pair<index_t, index_t> sizes_and_tiles[] = {
    {1, 1}, {1, 8}, {7, 8}, {8, 8}, {9, 8}, {100, 1}, {1000, 33}, {1000, 1000}, {1000, 5000}};

}  // namespace

TEST_CASE("reduce_by_tiles sums up, whatever the last tile's length") {
  for (const auto& [size, tile] : sizes_and_tiles) {
    INFO(size << " numbers in tiles of " << tile);
    const std::vector<double> input = numbers(size);
    double expected = 0;
    for (const double x : input) expected += x;
    std::vector<double> partials(static_cast<std::size_t>(examples::tile_count(size, tile)));
    std::vector<double> result(1, -1);
    examples::reduce_by_tiles(on_openmp, read_only(input), tile, make_sequence(partials),
                              make_sequence(result));
    CHECK(result[0] == expected);
    result[0] = -1;
    examples::reduce_by_tiles_by_lambdas(on_openmp, read_only(input), tile, make_sequence(partials),
                                         make_sequence(result));
    CHECK(result[0] == expected);
  }
}

TEST_CASE("scan_by_tiles makes exclusive prefix sums, whatever the last tile's length") {
  for (const auto& [size, tile] : sizes_and_tiles) {
    INFO(size << " numbers in tiles of " << tile);
    const std::vector<double> input = numbers(size);
    std::vector<double> expected;
    double sum = 0;
    for (const double x : input) {
      expected.push_back(sum);
      sum += x;
    }
    const auto tiles = static_cast<std::size_t>(examples::tile_count(size, tile));
    std::vector<double> reductions(tiles);
    std::vector<double> scans(tiles);
    std::vector<double> result(input.size(), -1);
    examples::scan_by_tiles(on_openmp, read_only(input), tile, make_sequence(reductions),
                            make_sequence(scans), make_sequence(result));
    CHECK(result == expected);
    result.assign(result.size(), -1);
    examples::scan_by_tiles_by_lambdas(on_openmp, read_only(input), tile, make_sequence(reductions),
                                       make_sequence(scans), make_sequence(result));
    CHECK(result == expected);
  }
}
