// Sparse matrix times vector, the paper's listing 1, beside MKL's inspector-executor routine, or
// cuSPARSE and the kernel of CUSP.
//
//   ndp_spmv [--measure] INPUT...     inputs: see matrix.hpp
//
// Rows are inspected once, before the clock starts, as MKL and cuSPARSE prepare their matrices; but
// for default_uninspected, which is what a program does that is neither tuned nor inspects them.
#include "product.hpp"

#ifdef FETTLE_BENCHMARK_MEASURES
#include "references.hpp"
#endif

namespace ndp_tuned {
namespace {

void run(bench& b, const std::string& text) {
  matrix_times_vector p{text, b.on};
  const auto multiply_on = [&p, product = p.expression(p.known)](const auto& on) {
    ndp::execute<"spmv">(product, ndp::make_sequence(p.y), on);
  };
  fb::comparison c = p.comparison("spmv", [&] { multiply_on(b.on); });
#ifdef FETTLE_BENCHMARK_MEASURES
  if (b.measures) {
    add_default(c.contenders, b, multiply_on);
    c.contenders.push_back(
        {"default_uninspected", fb::kind::peer, [&, uninspected = p.expression({})] {
           ndp::execute(uninspected, ndp::make_sequence(p.y), b.on);
         }});
    add_references(c.contenders, b.on,
                   {p.a.rows(), p.a.columns_count, p.a.nonzeros(), pointer_to(p.offsets),
                    pointer_to(p.columns), pointer_to(p.values), pointer_to(p.x), pointer_to(p.y)});
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
