// The sum of a sequence in two forms, by one operator and by tiles (the paper's listing 3), beside
// thrust::reduce and CUB.
//
//   reduction [--measure] "numbers:size=N,tile=T"...
//
// Thrust brings the sum to the host, CUB and Fettle leave it where it was computed.
#include "../../../examples/ndp/reduction.hpp"

#include <optional>

#include "../common/bench.hpp"
#include "../common/form_choice.hpp"
#include "../common/numbers.hpp"

#ifdef FETTLE_BENCHMARK_MEASURES
#include "references.hpp"
#endif

namespace ndp_tuned {
namespace {

#ifdef __CUDACC__
using forms_policy = fettle::policy<"reduction.cuda">;
#else
using forms_policy = fettle::policy<"reduction.openmp">;
#endif

using examples::read_only;
using vector = examples::vector_on<platform_type, double>;

void run(bench& b, const std::string& text) {
  const numbers_input input = make_numbers(text);
  double expected = 0;
  for (const double number : input.numbers) expected += number;
  const vector numbers = examples::copy_to(b.on, input.numbers);
  vector partials(static_cast<std::size_t>(input.tiles()));
  vector result(1);
  std::optional<double> returned;  // by Thrust

  const auto whole_on = [&](const auto& on) {
    ndp::execute<"reduce_whole">(ndp::reduce(ndp::plus{}, read_only(numbers), 0.0),
                                 ndp::make_sequence(result), on);
  };
  const auto tiles_on = [&](const auto& on) {
    examples::reduce_by_tiles(on, read_only(numbers), input.tile_size, ndp::make_sequence(partials),
                              ndp::make_sequence(result));
  };
  form_choice<forms_policy> choice(b.on, input.size);
  choice.add("whole", [&] { whole_on(b.on); });
  choice.add("tiles", [&] { tiles_on(b.on); });
  fb::comparison c{
      input.as("reduction", sizeof(double)),
      {{our_name, fb::kind::ours, [&] { choice(); }}},
      [&] {
        poison(partials);
        poison(result);
        returned.reset();
      },
      [&] { return (returned ? *returned : examples::copy_to_host(result)[0]) == expected; }};
#ifdef FETTLE_BENCHMARK_MEASURES
  add_defaults(c.contenders, b, whole_on, tiles_on);
  add_references(c.contenders, b.on, read_only(numbers), ndp::make_sequence(result), returned);
  b.judge(c);
#endif
  check_forms(b, c, choice);
}

}  // namespace
}  // namespace ndp_tuned

int main(int count, char** values) {
  return ndp_tuned::run_benchmark("reduction", count, values, "numbers:size=100000",
                                  ndp_tuned::run);
}
