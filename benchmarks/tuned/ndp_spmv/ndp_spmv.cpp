// Sparse matrix times vector, the paper's listing 1, beside MKL's inspector-executor routine, or
// cuSPARSE and the kernel of CUSP.
//
//   ndp_spmv [--measure] INPUT...     inputs: see matrix.hpp
//
// Rows are inspected once, before the clock starts, as MKL and cuSPARSE prepare their matrices; but
// for default_uninspected, which is what a program does that is neither tuned nor inspects them.
#include <fettle/ndp/shape/inspect_rows.hpp>

#include "../../common/ndp/computations.hpp"
#include "../common/bench.hpp"
#include "matrix.hpp"

#ifdef FETTLE_BENCHMARK_MEASURES
#include "references.hpp"
#endif

namespace ndp_tuned {
namespace {

using examples::read_only;

void run(bench& b, const std::string& text) {
  const fb::csr a = make_matrix(text);
  const std::vector<std::int32_t> expected = fb::serial_product(a);
  const auto some = [](fb::index count, std::uint64_t seed) {
    return fb::small_integers<double>(static_cast<std::size_t>(count), seed);
  };
  const auto values = examples::copy_to(b.on, some(a.nonzeros(), fb::values_seed));
  const auto columns = examples::copy_to(b.on, a.columns);
  const auto offsets = examples::copy_to(b.on, a.offsets);
  const auto x = examples::copy_to(b.on, some(a.columns_count, fb::vector_seed));
  examples::vector_on<platform_type, double> y(expected.size());

  const ndp::row_statistics known =
      ndp::inspect_rows(ndp::nest(read_only(values), read_only(offsets)), b.on);
  const auto product_knowing = [&](const ndp::row_statistics& told) {
    return fb::sparse_product(read_only(values), read_only(columns), read_only(offsets),
                              read_only(x), told);
  };
  const auto product = product_knowing(known);
  const auto multiply_on = [&](const auto& on) {
    ndp::execute<"spmv">(product, ndp::make_sequence(y), on);
  };
  fb::comparison c{
      {"spmv", text, "double", a.rows(), a.nonzeros(), a.least_bytes(sizeof(double)), a.generated},
      {{our_name, fb::kind::ours, [&] { multiply_on(b.on); }}},
      [&] { poison(y); },
      [&] { return holds(y, expected); }};
#ifdef FETTLE_BENCHMARK_MEASURES
  if (b.measures) {
    add_default(c.contenders, b, multiply_on);
    c.contenders.push_back(
        {"default_uninspected", fb::kind::peer, [&, uninspected = product_knowing({})] {
           ndp::execute(uninspected, ndp::make_sequence(y), b.on);
         }});
    add_references(c.contenders, b.on,
                   {a.rows(), a.columns_count, a.nonzeros(), pointer_to(offsets),
                    pointer_to(columns), pointer_to(values), pointer_to(x), pointer_to(y)});
  }
#endif
  b.judge(c);
}

}  // namespace
}  // namespace ndp_tuned

int main(int count, char** values) {
  return ndp_tuned::run_benchmark("ndp_spmv", count, values,
                                  "generate:power_law:rows=20000,mean=10,exponent=2.2,seed=1",
                                  ndp_tuned::run);
}
