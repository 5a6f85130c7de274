// Computations over several GPUs, beside one: on one GPU taken for several, what dividing costs;
// on 2, 4, ... GPUs, how many times as fast they are.
//
//   devices [WHAT | COUNT]...
//
// What: emulated, sizes, large, solvers; count: of GPUs. All of it, and 2, 4, ... GPUs, where none
// is given. Arrays lie where they are computed. Every contender runs in turn, five times; a figure
// is the median of a call among many in a row, in microseconds, until all GPUs are done.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/json_writer.hpp>
#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda_devices.hpp>

#include "../../common/ndp/device.cuh"
#include "../../common/record.hpp"
#include "computations.cuh"
#include "solvers.cuh"
#include "timing.cuh"

namespace {

using namespace devices_benchmark;
using gpus = ndp::platform::cuda_devices;
template <typename T>
using memory = ndp::cuda_devices::array<T>;

constexpr int rounds = 5;

/// How a contender is run: as platform::cuda; by the default rule over several GPUs; or over all of
/// them, whatever the rule says.
enum class runs : std::uint8_t { on_one, by_rule, on_all };

/// A contender: its name, and the devices on which its arrays lie.
struct contender {
  std::string name;
  gpus on;
  runs how = runs::by_rule;
};

/// All of the devices, whatever the default rule says.
struct all_of {
  gpus on;
};

/// What the default rule expects of all of them, over one that has all arrays; nothing is run.
struct expectation {
  gpus on;
  double* speed_up;
};

template <typename E, typename D>
double expected_speed_up(const gpus& on, const E& e, const D& destination) {
  if (on.is_emulated()) return 1;
  const auto rates = ndp::cuda_devices::detail::rates_of({"devices"}, on);
  const auto divided = ndp::cuda_devices::detail::problem_of(on, e, destination);
  auto whole = divided;
  whole.linked.clear();
  return ndp::devices::detail::estimated_us(rates, whole, 1) /
         ndp::devices::detail::estimated_us(rates, divided, on.size());
}

template <typename E, typename D, typename Platform>
void run(const E& e, const D& destination, const Platform& on) {
  if constexpr (std::is_same_v<Platform, all_of>) {
    ndp::cuda_devices::detail::device_group group({"devices"}, on.on);
    ndp::devices::detail::distribute(group, {"devices"}, e, destination,
                                     ndp::devices::detail::by_default_rule{},
                                     ndp::devices::partition_by::automatic);
  } else if constexpr (std::is_same_v<Platform, expectation>) {
    *on.speed_up = expected_speed_up(on.on, e, destination);
  } else {
    ndp::execute(e, destination, on);
  }
}

template <typename E, typename Platform>
auto value(const E& e, const Platform& on) {
  if constexpr (std::is_same_v<Platform, all_of>) {
    ndp::cuda_devices::detail::device_group group({"devices"}, on.on);
    return ndp::devices::detail::reduced_value(
        group, {"devices"}, ndp::devices::equal_cuts(e.source.size(), group.size()),
        ndp::devices::detail::by_default_rule{}, e);
  } else if constexpr (std::is_same_v<Platform, expectation>) {
    *on.speed_up = expected_speed_up(on.on, e, ndp::no_destination{});
    return typename E::value_type{};
  } else {
    return ndp::execute(e, on);
  }
}

/// All computations on `bytes` of doubles, by all contenders in turn.
class comparison {
 public:
  comparison(std::vector<contender> contenders, index_t bytes)
      : contenders_(std::move(contenders)),
        bytes_(bytes),
        calls_(bytes >= index_t{1} << 28 ? 20 : 400) {}

  void flat() const {
    const index_t n = std::max<index_t>(64, bytes_ / 8);
    const index_t width = n >= index_t{1} << 20 ? 8192 : 8;
    struct arrays {
      memory<double> x, y;
    };
    compare(
        [&](const gpus& on) {
          arrays made{memory<double>(on, n), memory<double>(on, n)};
          fill(on, made.x, scrambled{1});
          fill(on, made.y, scrambled{0.5});
          return made;
        },
        named("map", [](arrays& a,
                        const auto& on) { run(ndp::map(line{}, a.x.read()), a.y.write(), on); }),
        named("map>reduce",
              [](arrays& a, const auto& on) {
                run(ndp::map(row_sum{}, ndp::split(a.x.read(), 64)), a.y.write(), on);
              }),
        named("reduce",
              [](arrays& a, const auto& on) {
                run(ndp::reduce(ndp::plus{}, a.x.read(), 0.0), ndp::subsequence(a.y.write(), 0, 1),
                    on);
              }),
        named("scan",
              [](arrays& a, const auto& on) {
                run(ndp::inclusive_scan(ndp::plus{}, a.x.read(), 0.0), a.y.write(), on);
              }),
        named("stencil",
              [&](arrays& a, const auto& on) {
                const index_t height = n / width;
                const auto grid =
                    ndp::make_grid(ndp::subsequence(a.x.read(), 0, height * width), height, width);
                run(ndp::map(heat_step{},
                             ndp::halo(grid, ndp::constant<1>{}, ndp::boundary::clamp{})),
                    a.y.write(), on);
              }),
        named("k-means", [](arrays& a, const auto& on) {
          const cluster_sums sums =
              value(ndp::reduce(add_sums{}, ndp::map(to_nearest{}, a.x.read(), a.y.read()),
                                cluster_sums{}),
                    on);
          if (sums.count[0] < 0) std::abort();
        }));
  }

  void rows() const {
    const index_t row_count = std::max<index_t>(8, bytes_ / 12 / entries_a_row / 8 * 8);
    const index_t entries = row_count * entries_a_row;
    struct matrix {
      memory<double> values, products, sums;
      memory<int> columns, offsets, keys;
      std::unique_ptr<ndp::cuda_devices::replicas<double>> x;
    };
    compare(
        [&](const gpus& on) {
          matrix made{memory<double>(on, entries),
                      memory<double>(on, row_count),
                      memory<double>(on, entries),
                      memory<int>(on, entries),
                      memory<int>(on, row_count + 1),
                      memory<int>(on, entries),
                      std::make_unique<ndp::cuda_devices::replicas<double>>(on, row_count)};
          fill(on, made.values, scrambled{1});
          made.x->assign(ndp::subsequence(made.values.read(), 0, row_count));
          fill(on, made.columns, entry_column{row_count});
          fill(on, made.offsets, row_offset{});
          fill(on, made.keys, key_of_entry{});
          return made;
        },
        named("spmv",
              [&](matrix& m, const auto& on) {
                const auto offsets = m.offsets.read();
                run(ndp::map(row_dot{m.x->read()}, ndp::nest(m.values.read(), offsets),
                             ndp::nest(m.columns.read(), offsets)),
                    m.products.write(), on);
              }),
        named("reduce_by_key", [](matrix& m, const auto& on) {
          run(ndp::reduce_by_key(ndp::plus{}, m.values.read(), m.keys.read(), 0.0), m.sums.write(),
              on);
        }));
  }

 private:
  template <typename Run>
  struct computation {
    std::string_view name;
    Run run;
  };
  template <typename Run>
  static computation<Run> named(std::string_view name, const Run& run) {
    return {name, run};
  }

  template <typename T, typename F>
  static void fill(const gpus& on, memory<T>& m, const F& f) {
    ndp::execute(ndp::map(f, ndp::range(index_t{0}, m.size())), m.write(), on);
  }

  template <typename Make, typename... Run>
  void compare(const Make& make, const computation<Run>&... computations) const {
    using data = decltype(make(contenders_[0].on));
    std::vector<data> made;
    made.reserve(contenders_.size());
    for (const contender& one : contenders_) made.push_back(make(one.on));
    wait_for_all();
    (measure(made, computations), ...);
  }

  template <typename Run>
  [[nodiscard]] double microseconds_of(const contender& one, const Run& call) const {
    switch (one.how) {
      case runs::on_one:
        return microseconds(calls_, [&] { call(ndp::platform::cuda{}); });
      case runs::on_all:
        return microseconds(calls_, [&] { call(all_of{one.on}); });
      default:
        return microseconds(calls_, [&] { call(one.on); });
    }
  }

  template <typename Data, typename Run>
  void measure(std::vector<Data>& made, const computation<Run>& its) const {
    std::vector<std::vector<double>> times(contenders_.size());
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t k = 0; k < contenders_.size(); ++k) {
        times[k].push_back(
            microseconds_of(contenders_[k], [&](const auto& on) { its.run(made[k], on); }));
      }
    }
    for (auto& samples : times) std::sort(samples.begin(), samples.end());
    const double one_gpu = times[0][rounds / 2];
    for (std::size_t k = 0; k < contenders_.size(); ++k) {
      const double median = times[k][rounds / 2];
      std::printf("%-14s %12lld bytes  %-12s %10.2f us  %6.3f of one GPU  %+9.2f us\n",
                  std::string(its.name).c_str(), static_cast<long long>(bytes_),
                  contenders_[k].name.c_str(), median, one_gpu / median, median - one_gpu);
      double expected = 1;
      its.run(made[k], expectation{contenders_[k].on, &expected});
      std::string row;
      fettle::json_writer(row)
          .begin_object()
          .field("computation", its.name)
          .field("bytes", bytes_)
          .field("on", contenders_[k].name)
          .field("us", median)
          .field("least_us", times[k].front())
          .field("most_us", times[k].back())
          .field("speed_up", one_gpu / median)
          .field("modelled_speed_up", expected)
          .end_object();
      fettle_benchmarks::record_row(row);
    }
    std::fflush(stdout);
  }

  std::vector<contender> contenders_;
  index_t bytes_;
  int calls_;
};

/// Iterations of a solver on one GPU and on several, in turn; prints both results.
template <typename Solver>
void compare_solvers(const char* name, const gpus& several, index_t size) {
  constexpr int iterations = 20;
  Solver on_one(gpus{0}, size);
  Solver on_all(several, size);
  wait_for_all();
  std::vector<double> one;
  std::vector<double> all;
  for (int round = 0; round < rounds; ++round) {
    one.push_back(microseconds(iterations, [&] { on_one.iterate(ndp::platform::cuda{}); }));
    all.push_back(microseconds(iterations, [&] { on_all.iterate(several); }));
  }
  double results[2] = {};
  check(cudaMemcpy(&results[0], on_one.result(), sizeof(double), cudaMemcpyDefault), "cudaMemcpy");
  check(cudaMemcpy(&results[1], on_all.result(), sizeof(double), cudaMemcpyDefault), "cudaMemcpy");
  const std::string names[] = {"cuda", std::to_string(several.size()) + " GPUs"};
  std::vector<double>* times[] = {&one, &all};
  for (int k = 0; k < 2; ++k) std::sort(times[k]->begin(), times[k]->end());
  for (int k = 0; k < 2; ++k) {
    const double us = (*times[k])[rounds / 2];
    const double speed_up = one[rounds / 2] / us;
    std::printf("%-20s %12lld  %-12s %10.2f us an iteration  %6.3f of one GPU  result %.12g\n",
                name, static_cast<long long>(size), names[k].c_str(), us, speed_up, results[k]);
    std::string row;
    fettle::json_writer(row)
        .begin_object()
        .field("solver", name)
        .field("size", size)
        .field("on", names[k])
        .field("us", us)
        .field("least_us", times[k]->front())
        .field("most_us", times[k]->back())
        .field("speed_up", speed_up)
        .end_object();
    fettle_benchmarks::record_row(row);
  }
}

void compare(const std::vector<contender>& contenders, index_t bytes) {
  const comparison all(contenders, bytes);
  all.flat();
  all.rows();
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string_view> wanted;
  std::vector<int> counts;
  for (const char* word : std::vector<const char*>(words + 1, words + count)) {
    if (const int devices = std::atoi(word); devices > 0) {
      counts.push_back(devices);
    } else {
      wanted.emplace_back(word);
    }
  }
  const auto is_wanted = [&](std::string_view what) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), what) != wanted.end();
  };
  const contender one{"cuda", gpus{0}, runs::on_one};
  if (is_wanted("emulated")) {
    for (const index_t bytes : {index_t{1} << 13, index_t{1} << 30}) {
      compare({one,
               {"emulated 1", gpus::emulated(0, 1)},
               {"emulated 2", gpus::emulated(0, 2)},
               {"emulated 4", gpus::emulated(0, 4)}},
              bytes);
    }
  }
  if (counts.empty()) {
    for (int devices = 2; devices <= gpu_count(); devices *= 2) counts.push_back(devices);
  }
  for (const int devices : counts) {
    std::vector<int> numbers(static_cast<std::size_t>(devices));
    std::iota(numbers.begin(), numbers.end(), 0);
    const gpus several(numbers);
    const std::string name = std::to_string(devices) + " GPUs";
    const contender by_rule{"default rule of " + std::to_string(devices), several};
    if (is_wanted("sizes")) {
      for (const int log : {10, 13, 16, 19, 22, 24}) compare({one, by_rule}, index_t{1} << log);
      // What dividing costs, with nothing to gain yet, and from where on it is worth it.
      for (const int log : {25, 26, 27, 28}) {
        compare({one, by_rule, {name, several, runs::on_all}}, index_t{1} << log);
      }
    }
    if (is_wanted("large")) {
      for (const index_t bytes : {index_t{devices} << 30, index_t{devices} << 32}) {
        compare({one, {name, several}}, bytes);
      }
    }
    if (is_wanted("solvers")) {
      compare_solvers<pagerank>("PageRank", several, index_t{1} << 25);
      compare_solvers<conjugate_gradients>("conjugate gradients", several, 448);
    }
  }
  return 0;
}
