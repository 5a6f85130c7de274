// bench: runs the versions of a program's nests on a data set, compares their results, and records
// what each takes: a row a nest,
//
//   {"program": "lud", "data": "256", "tunes": true, "nest": "interior", "step": 3,
//    "rows": 208, "length": 208, "moderate": "cells", "us": {"rows": 41.2, ...}}
//
// `moderate` is the version that moderate flattening would compile alone, whatever the data set:
// nested maps all in parallel, reductions in them sequential, scans in them segmented.
// Versions take turns; a time is the median of a few calls, each of which starts when nothing else
// runs and ends when its result is there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/json_writer.hpp>
#include <fettle/measure/statistics.hpp>

#include "../../../examples/ndp/support/program.hpp"
#include "../../common/ndp/turns.hpp"
#include "../../common/record.hpp"
#include "arrays.hpp"
#include "versions.hpp"

#ifdef __CUDACC__
#include "../../common/ndp/device.cuh"
#else
#include "../../common/ndp/stopwatch.hpp"
#endif

namespace thresholds {

namespace fb = fettle_benchmarks;
#ifdef __CUDACC__
using stopwatch_type = ndp_gpu::stopwatch;
inline stopwatch_type make_stopwatch() { return stopwatch_type(nullptr); }
#else
using stopwatch_type = ndp_cpu::stopwatch;
inline stopwatch_type make_stopwatch() { return {}; }
#endif

/// Up to three sizes of a program's input; whether tuners see it, or it is left out to judge them.
struct data_set {
  std::string name;
  bool tunes;
  index_t a;
  index_t b = 1;
  index_t c = 1;
};

struct version {
  std::string name;
  std::function<void()> run;
};

class bench {
 public:
  platform_type on{};
  std::string program;
  data_set data;
  int step = 0;                  // of a program's loop
  index_t most = 1'000'000'000;  // elements of a data set
  double seconds = 0.03;
  bool times = true;

  [[nodiscard]] int failures() const { return failures_; }

  /// The first row: the platform, and what compiled the program.
  void record_platform() const {
    std::string json;
    fettle::json_writer row(json);
    row.begin_object()
        .field("platform", platform_type::name)
        .field("compiled_by", __VERSION__)
        .end_object();
    fb::record_row(json);
  }

  /// map > reduce into a value a row; adds the versions outer, inner and flattened.
  template <typename Op, typename Seed, typename Term>
  void reduces(const std::string& nest, extent of, Op op, Seed seed, Term term) {
    array<Seed> out(static_cast<std::size_t>(of.rows));
    measure(nest, of, "outer", out, of_reduction("outer", "inner", of, op, seed, term, out));
  }

  /// map > inclusive_scan.
  template <typename Op, typename Seed, typename Term>
  void scans(const std::string& nest, extent of, Op op, Seed seed, Term term) {
    array<Seed> out(static_cast<std::size_t>(of.elements()));
    const auto e = prefixes(of, op, seed, term);
    const auto to = ndp::split(ndp::make_sequence(out), of.length);
    measure(nest, of, "flattened", out,
            {{"outer", [=, this] { ndp::execute(e, to, on, by_rows{}); }},
             {"inner", [=, this] { ndp::execute(e, to, on, by_groups{}, group_policy{}); }},
             {"flattened",
              [=, this] { ndp::execute(e, to, on, schedule::flattened<>{}, flat_policy{}); }}});
  }

  /// map > map of floats.
  template <typename Term>
  void maps(const std::string& nest, extent of, Term term) {
    array<float> out(static_cast<std::size_t>(of.elements()));
    std::vector<version> all = of_table("outer", "inner", of, term, out);
    const auto flat = cells(of, term);
    const auto to = ndp::make_sequence(out);
    all.push_back({"flattened", [=, this] { ndp::execute(flat, to, on, by_elements{}); }});
    measure(nest, of, "flattened", out, all);
  }

  /// map > map > reduce of floats: a table whose cells are reductions. Versions by rows of cells,
  /// whose function loops, and then by cells. `term(row, column, index)`.
  template <typename Op, typename Term>
  void reduces_cells(const std::string& nest, extent of, index_t depth, Op op, Term term) {
    array<float> out(static_cast<std::size_t>(of.elements()));
    std::vector<version> all =
        of_table("rows", "group_per_row", of, cell_by_loop<Op, Term>{term, depth}, out);
    const extent deep{of.elements(), depth};
    for (version& one : of_reduction("cells", "group_per_cell", deep, op, 0.0F,
                                     cell_by_index<Term>{term, of.length}, out)) {
      all.push_back(std::move(one));
    }
    measure(nest, of, "cells", out, all);
  }

 private:
  // Larger results would take longer to compare than all else; the smaller ones of the same nests
  // are compared.
  static constexpr std::size_t most_checked = std::size_t{16} << 20U;

  template <typename Op, typename Seed, typename Term>
  [[nodiscard]] std::vector<version> of_reduction(const char* outer, const char* inner, extent of,
                                                  Op op, Seed seed, Term term, array<Seed>& out) {
    const auto e = reduction(of, op, seed, term);
    const auto to = ndp::make_sequence(out);
    return {{outer, [=, this] { ndp::execute(e, to, on, by_rows{}); }},
            {inner, [=, this] { ndp::execute(e, to, on, by_groups{}, group_policy{}); }},
            {"flattened",
             [=, this] { ndp::execute(e, to, on, schedule::flattened<>{}, flat_policy{}); }}};
  }

  template <typename Term>
  [[nodiscard]] std::vector<version> of_table(const char* outer, const char* inner, extent of,
                                              Term term, array<float>& out) {
    const auto e = table(of, term);
    const auto to = ndp::split(ndp::make_sequence(out), of.length);
    return {{outer, [=, this] { ndp::execute(e, to, on, by_rows{}); }},
            {inner, [=, this] { ndp::execute(e, to, on, by_groups_alone{}, group_policy{}); }}};
  }

  template <typename Array>
  void measure(const std::string& nest, extent of, const char* moderate, Array& out,
               const std::vector<version>& versions) {
    using T = typename Array::value_type;
    static_assert(sizeof(T) % sizeof(float) == 0, "results are compared as floats");
    if (out.size() * sizeof(T) <= most_checked) check(nest, out, versions);
    if (times) record(nest, of, moderate, versions, times_of(versions));
  }

  template <typename Array>
  void check(const std::string& nest, Array& out, const std::vector<version>& versions) {
    using T = typename Array::value_type;
    std::vector<T> expected;
    for (const version& one : versions) {
      poison(out);
      one.run();
      examples::wait(on);
      std::vector<T> found = examples::copy_to_host(out);
      if (expected.empty()) {
        expected = std::move(found);
      } else if (!agree(found, expected)) {
        fail(nest, one.name + " differs from the first version");
      }
    }
  }

  // Sums of floats in another order.
  template <typename T>
  [[nodiscard]] static bool agree(const std::vector<T>& found, const std::vector<T>& expected) {
    const std::size_t count = expected.size() * sizeof(T) / sizeof(float);
    const auto* one = reinterpret_cast<const float*>(found.data());
    const auto* other = reinterpret_cast<const float*>(expected.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (!(std::abs(one[i] - other[i]) <= 2e-3F * (1 + std::abs(other[i])))) return false;
    }
    return true;
  }

  [[nodiscard]] std::vector<double> times_of(const std::vector<version>& versions) {
    std::vector<std::vector<double>> samples(versions.size());
    double once = 0;
    for (std::size_t i = 0; i < versions.size(); ++i) {
      samples[i].push_back(watch_.seconds(versions[i].run, 1));
      once += samples[i].back();
    }
    const double rounds = std::clamp(seconds / once, 2.0, 9.0);
    for (std::size_t round = 0; round < static_cast<std::size_t>(rounds); ++round) {
      for (std::size_t turn = 0; turn < versions.size(); ++turn) {
        const std::size_t i = fb::turn_of(versions.size(), round, turn);
        samples[i].push_back(watch_.seconds(versions[i].run, 1));
      }
    }
    std::vector<double> medians;
    for (const std::vector<double>& some : samples) medians.push_back(fettle::median(some));
    return medians;
  }

  void record(const std::string& nest, extent of, const char* moderate,
              const std::vector<version>& versions, const std::vector<double>& times_taken) {
    std::string json;
    fettle::json_writer row(json);
    row.begin_object()
        .field("program", program)
        .field("data", data.name)
        .field("tunes", data.tunes)
        .field("nest", nest)
        .field("step", step)
        .field("rows", of.rows)
        .field("length", of.length)
        .field("moderate", moderate);
    row.key("us").begin_object();
    for (std::size_t i = 0; i < versions.size(); ++i) {
      row.field(versions[i].name, 1e6 * times_taken[i]);
    }
    row.end_object().end_object();
    fb::record_row(json);
  }

  void fail(const std::string& nest, const std::string& problem) {
    std::fprintf(stderr, "%s %s, %s: %s\n", program.c_str(), data.name.c_str(), nest.c_str(),
                 problem.c_str());
    ++failures_;
  }

  stopwatch_type watch_ = make_stopwatch();
  int failures_ = 0;
};

}  // namespace thresholds
