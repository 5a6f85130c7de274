// comparison: one computation on one input by several contenders, Fettle's default rule first.
//
// Each contender's output is poisoned and checked before anything is timed. Then they take turns,
// in another order every round (turns.hpp), so that whatever else the machine does hits all alike,
// and so does what a neighbour leaves behind; a figure is the median over the rounds. Two figures a
// contender: `call`, one call that starts when nothing else runs and ends when its result is there,
// and `batch`, a call's share of many that follow each other. Inputs that fit into a cache are in
// it: nothing is flushed.
//
// Contenders that share a pool of threads take turns among themselves only: the threads of another
// library's pool go on spinning for milliseconds after their last work, and would cost the next one
// its processors. Between two pools there is time for them to fall asleep.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fettle/measure/statistics.hpp>
#include <fettle/measure/timer.hpp>

#include "turns.hpp"

namespace fettle_benchmarks {

/// Fettle by its default rule; somebody else's implementation; Fettle by a fixed kernel.
enum class kind { ours, peer, kernel };

struct contender {
  std::string name;
  kind what;
  std::function<void()> run;
  std::string pool{};  // whose threads run it
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
  double long_call_seconds = 0.1;
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
  double once = 0;
  std::vector<double> calls{};
  std::vector<double> batches{};
};

/// Seconds of a call, about: the least of many, because the first ones may meet with hiccups of the
/// system: up to four of 6 ms in a row were seen where others take 5 us.
template <typename Stopwatch>
double first_look(Stopwatch& stopwatch, const contender& one) {
  double least = std::max(stopwatch.seconds(one.run, 1), 1e-7);
  double all = least;
  for (int again = 0; again < 30 && all < 100e-3; ++again) {
    const double next = std::max(stopwatch.seconds(one.run, 1), 1e-7);
    least = std::min(least, next);
    all += next;
  }
  return least;
}

template <typename Stopwatch>
void settle(Stopwatch& stopwatch) {
  if constexpr (requires { stopwatch.settle(); }) stopwatch.settle();
}

/// The plans' turns: all of a pool follow each other.
inline std::vector<std::vector<plan*>> by_pool(std::vector<plan>& plans) {
  std::vector<std::vector<plan*>> pools;
  for (plan& p : plans) {
    const auto same = std::find_if(pools.begin(), pools.end(), [&](const auto& pool) {
      return pool.front()->one->pool == p.one->pool;
    });
    if (same == pools.end()) {
      pools.push_back({&p});
    } else {
      same->push_back(&p);
    }
  }
  return pools;
}

/// Each contender's batch length and number of rounds, from a first look at how long it takes.
template <typename Stopwatch>
std::vector<plan> plans_of(Stopwatch& stopwatch, const comparison& c, finished& result,
                           const effort& most) {
  std::vector<plan> plans;
  for (std::size_t i = 0; i < c.contenders.size(); ++i) {
    outcome& out = result.outcomes[i];
    if (out.good()) plans.push_back({&c.contenders[i], &out, 1, most.most_rounds});
  }
  // A contender that is far behind is not worth many repetitions, nor the others' time.
  double best = std::numeric_limits<double>::infinity();
  for (const auto& pool : by_pool(plans)) {
    settle(stopwatch);
    for (plan* p : pool) {
      p->once = first_look(stopwatch, *p->one);
      best = std::min(best, p->once);
    }
  }
  double round_seconds = 0;
  for (plan& p : plans) {
    if (p.once > 30 * best && p.once > 1e-3) {
      p.rounds = 0;
      p.calls = p.batches = {p.once};
      continue;
    }
    // Of calls that take so long it makes no difference whether they follow each other.
    const double fewest = p.once > most.long_call_seconds ? 1.0 : 2.0;
    const double calls = std::ceil(most.batch_seconds / p.once);
    p.batch = static_cast<int>(std::clamp(calls, fewest, double(most.longest_batch)));
    round_seconds += p.once * (p.batch + 3) + 2 * Stopwatch::overhead_seconds;
  }
  const double rounds = round_seconds > 0 ? most.seconds / round_seconds : 0;
  const int affordable =
      static_cast<int>(std::clamp(rounds, double(most.least_rounds), double(most.most_rounds)));
  for (plan& one : plans) one.rounds = std::min(one.rounds, affordable);
  return plans;
}

/// The rounds [first, last) of contenders that take turns.
template <typename Stopwatch>
void measure(Stopwatch& stopwatch, const std::vector<plan*>& pool, int first, int last) {
  for (int round = first; round < last; ++round) {
    for (std::size_t turn = 0; turn < pool.size(); ++turn) {
      plan& p = *pool[turn_of(pool.size(), static_cast<std::size_t>(round), turn)];
      if (round >= p.rounds) continue;
      p.calls.push_back(stopwatch.seconds(p.one->run, 1));
      p.batches.push_back(p.batch == 1 ? p.calls.back()
                                       : stopwatch.seconds(p.one->run, p.batch) / p.batch);
    }
  }
}

}  // namespace detail

/// Checks and times all contenders. Stopwatch: seconds(run, n), the seconds that n calls of `run`
/// take together, started when nothing else runs; overhead_seconds, what asking costs besides;
/// where there are pools of threads, settle(), until those of the last call are asleep.
template <typename Stopwatch>
[[nodiscard]] finished compare(Stopwatch& stopwatch, const comparison& c, const effort& most) {
  finished result{c.on, {}};
  for (const contender& one : c.contenders) {
    result.outcomes.push_back(detail::first_run(c, one));
  }
  auto plans = detail::plans_of(stopwatch, c, result, most);
  auto pools = detail::by_pool(plans);
  int rounds = 0;
  for (const auto& p : plans) rounds = std::max(rounds, p.rounds);
  if (pools.size() < 2) {
    for (const auto& pool : pools) detail::measure(stopwatch, pool, 0, rounds);
  } else {
    // There and back, so that what changes slowly on the machine hits all pools alike.
    for (const bool back : {false, true}) {
      for (const auto& pool : pools) {
        detail::settle(stopwatch);
        detail::measure(stopwatch, pool, back ? rounds / 2 : 0, back ? rounds : rounds / 2);
      }
      std::reverse(pools.begin(), pools.end());
    }
  }
  for (const auto& p : plans) {
    p.out->call_us = 1e6 * fettle::median(p.calls);
    p.out->batch_us = 1e6 * fettle::median(p.batches);
  }
  return result;
}

}  // namespace fettle_benchmarks
