// The selection cost benchmark's frame: contenders of a case take turns, so that whatever else the
// machine does hits all alike; a case's figures are medians over the turns, and ratios of them.
//
// A file that adds contenders declares `void add_...(suite&)` here and is called from main.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <time.h>
#include <utility>
#include <vector>

#include <fettle/core/json_writer.hpp>

#include "../record.hpp"

namespace selection_cost {

/// Handles all inputs of the case once and returns something that depends on every result.
using pass = std::function<std::size_t()>;

class suite {
 public:
  explicit suite(std::size_t turns) : turns_(turns) {}

  /// Starts a case. Every pass of its contenders handles `inputs` inputs. Ratios are against the
  /// contender called `reference`, which must be one of the case.
  void begin(std::string name, std::size_t inputs, std::string reference) {
    cases_.push_back({std::move(name), inputs, std::move(reference), {}});
  }

  void add(std::string name, pass run) {
    cases_.back().contenders.push_back({std::move(name), std::move(run), {}});
  }

  /// Times everything, prints a table and records a row a contender.
  void run() {
    for (one_case& c : cases_) {
      for (std::size_t turn = 0; turn < turns_; ++turn) {
        for (contender& one : c.contenders) one.ns.push_back(time_of(one.run, c.inputs));
      }
      report(c);
    }
  }

 private:
  struct contender {
    std::string name;
    pass run;
    std::vector<double> ns;
  };
  struct one_case {
    std::string name;
    std::size_t inputs;
    std::string reference;
    std::vector<contender> contenders;
  };

  static double now_ns() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
  }

  /// Nanoseconds an input, of as many passes as take some 50 microseconds.
  static double time_of(const pass& run, std::size_t inputs) {
    static volatile std::size_t sink;
    sink = run();  // brings code and tables into the caches again
    std::size_t passes = 0;
    const double start = now_ns();
    double end = start;
    do {
      sink = sink + run();
      ++passes;
      end = now_ns();
    } while (end - start < 50e3);
    return (end - start) / static_cast<double>(passes * inputs);
  }

  static double quantile(std::vector<double> values, double q) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
  }

  void report(const one_case& c) const {
    double reference = 0;
    for (const contender& one : c.contenders) {
      if (one.name == c.reference) reference = quantile(one.ns, 0.5);
    }
    std::printf("\n%s%*s%8s%8s\n", c.name.c_str(),
                std::max(1, 62 - static_cast<int>(c.name.size())), "median ns", "p10", "ratio");
    for (const contender& one : c.contenders) {
      const double median = quantile(one.ns, 0.5);
      const double p10 = quantile(one.ns, 0.1);
      std::printf("  %-51s%9.1f%8.1f%8.2f\n", one.name.c_str(), median, p10, median / reference);
      std::string row;
      fettle::json_writer(row)
          .begin_object()
          .field("case", c.name)
          .field("contender", one.name)
          .field("median_ns", median)
          .field("p10_ns", p10)
          .field("p90_ns", quantile(one.ns, 0.9))
          .field("reference", c.reference)
          .field("ratio", median / reference)
          .end_object();
      fettle_benchmarks::record_row(row);
    }
    std::fflush(stdout);
  }

  std::size_t turns_;
  std::vector<one_case> cases_;
};

void add_calls(suite& all);
void add_execute(suite& all);
void add_machines(suite& all);
void add_trees(suite& all);

}  // namespace selection_cost
