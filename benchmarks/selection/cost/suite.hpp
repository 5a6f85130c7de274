// The selection cost benchmark's frame: contenders of a case take turns, so that whatever else the
// machine does hits all alike; a case's figures are medians over the turns, and ratios of them.
// Where a contender says what one call is, single calls are timed too, which find nothing of theirs
// in the caches: after other work that fills the first two levels ("cold"), and after all memory of
// the program was flushed from every level ("flushed").
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

#include "../../common/record.hpp"
#include "cold.hpp"

namespace selection_cost {

/// Handles all inputs of the case once and returns something that depends on every result.
using pass = std::function<std::size_t()>;
/// Handles one of the inputs, whose number it is given.
using single = std::function<void(std::size_t)>;

class suite {
 public:
  explicit suite(std::size_t turns) : turns_(turns) {}

  /// Starts a case. Every pass of its contenders handles `inputs` inputs. Ratios are against the
  /// contender called `reference`, which must be one of the case.
  void begin(std::string name, std::size_t inputs, std::string reference) {
    cases_.push_back({std::move(name), inputs, std::move(reference), {}});
  }

  void add(std::string name, pass run, single one = {}) {
    cases_.back().contenders.push_back(
        {std::move(name), std::move(run), std::move(one), {}, {}, {}});
  }

  /// Makes single calls of one contender, the last of them between two writes to an address that is
  /// printed: for a tool that traces memory (lines.py).
  bool show(const std::string& name) const {
    static volatile std::size_t mark;
    for (const one_case& c : cases_) {
      for (const contender& one : c.contenders) {
        if (one.name != name || !one.call) continue;
        std::printf("%p\n", static_cast<const volatile void*>(&mark));
        std::fflush(stdout);
        for (std::size_t i = 0; i < 3; ++i) one.call(5);
        mark = 1;
        one.call(5);
        mark = 2;
        return true;
      }
    }
    return false;
  }

  /// Times everything, prints a table and records a row a contender.
  void run() {
    const program_memory memory;
    for (one_case& c : cases_) {
      for (std::size_t turn = 0; turn < turns_; ++turn) {
        for (contender& one : c.contenders) {
          one.ns.push_back(time_of(one.run, c.inputs));
          if (one.call) time_cold(one, memory, turn);
        }
      }
      report(c);
    }
  }

 private:
  struct contender {
    std::string name;
    pass run;
    single call;
    std::vector<double> ns;
    std::vector<double> cold;
    std::vector<double> flushed;
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

  /// Some single calls, with what each finds of itself in the caches taken away before.
  void time_cold(contender& one, const program_memory& memory, std::size_t turn) {
    for (std::size_t i = 0; i < 3; ++i) {
      other_.run();
      one.cold.push_back(time_of_one(one.call, 3 * turn + i));
    }
    if (memory.flush()) one.flushed.push_back(time_of_one(one.call, turn));
  }

  static double time_of_one(const single& call, std::size_t input) {
    now_ns();  // the clock itself is warm
    const double start = now_ns();
    call(input);
    return now_ns() - start;
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
    std::printf("\n%s%*s%8s%8s%8s%8s\n", c.name.c_str(),
                std::max(1, 62 - static_cast<int>(c.name.size())), "median ns", "p10", "ratio",
                "cold", "flushed");
    for (const contender& one : c.contenders) {
      const double median = quantile(one.ns, 0.5);
      const double p10 = quantile(one.ns, 0.1);
      std::printf("  %-51s%9.1f%8.1f%8.2f", one.name.c_str(), median, p10, median / reference);
      for (const std::vector<double>* times : {&one.cold, &one.flushed}) {
        if (!times->empty()) std::printf("%8.0f", quantile(*times, 0.5));
      }
      std::printf("\n");
      std::string row;
      fettle::json_writer json(row);
      json.begin_object()
          .field("case", c.name)
          .field("contender", one.name)
          .field("median_ns", median)
          .field("p10_ns", p10)
          .field("p90_ns", quantile(one.ns, 0.9))
          .field("reference", c.reference)
          .field("ratio", median / reference);
      if (!one.cold.empty()) json.field("cold_ns", quantile(one.cold, 0.5));
      if (!one.flushed.empty()) json.field("flushed_ns", quantile(one.flushed, 0.5));
      json.end_object();
      fettle_benchmarks::record_row(row);
    }
    std::fflush(stdout);
  }

  std::size_t turns_;
  std::vector<one_case> cases_;
  other_work other_;
};

void add_calls(suite& all);
void add_execute(suite& all);
void add_machines(suite& all);
void add_trees(suite& all);

}  // namespace selection_cost
