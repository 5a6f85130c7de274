// The nested data-parallel layer on the processor's cores, by its default rule and untuned, beside
// oneTBB, Eigen, MKL and loops by hand.
//
//   ndp_cpu [--quick] [--only WORK]... [--largest N] [--matrices FILE] [--limit SECONDS]
//
// Fettle, Eigen, MKL and the loops by hand share one OpenMP runtime and take turns; oneTBB, which
// has threads of its own, is measured when those are asleep, and they when oneTBB's are. Before a
// measurement the threads are woken by a call that is not timed. Nothing is flushed: inputs that
// fit into the caches are there.
#include "bench.hpp"

namespace {

using namespace ndp_cpu;

void sum_up(const bench& b) {
  const std::vector<std::string> tbb{"tbb"};
  const std::vector<std::string> on_tbb{"fettle on oneTBB"};
  const std::vector<std::string> all{"eigen", "mkl", "tbb"};
  fb::report::print_summary_head();
  for (const fb::goal& row : {
           fb::goal{"reduce / tbb::parallel_reduce", "reduce", tbb, 1.0},
           fb::goal{"scan / tbb::parallel_scan", "scan", tbb, 1.0},
           fb::goal{"segmented sum / tbb::parallel_for", "segmented_sum", tbb, 1.0},
           fb::goal{"SpMV / Eigen", "spmv", {"eigen"}, 1.0},
           fb::goal{"SpMV / MKL inspector-executor", "spmv", {"mkl"}, 1.0},
           fb::goal{"SpMV / tbb::parallel_for", "spmv", tbb, 1.0},
           fb::goal{"all on OpenMP / on platform::tbb: reduce", "reduce", on_tbb},
           fb::goal{"  scan", "scan", on_tbb},
           fb::goal{"  segmented sum", "segmented_sum", on_tbb},
           fb::goal{"  SpMV", "spmv", on_tbb},
           fb::goal{"SpMV / best of these", "spmv", all},
           fb::goal{"  generated matrices", "spmv", all, 0, 0, fb::is_generated},
           fb::goal{"  real matrices", "spmv", all, 0, 0, fb::is_real},
           fb::goal{"  at least 1M nonzeros", "spmv", all, 0, 0, fb::is_large},
           fb::goal{"  fewer nonzeros", "spmv", all, 0, 0, fb::is_small},
           fb::goal{"fused loop / by hand", "fused_loop", {"by hand"}, 0, 0.95},
           fb::goal{"filter / better of std and oneTBB", "filter", {"std", "tbb"}, 0.95, 0.8},
           fb::goal{"partition / std", "partition", {"std"}, 0.95, 0.8},
           fb::goal{"unique / better of std and oneTBB", "unique", {"std", "tbb"}, 0.95, 0.8},
           fb::goal{"inclusive scan / better of both", "inclusive_scan", {"std", "tbb"}, 0.95, 0.8},
           fb::goal{"sort / better of both", "sort", {"std", "std::execution::par"}, 0.95, 0.8},
           fb::goal{"sort by key / better of both",
                    "sort_by_key",
                    {"std", "std::execution::par"},
                    0.95,
                    0.8},
           fb::goal{"histogram / better of both", "histogram", {"std", "tbb"}, 0.95, 0.8},
       }) {
    b.findings.sum_up(row);
  }
}

void run(const fb::options& asked) {
  fb::effort effort;
  effort.seconds = asked.quick ? 0.1 : 0.35;
  effort.most_rounds = 21;
  bench b{asked, effort, {}};
  b.make_inputs();
  fb::run_works<bench>(b,
                       {{"fused_loop", add_fused_loops},
                        {"reduce", add_reductions},
                        {"scan", add_scans},
                        {"segmented_sum", add_segmented_sums},
                        {"spmv", add_sparse_products},
                        {"operators", add_operators}},
                       sum_up);
}

}  // namespace

int main(int count, char** arguments) { return fb::run_program("ndp_cpu", count, arguments, run); }
