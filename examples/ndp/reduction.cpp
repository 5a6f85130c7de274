// reduction [NUMBERS] [TILE]: sums up numbers tile by tile and compares with the serial loop.
#include "reduction.hpp"

#include "support/program.hpp"
#include "support/random.hpp"

namespace examples {

template <typename Platform>
void run(const Platform& on, arguments& given) {
  const ndp::index_t size = given.number("NUMBERS", 1'000'000, 1, 1'000'000'000);
  const ndp::index_t tile_size = given.number("TILE", 4096, 1, 1'000'000'000);
  given.end();
  const std::vector<double> input = some_numbers(static_cast<std::size_t>(size));
  double expected = 0;
  for (const double number : input) expected += number;

  const auto numbers = copy_to(on, input);
  vector_on<Platform, double> partials(static_cast<std::size_t>(tile_count(size, tile_size)));
  vector_on<Platform, double> result(1);
  const double seconds = seconds_of(on, [&] {
    reduce_by_tiles(on, read_only(numbers), tile_size, ndp::make_sequence(partials),
                    ndp::make_sequence(result));
  });
  require_same("reduction", copy_to_host(result), {expected});

#ifndef __CUDACC__
  result[0] = 0;
  reduce_by_tiles_by_lambdas(on, read_only(numbers), tile_size, ndp::make_sequence(partials),
                             ndp::make_sequence(result));
  require_same("reduction by lambdas", result, {expected});
#endif

  // One operator does it all; its value comes back to the program.
  const double sum = ndp::execute(ndp::reduce(ndp::plus{}, read_only(numbers), 0.0), on);
  require_same("reduce", {sum}, {expected});

  report("reduction", std::to_string(size) + " numbers in tiles of " + std::to_string(tile_size),
         seconds);
}

}  // namespace examples

int main(int count, char** values) {
  return examples::run_program("reduction", count, values,
                               [](const auto& on, auto& given) { examples::run(on, given); });
}
