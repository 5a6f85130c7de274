// report: prints a line a case and contender, records it, and sums up: how Fettle compares with the
// better simple loop or kernel, and which simple ones are far from the copy's bandwidth.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <fettle/core/json_writer.hpp>

#include "../../common/ndp/comparison.hpp"
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
      record(result.on, one, roles[i], of_copy);
      failures_ += one.good() ? 0 : 1;
    }
    if (fettle > 0 && copy_bandwidth > 0) {
      std::printf("  simple / fettle %.2f", simple / fettle);
      all_.add(simple / fettle);
      if (is_balanced(result.on.name)) balanced_.add(simple / fettle);
    }
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
    all_.print("all shapes");
    balanced_.print("balanced shapes");
    for (const std::string& one : slow_) {
      std::printf("the better simple one is below half of the copy's bandwidth: %s\n", one.c_str());
    }
  }

  [[nodiscard]] int failures() const { return failures_; }

 private:
  struct ratios {
    int count = 0;
    double logarithms = 0;
    double least = std::numeric_limits<double>::infinity();

    void add(double ratio) {
      ++count;
      logarithms += std::log(ratio);
      least = std::min(least, ratio);
    }
    void print(const char* name) const {
      if (count == 0) return;
      std::printf("simple / fettle, %s: geomean %.3f, least %.3f of %d\n", name,
                  std::exp(logarithms / count), least, count);
    }
  };

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

  static void record(const fb::input& on, const fb::outcome& one, const std::string& role,
                     double of_copy) {
    std::string json;
    fettle::json_writer row(json);
    row.begin_object()
        .field("work", on.work)
        .field("input", on.name)
        .field("type", on.type)
        .field("rows", on.rows)
        .field("elements", on.elements)
        .field("bytes", on.bytes)
        .field("contender", one.name)
        .field("role", role);
    if (one.good()) {
      row.field("call_us", one.call_us)
          .field("batch_us", one.batch_us)
          .field("of_copy_bandwidth", of_copy);
    } else {
      row.field("problem", one.problem);
    }
    row.end_object();
    fb::record_row(json);
  }

  int cases_ = 0;
  int failures_ = 0;
  ratios all_;
  ratios balanced_;
  std::vector<std::string> slow_;
};

}  // namespace suite
