// scan [NUMBERS] [TILE]: prefix sums of numbers, tile by tile, compared with the serial loop.
#include "scan.hpp"

#include "support/program.hpp"
#include "support/random.hpp"

namespace examples {

template <typename Platform>
void run(const Platform& on, arguments& given) {
  const ndp::index_t size = given.number("NUMBERS", 1'000'000, 1, 1'000'000'000);
  const ndp::index_t tile_size = given.number("TILE", 4096, 1, 1'000'000'000);
  given.end();
  const std::vector<double> input = some_numbers(static_cast<std::size_t>(size));
  std::vector<double> expected;
  double sum = 0;
  for (const double number : input) {
    expected.push_back(sum);
    sum += number;
  }

  const auto numbers = copy_to(on, input);
  const auto tiles = static_cast<std::size_t>(tile_count(size, tile_size));
  vector_on<Platform, double> reductions(tiles);
  vector_on<Platform, double> scans(tiles);
  auto result = copy_to(on, std::vector<double>(input.size(), -1));
  const double seconds = seconds_of(on, [&] {
    scan_by_tiles(on, read_only(numbers), tile_size, ndp::make_sequence(reductions),
                  ndp::make_sequence(scans), ndp::make_sequence(result));
  });
  require_same("scan", copy_to_host(result), expected);

#ifndef __CUDACC__
  result.assign(result.size(), -1);
  scan_by_tiles_by_lambdas(on, read_only(numbers), tile_size, ndp::make_sequence(reductions),
                           ndp::make_sequence(scans), ndp::make_sequence(result));
  require_same("scan by lambdas", result, expected);
#endif

  // One operator does it all.
  result = copy_to(on, std::vector<double>(input.size(), -1));
  ndp::execute(ndp::scan(ndp::plus{}, read_only(numbers), 0.0), ndp::make_sequence(result), on);
  require_same("scan in one", copy_to_host(result), expected);

  report("scan", std::to_string(size) + " numbers in tiles of " + std::to_string(tile_size),
         seconds);
}

}  // namespace examples

int main(int count, char** values) {
  return examples::run_program("scan", count, values,
                               [](const auto& on, auto& given) { examples::run(on, given); });
}
