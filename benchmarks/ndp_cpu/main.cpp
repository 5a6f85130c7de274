// The nested data-parallel layer on the processor's cores, by its default rule and untuned, beside
// oneTBB, Eigen, MKL and loops by hand.
//
//   ndp_cpu [--quick] [--only WORK]... [--largest N] [--matrices FILE] [--limit SECONDS]
//
// Fettle, Eigen, MKL and the loops by hand share one OpenMP runtime and take turns; oneTBB, which
// has threads of its own, is measured when those are asleep, and they when oneTBB's are. Before a
// measurement the threads are woken by a call that is not timed. Nothing is flushed: inputs that
// fit into the caches are there.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "bench.hpp"

namespace {

using namespace ndp_cpu;

void sum_up(const fb::report& report) {
  const auto real = [](const fb::input& on) { return !on.generated; };
  const auto generated = [](const fb::input& on) { return on.generated; };
  const auto small = [](const fb::input& on) { return on.elements < 1'000'000; };
  const auto large = [](const fb::input& on) { return on.elements >= 1'000'000; };
  const std::vector<std::string> tbb{"tbb"};
  const std::vector<std::string> all{"eigen", "mkl", "tbb"};
  fb::report::print_summary_head();
  for (const fb::goal& row : {
           fb::goal{"reduce / tbb::parallel_reduce", "reduce", tbb, 1.0},
           fb::goal{"scan / tbb::parallel_scan", "scan", tbb, 1.0},
           fb::goal{"segmented sum / tbb::parallel_for", "segmented_sum", tbb, 1.0},
           fb::goal{"SpMV / Eigen", "spmv", {"eigen"}, 1.0},
           fb::goal{"SpMV / MKL inspector-executor", "spmv", {"mkl"}, 1.0},
           fb::goal{"SpMV / tbb::parallel_for", "spmv", tbb, 1.0},
           fb::goal{"SpMV / best of these", "spmv", all},
           fb::goal{"  generated matrices", "spmv", all, 0, 0, generated},
           fb::goal{"  real matrices", "spmv", all, 0, 0, real},
           fb::goal{"  at least 1M nonzeros", "spmv", all, 0, 0, large},
           fb::goal{"  fewer nonzeros", "spmv", all, 0, 0, small},
           fb::goal{"fused loop / by hand", "fused_loop", {"by hand"}, 0, 0.95},
       }) {
    report.sum_up(row);
  }
}

void run(const fb::options& asked) {
  fb::effort effort;
  effort.seconds = asked.quick ? 0.1 : 0.35;
  effort.most_rounds = 21;
  bench b{asked, effort};
  const auto values =
      static_cast<std::size_t>(std::min<std::int64_t>(asked.largest, fb::most_elements / 2) * 2);
  b.values = {fb::small_integers<double>(values, fb::values_seed),
              fb::small_integers<float>(values, fb::values_seed)};
  b.vector = {fb::small_integers<double>(fb::most_columns, fb::vector_seed),
              fb::small_integers<float>(fb::most_columns, fb::vector_seed)};

  const std::pair<const char*, void (*)(bench&)> works[] = {{"fused_loop", add_fused_loops},
                                                            {"reduce", add_reductions},
                                                            {"scan", add_scans},
                                                            {"segmented_sum", add_segmented_sums},
                                                            {"spmv", add_sparse_products}};
  for (const auto& [name, add] : works) {
    if (asked.wants(name)) add(b);
  }
  sum_up(b.report);
  if (asked.time_is_up()) std::printf("the limit of %.0f s left inputs out\n", asked.limit);
  std::printf("%.1f s in all\n", asked.since_start.seconds());
  if (b.report.failures() > 0) {
    throw std::runtime_error(std::to_string(b.report.failures()) +
                             " outputs of Fettle's were wrong or missing, see FAILED above");
  }
}

}  // namespace

int main(int count, char** arguments) try {
  run(fb::parse_options(count, arguments, FETTLE_MATRIX_CACHE));
} catch (const std::exception& error) {
  std::fprintf(stderr, "ndp_cpu: %s\n", error.what());
  return 1;
}
