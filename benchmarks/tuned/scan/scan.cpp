// The exclusive prefix sums of a sequence in two forms, by one operator and by tiles (the paper's
// listing 4), beside thrust::exclusive_scan and CUB.
//
//   scan [--measure] "numbers:size=N,tile=T"...
#include "../../../examples/ndp/scan.hpp"

#include "../common/bench.hpp"
#include "../common/form_choice.hpp"
#include "../common/numbers.hpp"

#ifdef FETTLE_BENCHMARK_MEASURES
#include "references.hpp"
#endif

namespace ndp_tuned {
namespace {

#ifdef __CUDACC__
using forms_policy = fettle::policy<"scan.cuda">;
#else
using forms_policy = fettle::policy<"scan.openmp">;
#endif

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

  const auto whole_on = [&](const auto& on) {
    ndp::execute<"scan_whole">(ndp::scan(ndp::plus{}, read_only(numbers), 0.0),
                               ndp::make_sequence(result), on);
  };
  const auto tiles_on = [&](const auto& on) {
    examples::scan_by_tiles(on, read_only(numbers), input.tile_size, ndp::make_sequence(reductions),
                            ndp::make_sequence(scans), ndp::make_sequence(result));
  };
  form_choice<forms_policy> choice(b.on, input.size);
  choice.add("whole", [&] { whole_on(b.on); });
  choice.add("tiles", [&] { tiles_on(b.on); });
  fb::comparison c{input.as("scan", 2 * sizeof(double)),
                   {{our_name, fb::kind::ours, [&] { choice(); }}},
                   [&] {
                     poison(reductions);
                     poison(scans);
                     poison(result);
                   },
                   [&] { return holds(result, expected); }};
#ifdef FETTLE_BENCHMARK_MEASURES
  add_defaults(c.contenders, b, whole_on, tiles_on);
  add_references(c.contenders, b.on, read_only(numbers), ndp::make_sequence(result));
  b.judge(c);
#endif
  check_forms(b, c, choice);
}

}  // namespace
}  // namespace ndp_tuned

int main(int count, char** values) {
  return ndp_tuned::run_benchmark("scan", count, values, "numbers:size=100000", ndp_tuned::run);
}
