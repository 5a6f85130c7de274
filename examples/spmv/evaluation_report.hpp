// What an evaluation on many matrices comes to: a table, its last line, and the same as JSON.
#pragma once

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include <fettle/core/json_writer.hpp>

#include "evaluate.hpp"

namespace spmv {

/// Shares of best over many matrices.
struct share_summary {
  std::string name;
  double mean = 0;
  double p5 = 0;  ///< 5 % of the matrices have a lower share
  double worst = 0;
  int best_on = 0;  ///< matrices on which nothing was faster

  static share_summary of(std::string name, std::vector<double> shares) {
    std::sort(shares.begin(), shares.end());
    const auto count = static_cast<double>(shares.size());
    const auto at = static_cast<std::size_t>(0.05 * (count - 1));
    const double between = 0.05 * (count - 1) - static_cast<double>(at);
    const double above = shares[std::min(at + 1, shares.size() - 1)];
    return {std::move(name), std::accumulate(shares.begin(), shares.end(), 0.0) / count,
            shares[at] + between * (above - shares[at]), shares.front(),
            static_cast<int>(std::count(shares.begin(), shares.end(), 1.0))};
  }
};

struct evaluation_report {
  std::vector<evaluation> matrices;
  std::vector<share_summary> fixed;  ///< each variant used for everything, best first
  share_summary tuned;               ///< features and selection included
  share_summary tuned_free;          ///< as if selecting took no time
  share_summary tuned_loop;          ///< the 100 calls as timed, not from the variants' times

  /// Precondition: at least one matrix.
  explicit evaluation_report(std::vector<evaluation> all) : matrices(std::move(all)) {
    const auto summary = [&](std::string name, auto&& seconds) {
      std::vector<double> shares;
      for (const evaluation& e : matrices) shares.push_back(e.share(seconds(e)));
      return share_summary::of(std::move(name), std::move(shares));
    };
    for (std::size_t k = 0; k < std::size(variants); ++k)
      fixed.push_back(summary(std::string(variants[k].name),
                              [k](const evaluation& e) { return e.seconds[k]; }));
    std::sort(fixed.begin(), fixed.end(),
              [](const share_summary& p, const share_summary& q) { return p.mean > q.mean; });
    tuned = summary("tuned", [](const evaluation& e) { return e.tuned_seconds(); });
    tuned_free = summary("tuned, selection for free",
                         [](const evaluation& e) { return e.seconds[e.selected.index]; });
    tuned_loop = summary("tuned, as timed in a loop",
                         [](const evaluation& e) { return e.tuned_call_seconds; });
  }

  void print() const {
    std::printf("%-26s %6s %6s %6s %8s\n", "share of best", "mean", "p5", "worst", "best on");
    const auto line = [](const share_summary& s) {
      std::printf("%-26s %6.3f %6.3f %6.3f %8d\n", s.name.c_str(), s.mean, s.p5, s.worst,
                  s.best_on);
    };
    for (const share_summary& s : fixed) line(s);
    line(tuned_loop);
    line(tuned_free);
    line(tuned);
    std::printf("%-26s %6.3f %6.3f %6.3f %8zu\n", "best possible", 1.0, 1.0, 1.0, matrices.size());
    std::printf(
        "(a variant that a matrix has no format for counts as 0 there; tuned includes "
        "features and selection over %d calls)\n",
        calls_per_matrix);
    std::printf("share of best %.3f (best fixed variant %s %.3f) on %zu held-out matrices\n",
                tuned.mean, fixed.front().name.c_str(), fixed.front().mean, matrices.size());
  }

  /// The matrices on which the choice cost most, worst first.
  void print_worst(std::size_t count) const {
    std::vector<const evaluation*> order;
    for (const evaluation& e : matrices) order.push_back(&e);
    std::sort(order.begin(), order.end(), [](const evaluation* p, const evaluation* q) {
      return p->share(p->tuned_seconds()) < q->share(q->tuned_seconds());
    });
    order.resize(std::min(count, order.size()));
    std::printf("%-6s %-14s %-14s %9s  %s\n", "share", "selected", "best", "nonzeros", "matrix");
    for (const evaluation* e : order) {
      const auto best = std::min_element(e->seconds.begin(), e->seconds.end()) - e->seconds.begin();
      std::printf("%6.3f %-14s %-14s %9d  %s (%s)\n", e->share(e->tuned_seconds()),
                  std::string(e->selected.variant).c_str(),
                  std::string(variants[best].name).c_str(), e->nonzeros, e->matrix.c_str(),
                  std::string(to_text(e->selected.reason)).c_str());
    }
    std::printf("\n");
  }

  std::string json() const {
    std::string text;
    fettle::json_writer writer(text);
    const auto write = [&](const share_summary& s) {
      writer.begin_object().field("name", s.name).field("mean", s.mean).field("p5", s.p5);
      writer.field("worst", s.worst).field("best_on", s.best_on).end_object();
    };
    writer.begin_object().field("calls", calls_per_matrix).key("tuned");
    write(tuned);
    writer.key("tuned_free");
    write(tuned_free);
    writer.key("tuned_loop");
    write(tuned_loop);
    writer.key("fixed").begin_array();
    for (const share_summary& s : fixed) write(s);
    writer.end_array().key("matrices").begin_array();
    for (const evaluation& e : matrices) {
      writer.begin_object().field("name", e.matrix).field("rows", e.rows);
      writer.field("nonzeros", e.nonzeros).field("selected", e.selected.variant);
      writer.field("reason", to_text(e.selected.reason));
      writer.field("selection_seconds", e.selection_seconds);
      writer.field("tuned_call_seconds", e.tuned_call_seconds).key("features").begin_object();
      for (std::size_t i = 0; i < e.features.size(); ++i)
        writer.field(features[i].name, e.features[i]);
      writer.end_object().key("seconds").begin_object();
      for (std::size_t k = 0; k < std::size(variants); ++k)
        writer.field(variants[k].name, e.seconds[k]);
      writer.end_object().end_object();
    }
    writer.end_array().end_object();
    return text += '\n';
  }
};

}  // namespace spmv
