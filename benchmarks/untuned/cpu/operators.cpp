// Selections, sorts and histograms: Fettle's default rule on OpenMP beside what the standard
// library and oneTBB have for them: algorithms of std on one thread and with std::execution::par,
// parallel_scan for selections (a pass that counts, a pass that writes), parallel_reduce for bins.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_scan.h>

#include <fettle/ndp/execute.hpp>

#include "bench.hpp"

namespace ndp_cpu {

namespace {

using number = double;
using numbers = std::vector<number>;

constexpr fb::index bins = 256;

struct is_large {
  bool operator()(number x) const { return x >= 0.5; }
};
struct bin_of {
  std::int32_t operator()(number x) const { return static_cast<std::int32_t>(x * bins); }
};

/// `count` numbers in [0, 1), `distinct` different ones in runs of `run` on average.
[[nodiscard]] numbers make_numbers(fb::index count, double distinct, std::uint64_t run) {
  numbers all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = std::floor(distinct * fb::unit(i / run, 7)) / distinct;
  }
  return all;
}

/// out[k] = the k-th of those x[i] that keeps(i) says; returns how many.
template <typename Keeps>
fb::index select_by_scan(const numbers& x, numbers& out, const Keeps& keeps) {
  return tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, x.size()), fb::index{0},
      [&](const tbb::blocked_range<std::size_t>& range, fb::index kept, bool is_final) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          if (!keeps(i)) continue;
          if (is_final) out[static_cast<std::size_t>(kept)] = x[i];
          ++kept;
        }
        return kept;
      },
      std::plus<>{});
}

/// A contender that writes to `out`, and its threads' pool.
struct peer {
  const char* name;
  std::function<void(numbers& out)> run;
  const char* pool = "";
};

/// `ours(out)` and the peers, whose outputs are compared with the first peer's.
template <typename Ours>
void compare(bench& b, const char* work, fb::index n, std::size_t results, const Ours& ours,
             const std::vector<peer>& peers) {
  numbers expected(results);
  numbers out(results);
  peers.front().run(expected);
  fb::comparison c{{work, fb::short_number(n), type_name<number>(), 1, n, 2.0 * n * sizeof(number)},
                   {},
                   [&] { poison(out); },
                   [&] { return out == expected; }};
  c.contenders.push_back({"fettle", fb::kind::ours, [&] { ours(ndp::make_sequence(out)); }});
  for (const peer& one : peers) {
    c.contenders.push_back({one.name, fb::kind::peer, [&] { one.run(out); }, one.pool});
  }
  b.compare(c);
}

void compare_selections(bench& b, fb::index n) {
  const numbers x = make_numbers(n, 1e6, 1);
  const auto in = ndp::make_sequence(x);
  const auto kept = static_cast<std::size_t>(std::count_if(x.begin(), x.end(), is_large{}));
  compare(
      b, "filter", n, kept,
      [&](auto to) {
        ndp::execute<"filter">(ndp::filter(is_large{}, in), to, ndp::platform::openmp{});
      },
      {{"std", [&](numbers& out) { std::copy_if(x.begin(), x.end(), out.begin(), is_large{}); }},
       {"tbb",
        [&](numbers& out) {
          select_by_scan(x, out, [&](std::size_t i) { return is_large{}(x[i]); });
        },
        "oneTBB"}});
  compare(b, "partition", n, x.size(),
          [&](auto to) {
            ndp::execute<"partition">(ndp::partition(is_large{}, in), to, ndp::platform::openmp{});
          },
          {{"std", [&](numbers& out) {
              out.assign(x.begin(), x.end());
              std::stable_partition(out.begin(), out.end(), is_large{});
            }}});
  const numbers runs = make_numbers(n, 1e6, 5);
  const auto first = [&](std::size_t i) { return i == 0 || runs[i] != runs[i - 1]; };
  numbers heads(runs.size());
  const auto count = std::unique_copy(runs.begin(), runs.end(), heads.begin()) - heads.begin();
  compare(b, "unique", n, static_cast<std::size_t>(count),
          [&](auto to) {
            ndp::execute<"unique">(ndp::unique(ndp::make_sequence(runs)), to,
                                   ndp::platform::openmp{});
          },
          {{"std", [&](numbers& out) { std::unique_copy(runs.begin(), runs.end(), out.begin()); }},
           {"tbb", [&](numbers& out) { select_by_scan(runs, out, first); }, "oneTBB"}});
}

void compare_sorts(bench& b, fb::index n) {
  const numbers x = make_numbers(n, 1e9, 1);
  const auto in = ndp::make_sequence(x);
  compare(b, "sort", n, x.size(),
          [&](auto to) { ndp::execute<"sort">(ndp::sort(in), to, ndp::platform::openmp{}); },
          {{"std",
            [&](numbers& out) {
              out.assign(x.begin(), x.end());
              std::sort(out.begin(), out.end());
            }},
           {"std::execution::par",
            [&](numbers& out) {
              out.assign(x.begin(), x.end());
              std::sort(std::execution::par, out.begin(), out.end());
            },
            "oneTBB"}});
  using pair = std::pair<number, fb::index>;
  const auto by_key = [](const pair& a, const pair& b) { return a.first < b.first; };
  const auto pairs = [&] {
    std::vector<pair> all(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) all[i] = {x[i], static_cast<fb::index>(i)};
    return all;
  };
  std::vector<fb::index> order(x.size());
  const auto split = [&](const std::vector<pair>& all, numbers& out) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      out[i] = all[i].first;
      order[i] = all[i].second;
    }
  };
  compare(b, "sort_by_key", n, x.size(),
          [&](auto to) {
            ndp::execute<"sort_by_key">(ndp::sort_by_key(in, ndp::range(fb::index{0}, n)),
                                        ndp::zip(to, ndp::make_sequence(order)),
                                        ndp::platform::openmp{});
          },
          {{"std",
            [&](numbers& out) {
              auto all = pairs();
              std::stable_sort(all.begin(), all.end(), by_key);
              split(all, out);
            }},
           {"std::execution::par",
            [&](numbers& out) {
              auto all = pairs();
              std::stable_sort(std::execution::par, all.begin(), all.end(), by_key);
              split(all, out);
            },
            "oneTBB"}});
}

void compare_bins(bench& b, fb::index n) {
  const numbers x = make_numbers(n, 1e6, 1);
  using counts = std::vector<std::int32_t>;
  const auto copy = [](const counts& all, numbers& out) {
    std::copy(all.begin(), all.end(), out.begin());
  };
  compare(
      b, "histogram", n, bins,
      [&](auto to) {
        ndp::execute<"histogram">(ndp::histogram(ndp::map(bin_of{}, ndp::make_sequence(x)), bins),
                                  to, ndp::platform::openmp{});
      },
      {{"std",
        [&](numbers& out) {
          counts all(bins);
          for (const number value : x) ++all[static_cast<std::size_t>(bin_of{}(value))];
          copy(all, out);
        }},
       {"tbb",
        [&](numbers& out) {
          copy(tbb::parallel_reduce(
                   tbb::blocked_range<std::size_t>(0, x.size(), 16384), counts(bins),
                   [&](const tbb::blocked_range<std::size_t>& range, counts all) {
                     for (std::size_t i = range.begin(); i < range.end(); ++i) {
                       ++all[static_cast<std::size_t>(bin_of{}(x[i]))];
                     }
                     return all;
                   },
                   [](counts a, const counts& other) {
                     std::transform(a.begin(), a.end(), other.begin(), a.begin(), std::plus<>{});
                     return a;
                   }),
               out);
        },
        "oneTBB"}});
}

void compare_inclusive_scan(bench& b, fb::index n) {
  const auto in = b.first_values<number>(n);
  compare(
      b, "inclusive_scan", n, static_cast<std::size_t>(n),
      [&](auto to) {
        ndp::execute<"inclusive_scan">(ndp::inclusive_scan(ndp::plus{}, in, number{0}), to,
                                       ndp::platform::openmp{});
      },
      {{"std", [&](numbers& out) { std::inclusive_scan(in.data(), in.data() + n, out.begin()); }},
       {"tbb",
        [&](numbers& out) {
          tbb::parallel_scan(
              tbb::blocked_range<fb::index>(0, n), number{0},
              [&](const tbb::blocked_range<fb::index>& range, number sum, bool is_final) {
                if (!is_final) {
                  return sum + simd_sum(in.data() + range.begin(), in.data() + range.end());
                }
                for (fb::index i = range.begin(); i < range.end(); ++i) {
                  sum += in.data()[i];
                  out[static_cast<std::size_t>(i)] = sum;
                }
                return sum;
              },
              std::plus<>{});
        },
        "oneTBB"}});
}

}  // namespace

void add_operators(bench& b) {
  for (const fb::index n : fb::flat_sizes(b.asked)) {
    if (b.asked.time_is_up()) return;
    if (n > 10'000'000) continue;  // std's sorts take seconds
    compare_selections(b, n);
    compare_sorts(b, n);
    compare_bins(b, n);
    compare_inclusive_scan(b, n);
  }
}

}  // namespace ndp_cpu
