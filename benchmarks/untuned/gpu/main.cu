// The nested data-parallel layer on a GPU, by its default rule and untuned, beside CUB, Thrust and
// cuSPARSE.
//
//   ndp_gpu [--quick] [--kernels] [--only WORK]... [--largest N] [--matrices FILE] [--limit
//   SECONDS]
//
// A call is timed by events around it on an idle stream, so that it includes its launches (an empty
// kernel reads some 4 us); a batch by events around many calls. Nothing is flushed: inputs that fit
// into the L2 cache (60 MB on an H200) are there.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "bench.cuh"

namespace {

using namespace ndp_gpu;

/// Bytes read and written a second by a copy on the device.
double copy_bandwidth(bench& b) {
  constexpr std::size_t bytes = std::size_t{1} << 30;
  const device_array<char> from(bytes);
  const device_array<char> to(bytes);
  const std::function<void()> copy = [&] {
    check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, b.stream),
          "cudaMemcpyAsync");
  };
  b.watch.seconds(copy, 100);  // clocks go up
  std::vector<double> seconds(9);
  for (double& one : seconds) one = b.watch.seconds(copy, 10) / 10;
  return 2 * static_cast<double>(bytes) / fettle::median(seconds);
}

/// The greatest share of the copy's bandwidth that Fettle reached on such inputs.
void share_of_bandwidth(const fb::report& report, double bandwidth, const std::string& name,
                        double goal, const std::function<bool(const fb::input&)>& which) {
  double least = 1e9;
  for (const fb::finished& one : report.all()) {
    const fb::outcome& ours = one.outcomes.front();
    if (!which(one.on) || !ours.good()) continue;
    least = std::min(least, one.on.bytes / (1e-6 * ours.batch_us) / bandwidth);
  }
  if (least < 1e9) fb::report::figure(name, least, "of copy bandwidth", goal);
}

void sum_up(const bench& b, double bandwidth) {
  const std::vector<std::string> cub{"cub"};
  const std::vector<std::string> thrust{"thrust"};
  const std::vector<std::string> both{"cub", "thrust"};
  const std::vector<std::string> cusparse{"alg1", "alg2"};
  fb::report::print_summary_head();
  for (const fb::goal& row : {
           fb::goal{"reduce / cub::DeviceReduce", "reduce", cub, 1.0, 0.95},
           fb::goal{"reduce / thrust::reduce", "reduce", thrust, 2.0},
           fb::goal{"scan / cub::DeviceScan", "scan", cub, 0.95},
           fb::goal{"scan / thrust::exclusive_scan", "scan", thrust, 1.0},
           fb::goal{"segmented sum / cub::DeviceSegmentedReduce", "segmented_sum", cub, 2.0, 0.9},
           fb::goal{"segmented sum, nothing known / cub::DeviceSegmentedReduce",
                    "segmented_sum_unknown", cub, 2.0, 0.9},
           fb::goal{"  at least 1M elements", "segmented_sum", cub, 0, 0, fb::is_large},
           fb::goal{"  fewer", "segmented_sum", cub, 0, 0, fb::is_small},
           fb::goal{"SpMV / better of cuSPARSE's", "spmv", cusparse, 1.0, 0.7},
           fb::goal{"SpMV, nothing known / better of cuSPARSE's", "spmv_unknown", cusparse, 1.0,
                    0.7},
           fb::goal{"  generated matrices", "spmv", cusparse, 0, 0, fb::is_generated},
           fb::goal{"  real matrices", "spmv", cusparse, 0, 0, fb::is_real},
           fb::goal{"  at least 1M nonzeros", "spmv", cusparse, 0, 0, fb::is_large},
           fb::goal{"  fewer nonzeros", "spmv", cusparse, 0, 0, fb::is_small},
           fb::goal{"filter / better of CUB and Thrust", "filter", both, 0.95, 0.8},
           fb::goal{"partition / Thrust", "partition", thrust, 0.95, 0.8},
           fb::goal{"unique / better of CUB and Thrust", "unique", both, 0.95, 0.8},
           fb::goal{"run lengths / better of CUB and Thrust", "run_lengths", both, 0.95, 0.8},
           fb::goal{"runs by key / better of CUB and Thrust", "reduce_by_key", both, 0.95, 0.8},
           fb::goal{"inclusive scan / better of CUB and Thrust", "inclusive_scan", both, 0.95, 0.8},
           fb::goal{"sort / better of CUB and Thrust", "sort", both, 0.95, 0.8},
           fb::goal{"sort by key / better of CUB and Thrust", "sort_by_key", both, 0.95, 0.8},
           fb::goal{"histogram / CUB", "histogram", cub, 0.95, 0.8},
       }) {
    b.findings.sum_up(row);
  }
  fb::report::figure("device copy", 1e-9 * bandwidth, "GB/s");
  share_of_bandwidth(b.findings, bandwidth, "reduce of 100M", 0.95, [](const fb::input& on) {
    return on.work == "reduce" && on.elements == 100'000'000;
  });
  share_of_bandwidth(b.findings, bandwidth, "SpMV of large rows", 0.75, [](const fb::input& on) {
    return on.work == "spmv" && fb::has_large_rows(on);
  });
}

void run(const fb::options& asked) {
  fb::effort effort;
  effort.seconds = asked.quick ? 0.05 : 0.15;
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  bench b{{asked, effort, stopwatch(stream)}, stream};
  b.make_inputs();
  const double bandwidth = copy_bandwidth(b);
  std::printf("device copy: %.0f GB/s; ready after %.1f s\n", 1e-9 * bandwidth,
              asked.since_start.seconds());
  fb::run_works<bench>(b,
                       {{"reduce", add_reductions},
                        {"scan", add_scans},
                        {"segmented_sum", add_segmented_sums},
                        {"spmv", add_sparse_products},
                        {"selections", add_selections},
                        {"sorts", add_sorts}},
                       [&](const bench& ran) { sum_up(ran, bandwidth); });
}

}  // namespace

int main(int count, char** arguments) { return fb::run_program("ndp_gpu", count, arguments, run); }
