// Four computations over all GPUs of the host, whose number is tuned (run.py), beside one GPU.
//
//   devices BYTES                executes each once: what the tuner measures
//   devices --compare BYTES...   times each on one GPU, over all by the default rule, and as tuned
//
// BYTES are those of the doubles that are read. Arrays lie where they are computed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/fixed_string.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda_devices.hpp>

#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif

#include "../../common/record.hpp"
#include "../../untuned/devices/computations.cuh"
#include "../../untuned/devices/timing.cuh"

namespace {

using namespace devices_benchmark;
using gpus = ndp::platform::cuda_devices;
template <typename T>
using memory = ndp::cuda_devices::array<T>;

template <typename T, typename F>
memory<T> filled(const gpus& on, index_t count, const F& f) {
  memory<T> made(on, count);
  ndp::execute(ndp::map(f, ndp::range(index_t{0}, count)), made.write(), on);
  return made;
}

/// What the computations read and write, on one GPU or on several.
struct arrays {
  arrays(const gpus& on, index_t bytes)
      : count(std::max<index_t>(64, bytes / 8)),
        rows(std::max<index_t>(8, bytes / 8 / entries_a_row / 8 * 8)),
        x(filled<double>(on, count, scrambled{1})),
        y(on, count),
        values(filled<double>(on, rows * entries_a_row, scrambled{1})),
        products(on, rows),
        columns(filled<int>(on, rows * entries_a_row, entry_column{rows})),
        offsets(filled<int>(on, rows + 1, row_offset{})),
        copies(std::make_unique<ndp::cuda_devices::replicas<double>>(on, rows)) {
    copies->assign(ndp::subsequence(values.read(), 0, rows));
    wait_for_all();
  }

  index_t count, rows;
  memory<double> x, y, values, products;
  memory<int> columns, offsets;
  std::unique_ptr<ndp::cuda_devices::replicas<double>> copies;
};

/// A computation that can be executed in three ways.
template <fettle::fixed_string Name, typename E, typename D>
struct computation {
  E e;
  D destination;

  void on_one() const { ndp::execute(e, destination, ndp::platform::cuda{}); }
  void by_rule(const gpus& on) const { ndp::execute(e, destination, on); }
  void tuned(const gpus& on) const { ndp::execute<Name>(e, destination, on); }
};
template <fettle::fixed_string Name, typename E, typename D>
computation<Name, E, D> made(const E& e, const D& destination) {
  return {e, destination};
}

auto line_of(arrays& a) { return made<"line">(ndp::map(line{}, a.x.read()), a.y.write()); }
auto row_sums_of(arrays& a) {
  return made<"row_sums">(ndp::map(row_sum{}, ndp::split(a.x.read(), 64)),
                          ndp::subsequence(a.y.write(), 0, (a.count + 63) / 64));
}
auto total_of(arrays& a) {
  return made<"total">(ndp::reduce(ndp::plus{}, a.x.read(), 0.0),
                       ndp::subsequence(a.y.write(), 0, 1));
}
auto product_of(arrays& a) {
  const auto offsets = a.offsets.read();
  return made<"product">(ndp::map(row_dot{a.copies->read()}, ndp::nest(a.values.read(), offsets),
                                  ndp::nest(a.columns.read(), offsets)),
                         a.products.write());
}

void execute_each(index_t bytes) {
  const gpus on = gpus::all();
  arrays a(on, bytes);
  line_of(a).tuned(on);
  row_sums_of(a).tuned(on);
  total_of(a).tuned(on);
  product_of(a).tuned(on);
  wait_for_all();
}

constexpr int rounds = 7;

void record(const char* name, index_t bytes, const char* how, std::vector<double>& times,
            double one_gpu) {
  const double us = times[rounds / 2];
  std::printf("%-10s %12lld bytes  %-12s %10.2f us  %6.3f of one GPU\n", name,
              static_cast<long long>(bytes), how, us, one_gpu / us);
  std::string row;
  fettle::json_writer(row)
      .begin_object()
      .field("computation", name)
      .field("bytes", bytes)
      .field("gpus", gpu_count())
      .field("on", how)
      .field("us", us)
      .field("least_us", times.front())
      .field("most_us", times.back())
      .field("speed_up", one_gpu / us)
      .end_object();
  fettle_benchmarks::record_row(row);
}

template <typename Computation>
void compare(const char* name, index_t bytes, const Computation& here, const Computation& there) {
  const gpus on = gpus::all();
  const int calls = bytes >= index_t{1} << 27 ? 20 : 400;
  std::vector<double> one;
  std::vector<double> by_rule;
  std::vector<double> tuned;
  for (int round = 0; round < rounds; ++round) {
    one.push_back(microseconds(calls, [&] { here.on_one(); }));
    by_rule.push_back(microseconds(calls, [&] { there.by_rule(on); }));
    tuned.push_back(microseconds(calls, [&] { there.tuned(on); }));
  }
  for (auto* times : {&one, &by_rule, &tuned}) std::sort(times->begin(), times->end());
  const double one_gpu = one[rounds / 2];
  record(name, bytes, "one GPU", one, one_gpu);
  record(name, bytes, "default rule", by_rule, one_gpu);
  record(name, bytes, "tuned", tuned, one_gpu);
}

void compare_all(index_t bytes) {
  arrays here(gpus{0}, bytes);
  arrays there(gpus::all(), bytes);
  compare("line", bytes, line_of(here), line_of(there));
  compare("row_sums", bytes, row_sums_of(here), row_sums_of(there));
  compare("total", bytes, total_of(here), total_of(there));
  compare("product", bytes, product_of(here), product_of(there));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const bool compares = count > 2 && std::string_view(words[1]) == "--compare";
  if (count != 2 && !compares) {
    std::fprintf(stderr, "usage: devices BYTES | devices --compare BYTES...\n");
    return 2;
  }
  if (!compares) {
    execute_each(std::strtoll(words[1], nullptr, 10));
    return 0;
  }
  for (int i = 2; i < count; ++i) compare_all(std::strtoll(words[i], nullptr, 10));
  return 0;
}
