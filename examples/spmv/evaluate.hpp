// Measures every variant and the tuned function on one matrix, as a solver would use them: many
// products with one matrix.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <fettle/measure/statistics.hpp>
#include <fettle/measure/timer.hpp>

#include "load.hpp"
#include "variants.hpp"

namespace spmv {

/// A solver multiplies with one matrix about this often; features and selection are paid once.
inline constexpr int calls_per_matrix = 100;
inline constexpr double not_applicable = std::numeric_limits<double>::infinity();

struct evaluation {
  std::string matrix;
  index rows = 0;
  index nonzeros = 0;
  std::vector<double> features;   ///< in the order of spmv::features
  std::vector<double> seconds;    ///< one product by each variant; infinite where it has none
  fettle::selection selected;     ///< what the tuned function chooses
  double selection_seconds = 0;   ///< its features and its choice, once
  double tuned_call_seconds = 0;  ///< one of calls_per_matrix, timed as they are, all included

  double best_seconds() const { return *std::min_element(seconds.begin(), seconds.end()); }

  /// One product by the tuned function: that of the variant it selects, from the same measurement
  /// as the variant's own, and its part of the selection. A noisy minute thus makes no variant
  /// differ from itself.
  double tuned_seconds() const {
    return seconds[selected.index] + selection_seconds / calls_per_matrix;
  }

  /// The share of best of a time, best time over it: 1 is perfect, 0.5 twice as slow.
  double share(double of_seconds) const { return best_seconds() / of_seconds; }
};

namespace detail {

/// Times one variant as a solver would see it: up to calls_per_matrix calls in a row, or half a
/// millisecond of them, after a third as many that are not counted and bring matrix, threads and
/// branch predictors back to where a solver keeps them.
class stopwatch {
 public:
  template <class Call>
  void sample(const Call& call) {
    constexpr double batch_seconds = 500e-6;
    for (int n = 0; n < (batch_ + 2) / 3; ++n) call();
    const fettle::timer clock;
    for (int n = 0; n < batch_; ++n) call();
    const double seconds = clock.seconds() / batch_;
    batch_ =
        std::clamp(static_cast<int>(batch_seconds / std::max(seconds, 1e-8)), 1, calls_per_matrix);
    if (samples_.empty() && batch_ > 1 && !calibrated_) {
      calibrated_ = true;  // one cold call: good for the batch's length only
      return;
    }
    samples_.push_back(seconds);
  }

  double median() const { return fettle::median(samples_); }

 private:
  int batch_ = 1;
  bool calibrated_ = false;
  std::vector<double> samples_;
};

}  // namespace detail

/// Measures for about `seconds` seconds (at least six rounds): the variants take turns, so that a
/// disturbance hits all of them; the median of the rounds counts. A variant that is more than five
/// times slower than the best after four rounds is left at that.
inline evaluation evaluate(tuned_spmv& spmv, const std::string& name, double seconds = 0.4) {
  const sparse_matrix a = load(name);
  const auto x = some_vector(a.csr.columns_count);
  std::vector<double> y(static_cast<std::size_t>(a.csr.rows));
  evaluation result;
  result.matrix = name;
  result.rows = a.csr.rows;
  result.nonzeros = a.csr.nonzeros();
  for (const feature& f : features) result.features.push_back(f.of(a));

  std::vector<detail::stopwatch> watches(std::size(variants));
  std::vector<bool> runs;
  for (const variant& v : variants) runs.push_back(v.applies == nullptr || v.applies(a));
  const auto medians = [&] {
    std::vector<double> times;
    for (std::size_t k = 0; k < watches.size(); ++k) {
      const double time = watches[k].median();
      times.push_back(std::isnan(time) ? not_applicable : time);
    }
    return times;
  };
  const fettle::timer clock;
  for (int round = 0; round < 6 || (round < 150 && clock.seconds() < seconds); ++round) {
    for (std::size_t k = 0; k < watches.size(); ++k)
      if (runs[k]) watches[k].sample([&] { variants[k].run(a, x, y); });
    if (round == 3) {
      const auto times = medians();
      const double best = *std::min_element(times.begin(), times.end());
      for (std::size_t k = 0; k < times.size(); ++k)
        if (times[k] > 5 * best) runs[k] = false;
    }
  }
  result.seconds = medians();

  result.selected = spmv.select(a, x, y);
  std::vector<double> selections;
  std::vector<double> loops;
  const fettle::timer loop_clock;
  for (int round = 0; round < 1 || (round < 15 && loop_clock.seconds() < seconds / 2); ++round) {
    const fettle::timer whole;
    auto tuned = spmv.bind(a, x, y);
    selections.push_back(whole.seconds());
    for (int n = 0; n < calls_per_matrix; ++n) tuned();
    loops.push_back(whole.seconds() / calls_per_matrix);
  }
  result.selection_seconds = fettle::median(selections);
  result.tuned_call_seconds = fettle::median(loops);
  return result;
}

}  // namespace spmv
