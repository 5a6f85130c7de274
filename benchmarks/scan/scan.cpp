// The exclusive prefix sums of a sequence by tiles, the paper's listing 4, beside
// thrust::exclusive_scan and CUB.
//
//   scan [--measure] "numbers:size=N,tile=T"...
#include "../../examples/ndp/scan.hpp"

#include "../ndp_tuned/bench.hpp"
#include "../ndp_tuned/numbers.hpp"

#ifdef FETTLE_BENCHMARK_MEASURES
#include "references.hpp"
#endif

namespace ndp_tuned {
namespace {

using examples::read_only;
using vector = examples::vector_on<platform_type, double>;

void run(bench& b, const std::string& text) {
  const numbers_input input = make_numbers(text);
  const std::vector<std::int32_t> expected = fb::serial_scan(input.numbers.size());
  const vector numbers = examples::copy_to(b.on, input.numbers);
  const auto tiles = static_cast<std::size_t>(input.tiles());
  vector reductions(tiles);
  vector scans(tiles);
  vector result(input.numbers.size());

  const auto scan_on = [&](const auto& on) {
    examples::scan_by_tiles(on, read_only(numbers), input.tile_size, ndp::make_sequence(reductions),
                            ndp::make_sequence(scans), ndp::make_sequence(result));
  };
  fb::comparison c{input.as("scan", 2 * sizeof(double)),
                   {{our_name, fb::kind::ours, [&] { scan_on(b.on); }}},
                   [&] {
                     poison(reductions);
                     poison(scans);
                     poison(result);
                   },
                   [&] { return holds(result, expected); }};
#ifdef FETTLE_BENCHMARK_MEASURES
  add_default(c.contenders, b, scan_on);
  add_references(c.contenders, b.on, read_only(numbers), ndp::make_sequence(result));
#endif
  b.judge(c);
}

}  // namespace
}  // namespace ndp_tuned

int main(int count, char** values) {
  return ndp_tuned::run_benchmark("scan", count, values, "numbers:size=100000", ndp_tuned::run);
}
