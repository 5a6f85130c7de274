// report: prints a line a case, with how Fettle compares with the better simple loop or kernel, and
// records it; names the simple ones that are far from the copy's bandwidth. run.py sums up.
#pragma once

#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <fettle/core/json_writer.hpp>

#include "../../common/ndp/comparison.hpp"
#include "../../common/ndp/outcome_record.hpp"
#include "../../common/record.hpp"
#include "shapes.hpp"

namespace suite {

class report {
 public:
  double copy_bandwidth = 0;  // bytes read and written a second; 0: nothing is timed

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
    fb::record_row(json);
  }

  /// `roles`: "fettle", "simple" or "library", of each contender.
  void add(const fb::finished& result, const std::vector<std::string>& roles) {
    double fettle = 0;
    double simple = std::numeric_limits<double>::infinity();
    double fraction = 0;
    std::printf("%-23s%-8s", result.on.work.c_str(), result.on.name.c_str());
    for (std::size_t i = 0; i < roles.size(); ++i) {
      const fb::outcome& one = result.outcomes[i];
      const double of_copy = of_copy_bandwidth(result.on, one);
      if (one.good() && roles[i] == "fettle") fettle = one.batch_us;
      if (one.good() && roles[i] == "simple" && one.batch_us < simple) {
        simple = one.batch_us;
        fraction = of_copy;
      }
      print(one, of_copy);
      record(result.on, one, roles[i]);
      failures_ += one.good() ? 0 : 1;
    }
    if (fettle > 0 && copy_bandwidth > 0) std::printf("  simple / fettle %.2f", simple / fettle);
    std::printf("\n");
    std::fflush(stdout);
    if (is_bandwidth_bound(result.on.name) && copy_bandwidth > 0 && fraction < 0.5) {
      slow_.push_back(result.on.work + ", " + result.on.name + ": " + std::to_string(fraction));
    }
    ++cases_;
  }

  void sum_up() const {
    std::printf("%d cases, %d failures\n", cases_, failures_);
    if (copy_bandwidth == 0) return;
    std::printf("copy: %.1f GB/s\n", 1e-9 * copy_bandwidth);
    std::string json;
    fettle::json_writer(json)
        .begin_object()
        .field("figure", "copy")
        .field("value", 1e-9 * copy_bandwidth)
        .field("unit", "GB/s")
        .end_object();
    fb::record_row(json);
    for (const std::string& one : slow_) {
      std::printf("the better simple one is below half of the copy's bandwidth: %s\n", one.c_str());
    }
  }

  [[nodiscard]] int failures() const { return failures_; }

 private:
  [[nodiscard]] double of_copy_bandwidth(const fb::input& on, const fb::outcome& one) const {
    return one.batch_us > 0 && copy_bandwidth > 0
               ? on.bytes / (1e-6 * one.batch_us) / copy_bandwidth
               : 0;
  }

  void print(const fb::outcome& one, double of_copy) const {
    if (!one.good()) {
      std::printf("  %s FAILED: %s", one.name.c_str(), one.problem.c_str());
    } else if (copy_bandwidth > 0) {
      std::printf("  %s %.1f us (%.2f)", one.name.c_str(), one.batch_us, of_copy);
    } else {
      std::printf("  %s", one.name.c_str());
    }
  }

  void record(const fb::input& on, const fb::outcome& one, const std::string& role) const {
    fb::record_outcome(on, one, [&](fettle::json_writer& row) {
      row.field("role", role).field("balanced", is_balanced(on.name));
      if (one.good()) row.field("of_copy_bandwidth", of_copy_bandwidth(on, one));
    });
  }

  int cases_ = 0;
  int failures_ = 0;
  std::vector<std::string> slow_;
};

}  // namespace suite
