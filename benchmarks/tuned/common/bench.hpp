// The frame of the programs that are tuned and then compared with reference implementations.
//
//   PROGRAM INPUT...                       computes each input once and checks the result; this is
//                                          what a tuner runs
//   PROGRAM --measure [--seconds S] INPUT...   times Fettle, Fettle untuned and the references
//
// Without an input, a small one is computed. An input is a text, see each program. Exit status: 0;
// 1 where a result is wrong, a reference's among them; 77 where there is no GPU.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/variant/registration/context.hpp>

#include "../../../examples/ndp/support/program.hpp"
#include "../../common/ndp/comparison.hpp"
#include "../../common/ndp/report.hpp"

// A tuner's builds compute, they measure nothing: without references they compile in less time and
// need no libraries but those of the computation itself.
#if !defined(FETTLE_INTROSPECT) && !defined(FETTLE_NDP_SHARD) && !defined(FETTLE_NDP_TRAINING)
#define FETTLE_BENCHMARK_MEASURES
#include "default_rule.hpp"
#endif

#ifdef __CUDACC__
#include "../../common/ndp/device.cuh"
#else
#include "../../common/ndp/stopwatch.hpp"
#endif

namespace ndp_tuned {

namespace fb = fettle_benchmarks;
namespace ndp = fettle::ndp;
using platform_type = examples::platform_type;

#ifdef __CUDACC__
using stopwatch_type = ndp_gpu::stopwatch;
#else
using stopwatch_type = ndp_cpu::stopwatch;
#endif

/// The program was compiled with a tuner's header.
#ifdef FETTLE_CONFIG_HPP
inline constexpr bool is_tuned = true;
#else
inline constexpr bool is_tuned = false;
#endif

/// What the program's own contender is called.
inline constexpr const char* our_name = is_tuned ? "tuned" : "fettle";

struct bench {
  platform_type on;
  bool measures = false;
  fb::effort effort;
  stopwatch_type watch;
  fb::report report;
  int failures = 0;

  /// Times all contenders, or runs the first one alone; what is wrong is printed and counted.
  void judge(const fb::comparison& c) {
    if (measures) {
      fb::finished result = fb::compare(watch, c, effort);
      for (const fb::outcome& one : result.outcomes) failures += one.good() ? 0 : 1;
      report.add(std::move(result));
      return;
    }
    check(c, c.contenders.front().run);
  }

  /// Runs it once and checks the result.
  void check(const fb::comparison& c, const std::function<void()>& run) {
    const fb::outcome one = fb::detail::first_run(c, {our_name, fb::kind::ours, run});
    if (!measures || !one.good()) {
      std::printf("%s: %s\n", c.on.name.c_str(), one.good() ? "right" : one.problem.c_str());
    }
    failures += one.good() ? 0 : 1;
  }
};

#ifdef FETTLE_BENCHMARK_MEASURES
using default_platform = by_default_rule<platform_type>;

/// Adds the same computation by the default rule, where the program is tuned.
template <typename Call>
void add_default(std::vector<fb::contender>& all, const bench& b, Call call,
                 const char* name = "default") {
  if (is_tuned) {
    all.push_back({name, fb::kind::peer, [call, on = default_platform{b.on}] { call(on); }});
  }
}

/// The same for the two forms of a reduction or scan, of which the first is the untuned program's.
template <typename Whole, typename Tiles>
void add_defaults(std::vector<fb::contender>& all, const bench& b, Whole whole, Tiles tiles) {
  add_default(all, b, whole);
  all.push_back(
      {"default_tiles", fb::kind::peer, [tiles, on = default_platform{b.on}] { tiles(on); }});
}
#endif

/// For tuned functions above the computations: until the program is tuned, a missing model is
/// not worth a warning.
[[nodiscard]] inline fettle::context_options quiet_until_tuned() {
  fettle::context_options chosen;
  if (!is_tuned) chosen.on_warning = [](std::string_view) {};
  return chosen;
}

/// Bytes of ones: NaN in floating point.
template <typename Vector>
void poison(Vector& out) {
  const std::size_t bytes = out.size() * sizeof(typename Vector::value_type);
  if (bytes == 0) return;
#ifdef __CUDACC__
  ndp_gpu::check(cudaMemset(thrust::raw_pointer_cast(out.data()), 0xFF, bytes), "cudaMemset");
#else
  std::memset(out.data(), 0xFF, bytes);
#endif
}

/// Whether the numbers are these integers.
template <typename Vector>
[[nodiscard]] bool holds(const Vector& out, std::span<const std::int32_t> expected) {
  const auto found = examples::copy_to_host(out);
  return std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                    [](auto a, std::int32_t b) { return a == static_cast<decltype(a)>(b); });
}

/// The pointer to a vector's elements, where the platform has them.
template <typename Vector>
[[nodiscard]] auto* pointer_to(Vector& elements) {
  return ndp::make_sequence(elements).data();
}

/// The body of main: run(bench, input) for every input, `otherwise` where none is given.
template <typename Run>
int run_benchmark(const char* name, int count, char** values, const char* otherwise, Run&& run) {
#ifdef FETTLE_INTROSPECT
  // The computations have reported themselves before main.
  static_cast<void>(std::tuple(name, count, values, otherwise, &run));
  return 0;
#else
  try {
    if (!examples::platform_is_there(platform_type{})) {
      std::printf("%s: skipped, needs a GPU\n", name);
      return examples::skipped;
    }
    bench b{platform_type{},
            false,
            {},
            stopwatch_type{
#ifdef __CUDACC__
                nullptr
#endif
            },
            {}};
    std::vector<std::string> inputs;
    for (int i = 1; i < count; ++i) {
      const std::string_view word = values[i];
      if (word == "--measure") {
        b.measures = true;
      } else if (word == "--seconds" && i + 1 < count) {
        b.effort.seconds = std::atof(values[++i]);
      } else if (word.starts_with("--")) {
        throw fettle::error("usage: [--measure] [--seconds S] INPUT...");
      } else {
        inputs.emplace_back(word);
      }
    }
#ifndef FETTLE_BENCHMARK_MEASURES
    if (b.measures) throw fettle::error("a tuner's build measures nothing");
#endif
    if (inputs.empty()) inputs.emplace_back(otherwise);
    for (const std::string& input : inputs) run(b, input);
    return b.failures > 0 ? 1 : 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: %s\n", name, problem.what());
    return 1;
  }
#endif
}

}  // namespace ndp_tuned
