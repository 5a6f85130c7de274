// comparison: one computation on one input by several contenders, Fettle's default rule first.
//
// Each contender's output is poisoned and checked before anything is timed. Then they take turns,
// in an order that moves on every round, so that whatever else the machine does hits all alike; a
// figure is the median over the rounds. Two figures a contender: `call`, one call that starts when
// the machine is idle and ends when its result is there, and `batch`, a call's share of many that
// follow each other. Inputs that fit into a cache are in it: nothing is flushed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fettle/measure/statistics.hpp>
#include <fettle/measure/timer.hpp>

namespace fettle_benchmarks {

/// Fettle by its default rule; somebody else's implementation; Fettle by a fixed kernel.
enum class kind { ours, peer, kernel };

struct contender {
  std::string name;
  kind what;
  std::function<void()> run;
};

/// An input as the tables and the records call it.
struct input {
  std::string work;  // "spmv"
  std::string name;  // "4M rows of 3"
  std::string type;  // "double"
  std::int64_t rows = 0;
  std::int64_t elements = 0;
  double bytes = 0;  // that any implementation has to move
  bool generated = true;
};

struct comparison {
  input on;
  std::vector<contender> contenders;
  std::function<void()> poison;  // overwrites the output
  std::function<bool()> right;   // whether the output is the reference's
};

/// What came of a contender.
struct outcome {
  std::string name;
  kind what = kind::peer;
  double call_us = 0;
  double batch_us = 0;
  std::string problem;  // empty: its output was right

  [[nodiscard]] bool good() const { return problem.empty(); }
};

struct finished {
  input on;
  std::vector<outcome> outcomes;
};

/// How much time a comparison may take.
struct effort {
  double seconds = 0.2;
  int most_rounds = 41;
  int least_rounds = 5;
  double batch_seconds = 200e-6;
  int longest_batch = 50;
};

namespace detail {

/// Runs once on a poisoned output; what is wrong, if anything.
inline outcome first_run(const comparison& c, const contender& one) {
  outcome result{one.name, one.what, 0, 0, {}};
  try {
    c.poison();
    one.run();
    if (!c.right()) result.problem = "wrong output";
  } catch (const std::exception& error) {
    result.problem = error.what();
  }
  return result;
}

struct plan {
  const contender* one;
  outcome* out;
  int batch;   // calls that are timed together
  int rounds;  // 0: the first look is all
  std::vector<double> calls{};
  std::vector<double> batches{};
};

/// Each contender's batch length and number of rounds, from a first look at how long it takes.
template <typename Stopwatch>
std::vector<plan> plans_of(Stopwatch& stopwatch, const comparison& c, finished& result,
                           const effort& most) {
  std::vector<plan> plans;
  std::vector<double> once;
  for (std::size_t i = 0; i < c.contenders.size(); ++i) {
    outcome& out = result.outcomes[i];
    if (!out.good()) continue;
    once.push_back(std::max(stopwatch.seconds(c.contenders[i].run, 1), 1e-7));
    plans.push_back({&c.contenders[i], &out, 1, most.most_rounds});
  }
  // A contender that is far behind is not worth many repetitions, nor the others' time.
  const double best = once.empty() ? 0 : *std::min_element(once.begin(), once.end());
  double round_seconds = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (once[i] > 30 * best && once[i] > 1e-3) {
      plans[i].rounds = 0;
      plans[i].calls = plans[i].batches = {once[i]};
      continue;
    }
    const double calls = std::ceil(most.batch_seconds / once[i]);
    plans[i].batch = static_cast<int>(std::clamp(calls, 2.0, double(most.longest_batch)));
    round_seconds += once[i] * (plans[i].batch + 1) + 2 * Stopwatch::overhead_seconds;
  }
  const double rounds = round_seconds > 0 ? most.seconds / round_seconds : 0;
  const int affordable =
      static_cast<int>(std::clamp(rounds, double(most.least_rounds), double(most.most_rounds)));
  for (plan& one : plans) one.rounds = std::min(one.rounds, affordable);
  return plans;
}

}  // namespace detail

/// Checks and times all contenders. Stopwatch: seconds(run, n), the seconds that n calls of `run`
/// take together, started on an idle machine; overhead_seconds, what asking costs besides.
template <typename Stopwatch>
[[nodiscard]] finished compare(Stopwatch& stopwatch, const comparison& c, const effort& most) {
  finished result{c.on, {}};
  for (const contender& one : c.contenders) {
    result.outcomes.push_back(detail::first_run(c, one));
  }
  auto plans = detail::plans_of(stopwatch, c, result, most);
  for (int round = 0; round < most.most_rounds; ++round) {
    for (std::size_t turn = 0; turn < plans.size(); ++turn) {
      auto& p = plans[(turn + static_cast<std::size_t>(round)) % plans.size()];
      if (round >= p.rounds) continue;
      p.calls.push_back(stopwatch.seconds(p.one->run, 1));
      p.batches.push_back(p.batch == 1 ? p.calls.back()
                                       : stopwatch.seconds(p.one->run, p.batch) / p.batch);
    }
  }
  for (const auto& p : plans) {
    p.out->call_us = 1e6 * fettle::median(p.calls);
    p.out->batch_us = 1e6 * fettle::median(p.batches);
  }
  return result;
}

}  // namespace fettle_benchmarks
