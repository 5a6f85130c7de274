// report: prints comparisons as they finish, records them, and sums up each row of the table of
// goals: the geometric mean and the least of the ratios peer / Fettle, above 1 where Fettle is
// faster.
#pragma once

#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/json_writer.hpp>

#include "../record.hpp"
#include "comparison.hpp"
#include "outcome_record.hpp"

namespace fettle_benchmarks {

/// Inputs that a goal may be about.
[[nodiscard]] inline bool is_generated(const input& on) { return on.generated; }
[[nodiscard]] inline bool is_real(const input& on) { return !on.generated; }
[[nodiscard]] inline bool is_large(const input& on) { return on.elements >= 1'000'000; }
[[nodiscard]] inline bool is_small(const input& on) { return !is_large(on); }

/// A row of the goals: against the best of these peers, on these inputs.
struct goal {
  std::string name;  // "reduce / cub::DeviceReduce"
  std::string work;
  std::vector<std::string> peers;
  double geomean = 0;  // at least; 0: nothing is asked
  double least = 0;
  std::function<bool(const input&)> which = [](const input&) { return true; };
};

class report {
 public:
  /// Records what compiled the program: it may have been carried here from another machine.
  report() {
    std::string json;
    fettle::json_writer writer(json);
    writer.begin_object().field("compiled_by", __VERSION__);
#ifdef __CUDACC_VER_MAJOR__
    writer.field("nvcc",
                 std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__));
#endif
    writer.end_object();
    record_row(json);
  }

  /// Prints one line, and a line for whatever failed; records a row a contender.
  void add(finished result) {
    const outcome& ours = result.outcomes.front();
    if (result.on.work != work_) {
      work_ = result.on.work;
      std::printf("\n%s: us a call (in a batch), GB/s in a batch; peer / fettle of both\n",
                  work_.c_str());
    }
    std::printf("%-28s%-7s", result.on.name.c_str(), result.on.type.c_str());
    if (ours.good()) {
      std::printf("%9.1f (%8.1f)%7.0f", ours.call_us, ours.batch_us,
                  1e-3 * result.on.bytes / ours.batch_us);
    } else {
      std::printf("%27s", "failed");
    }
    const outcome* best_kernel = nullptr;
    for (const outcome& one : result.outcomes) {
      if (one.what == kind::peer && one.good() && ours.good()) {
        std::printf("  %s %.2f (%.2f)", one.name.c_str(), one.call_us / ours.call_us,
                    one.batch_us / ours.batch_us);
      }
      if (one.what == kind::kernel && one.good() &&
          (best_kernel == nullptr || one.call_us < best_kernel->call_us)) {
        best_kernel = &one;
      }
      record(result.on, one);
    }
    std::printf("\n");
    if (best_kernel != nullptr) {
      std::printf("%35s best kernel: %s %.1f (%.1f)\n", "", best_kernel->name.c_str(),
                  best_kernel->call_us, best_kernel->batch_us);
    }
    for (const outcome& one : result.outcomes) {
      if (one.good()) continue;
      std::printf("%35s FAILED: %s: %s\n", "", one.name.c_str(), one.problem.c_str());
      failures_ += one.what != kind::peer ? 1 : 0;
    }
    std::fflush(stdout);
    all_.push_back(std::move(result));
  }

  /// Prints and records how a goal was met.
  void sum_up(const goal& row) const {
    ratios call;
    ratios batch;
    for (const finished& one : all_) {
      if (one.on.work != row.work || !row.which(one.on) || !one.outcomes.front().good()) continue;
      double best_call = std::numeric_limits<double>::infinity();
      double best_batch = best_call;
      for (const outcome& other : one.outcomes) {
        if (other.what != kind::peer || !other.good()) continue;
        for (const std::string& peer : row.peers) {
          if (peer != other.name) continue;
          best_call = std::min(best_call, other.call_us);
          best_batch = std::min(best_batch, other.batch_us);
        }
      }
      if (!std::isfinite(best_call)) continue;
      call.add(best_call / one.outcomes.front().call_us, one.on);
      batch.add(best_batch / one.outcomes.front().batch_us, one.on);
    }
    if (call.count == 0) return;
    std::printf("%-46s%5d%8.2f%8.2f%8.2f%8.2f", row.name.c_str(), call.count, call.geomean(),
                call.least, batch.geomean(), batch.least);
    if (row.geomean > 0) std::printf("   goal %.2f", row.geomean);
    if (row.least > 0) std::printf(", least %.2f", row.least);
    std::printf("   least: %s\n", call.least_on.c_str());
    std::string json;
    fettle::json_writer(json)
        .begin_object()
        .field("summary", row.name)
        .field("inputs", call.count)
        .field("call_geomean", call.geomean())
        .field("call_least", call.least)
        .field("call_least_on", call.least_on)
        .field("batch_geomean", batch.geomean())
        .field("batch_least", batch.least)
        .field("batch_least_on", batch.least_on)
        .field("goal_geomean", row.geomean)
        .field("goal_least", row.least)
        .end_object();
    record_row(json);
  }

  static void print_summary_head() {
    std::printf("\n%-46s%5s%16s%16s\n%-46s%5s%8s%8s%8s%8s\n", "peer / fettle", "", "call", "batch",
                "", "n", "geomean", "least", "geomean", "least");
  }

  /// Prints and records one figure that is not a comparison's.
  static void figure(const std::string& name, double value, const char* unit, double goal = 0) {
    std::printf("%-46s%10.3f %s", name.c_str(), value, unit);
    if (goal > 0) std::printf("   goal %.2f", goal);
    std::printf("\n");
    std::string json;
    fettle::json_writer(json)
        .begin_object()
        .field("figure", name)
        .field("value", value)
        .field("unit", unit)
        .field("goal", goal)
        .end_object();
    record_row(json);
  }

  [[nodiscard]] const std::vector<finished>& all() const { return all_; }

  /// Outputs of Fettle's that were wrong or not there.
  [[nodiscard]] int failures() const { return failures_; }

 private:
  struct ratios {
    int count = 0;
    double logarithms = 0;
    double least = std::numeric_limits<double>::infinity();
    std::string least_on{};

    void add(double ratio, const input& on) {
      ++count;
      logarithms += std::log(ratio);
      if (ratio < least) {
        least = ratio;
        least_on = on.name + " " + on.type;
      }
    }
    [[nodiscard]] double geomean() const { return std::exp(logarithms / count); }
  };

  static void record(const input& on, const outcome& one) {
    static constexpr const char* kinds[] = {"ours", "peer", "kernel"};
    record_outcome(on, one, [&](fettle::json_writer& row) {
      row.field("generated", on.generated).field("kind", kinds[static_cast<int>(one.what)]);
    });
  }

  std::string work_;
  std::vector<finished> all_;
  int failures_ = 0;
};

}  // namespace fettle_benchmarks
