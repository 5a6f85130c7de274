// host: the CPU as the processor that runs computations, and the contenders on it: plain loops on
// OpenMP, a library, Fettle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "../../common/ndp/stopwatch.hpp"
#include "computation.hpp"

namespace suite {

class host {
 public:
  static constexpr const char* name = "host";
  template <typename T>
  using array = std::vector<T>;
  using stopwatch = ndp_cpu::stopwatch;

  index steps = 0;  // of the present problem

  [[nodiscard]] static stopwatch make_stopwatch() { return {}; }

  /// Memory for temporaries, kept until the next problem. Each use has its number.
  template <typename T>
  [[nodiscard]] view<T> scratch(int use, index count) const {
    auto& bytes = scratch_[use];
    bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(count) * sizeof(T) / 64 + 1));
    return {reinterpret_cast<T*>(bytes.data()), count};
  }

  void forget_scratch() { scratch_.clear(); }

  template <typename T>
  [[nodiscard]] static std::vector<T> upload(std::vector<T>&& all) {
    return std::move(all);
  }
  template <typename T>
  [[nodiscard]] static std::vector<T> download(const std::vector<T>& all) {
    return all;
  }
  template <typename T>
  static void poison(std::vector<T>& all) {
    std::memset(static_cast<void*>(all.data()), 0xFF, all.size() * sizeof(T));
  }

 private:
  struct alignas(64) line {
    char bytes[64];
  };
  mutable std::map<int, std::vector<line>> scratch_;
};

/// What each thread of a team does with its part of [0, count): f(thread, first, last).
template <typename F>
void for_each_part(index count, F f) {
#pragma omp parallel
  {
#ifdef _OPENMP
    const std::int64_t threads = omp_get_num_threads();
    const std::int64_t thread = omp_get_thread_num();
#else
    const std::int64_t threads = 1;
    const std::int64_t thread = 0;
#endif
    f(static_cast<int>(thread), static_cast<index>(count * thread / threads),
      static_cast<index>(count * (thread + 1) / threads));
  }
}

[[nodiscard]] inline int most_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/// element(0) op ... op element(count - 1), a part a thread.
template <typename T, typename Element, typename Op>
[[nodiscard]] T fold_by_parts(index count, T identity, Element element, Op op) {
  std::vector<T> parts(static_cast<std::size_t>(most_threads()), identity);
  for_each_part(count, [&](int thread, index first, index last) {
    T all = identity;
    for (index i = first; i < last; ++i) all = op(all, element(i));
    parts[static_cast<std::size_t>(thread)] = all;
  });
  T all = identity;
  for (const T& part : parts) all = op(all, part);
  return all;
}

/// write(i, element(0) op ... op element(i - 1)) for each i, in two passes of a part a thread; on
/// one thread in one.
template <typename T, typename Element, typename Op, typename Write>
void scan_by_parts(index count, T identity, Element element, Op op, Write write) {
  std::vector<T> parts(static_cast<std::size_t>(most_threads()) + 1, identity);
  if (most_threads() > 1) {
    for_each_part(count, [&](int thread, index first, index last) {
      T all = identity;
      for (index i = first; i < last; ++i) all = op(all, element(i));
      parts[static_cast<std::size_t>(thread) + 1] = all;
    });
    for (std::size_t i = 1; i < parts.size(); ++i) parts[i] = op(parts[i - 1], parts[i]);
  }
  for_each_part(count, [&](int thread, index first, index last) {
    T all = parts[static_cast<std::size_t>(thread)];
    for (index i = first; i < last; ++i) {
      const T next = op(all, element(i));
      write(i, all);
      all = next;
    }
  });
}

/// One contiguous part of the iterations each thread.
template <typename Computation, typename... Views>
void static_loop(const host& on, Views... views) {
  for_each_part(on.steps, [&](int, index first, index last) {
    steps<Computation, real_of<Computation>>(first, last, views...);
  });
}

/// For rows whose lengths may differ: 64 iterations, or fewer where there are few, whenever a
/// thread is idle.
template <typename Computation, typename... Views>
void dynamic_loop(const host& on, Views... views) {
  const index size = std::clamp(on.steps / 64, 1, 64);
#pragma omp parallel for schedule(dynamic)
  for (index first = 0; first < on.steps; first += size) {
    steps<Computation, real_of<Computation>>(first, std::min(first + size, on.steps), views...);
  }
}

/// Calls add(name, role, run) for each contender but Fettle.
template <typename Computation, typename Add>
void add_others(const host&, Add add) {
  if constexpr (has_own_loops<Computation>) {
    add("plain loop", "simple", [](const host&, auto... views) { Computation::loop(views...); });
  } else {
    add("plain loop", "simple",
        [](const host& on, auto... views) { static_loop<Computation>(on, views...); });
    if (Computation::shapes == family::rows) {
      add("dynamic loop", "simple",
          [](const host& on, auto... views) { dynamic_loop<Computation>(on, views...); });
    }
  }
}

/// Bytes read and written a second by a copy with all threads.
[[nodiscard]] inline double copy_bandwidth(const host&, host::stopwatch& watch) {
  constexpr std::ptrdiff_t count = std::ptrdiff_t{1} << 24;
  std::vector<double> from(count, 1.0);
  std::vector<double> to(count);
  double least = 1e9;
  for (int i = 0; i < 7; ++i) {
    least = std::min(least, watch.seconds(
                                [&] {
#pragma omp parallel for simd schedule(static)
                                  for (std::ptrdiff_t k = 0; k < count; ++k) to[k] = from[k];
                                },
                                1));
  }
  return 2 * sizeof(double) * static_cast<double>(count) / least;
}

}  // namespace suite
