// Definitions of measured_features.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/machine/description.hpp>
#include <fettle/machine/measured_features.hpp>
#include <fettle/measure/timer.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Keeps the compiler from removing what computes `value`.
template <typename Value>
inline void keep(const Value& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

/// The least time of a run, in seconds, of as many as fit into `seconds`, three at least.
template <typename Run>
double least_seconds(double seconds, const Run& run) {
  const timer total;
  double least = 1e300;
  for (int count = 0; count < 3 || total.seconds() < seconds; ++count) {
    const timer one;
    run();
    least = std::min(least, one.seconds());
  }
  return least;
}

/// Runs `work(thread)` on so many threads, this one among them.
template <typename Work>
void on_threads(std::size_t count, const Work& work) {
  std::vector<std::thread> others;
  others.reserve(count - 1);
  for (std::size_t thread = 1; thread < count; ++thread) {
    others.emplace_back([&work, thread] { work(thread); });
  }
  work(std::size_t{0});
  for (std::thread& other : others) other.join();
}

/// Bytes read and written a second by copies of all threads together.
[[gnu::cold]] FETTLE_INLINE double copy_bandwidth(std::size_t threads, double seconds) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  const std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes, 2);
  const std::size_t part = bytes / threads;
  const double least = least_seconds(seconds, [&] {
    on_threads(threads, [&](std::size_t thread) {
      std::memcpy(to.data() + thread * part, from.data() + thread * part, part);
    });
    keep(to.data()[0]);
  });
  return 2. * static_cast<double>(part * threads) / least;
}

/// Seconds of reading one element at random of 64 MiB, by one thread.
[[gnu::cold]] FETTLE_INLINE double gather_seconds(double seconds) {
  constexpr std::size_t size = std::size_t{8} << 20;
  constexpr std::size_t reads = std::size_t{1} << 20;
  const std::vector<double> values(size, 1.0);
  std::vector<std::uint32_t> indices(reads);
  std::uint64_t state = 88172645463325252U;
  for (std::uint32_t& index : indices) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    index = static_cast<std::uint32_t>(state % size);
  }
  const double least = least_seconds(seconds, [&] {
    double sum = 0;
    for (const std::uint32_t index : indices) sum += values[index];
    keep(sum);
  });
  return least / static_cast<double>(reads);
}

/// Seconds of an atomic addition; of one by any thread where all add to the same number.
[[gnu::cold]] FETTLE_INLINE double atomic_seconds(std::size_t threads, double seconds) {
  constexpr std::size_t additions = 200'000;
  std::atomic<std::uint64_t> number{0};
  const double least = least_seconds(seconds, [&] {
    on_threads(threads, [&](std::size_t) {
      for (std::size_t i = 0; i < additions; ++i) number.fetch_add(1, std::memory_order_relaxed);
    });
  });
  return least / static_cast<double>(additions * threads);
}

/// Seconds of starting and joining a thread a core.
[[gnu::cold]] FETTLE_INLINE double fork_join_seconds(std::size_t threads, double seconds) {
  return least_seconds(seconds, [&] { on_threads(threads, [](std::size_t) {}); });
}

/// Multiply-adds of eight independent vectors of `Bytes`, so that latency is hidden.
template <typename Number, std::size_t Bytes>
[[gnu::always_inline]] inline Number multiply_adds(std::size_t rounds) {
  using vector [[gnu::vector_size(Bytes)]] = Number;
  vector sums[8] = {};
  const vector factor = vector{} + static_cast<Number>(0.999);
  for (std::size_t i = 0; i < rounds; ++i) {
    for (vector& sum : sums) sum = sum * factor + factor;
    keep(sums);
  }
  Number total = 0;
  for (const vector& sum : sums) total += sum[0];
  return total;
}

#if defined(__x86_64__)
template <typename Number>
[[gnu::target("avx2,fma")]] Number wide_multiply_adds(std::size_t rounds) {
  using vector [[gnu::vector_size(32)]] = Number;
  const vector factor = vector{} + static_cast<Number>(0.999);
  vector a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
  for (std::size_t i = 0; i < rounds; ++i) {
    a = a * factor + factor, b = b * factor + factor;
    c = c * factor + factor, d = d * factor + factor;
    e = e * factor + factor, f = f * factor + factor;
    g = g * factor + factor, h = h * factor + factor;
    asm volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d));
    asm volatile("" : "+x"(e), "+x"(f), "+x"(g), "+x"(h));
  }
  const vector sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
  return sum[0];
}
#endif

/// Floating-point operations a second of one core, two a multiply-add.
template <typename Number>
[[gnu::cold]] double multiply_add_rate(double seconds) {
  constexpr std::size_t rounds = 100'000;
  constexpr std::size_t vectors = 8;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    const double least = least_seconds(seconds, [] { keep(wide_multiply_adds<Number>(rounds)); });
    constexpr std::size_t additions = vectors * rounds * (32 / sizeof(Number));
    return 2 * static_cast<double>(additions) / least;
  }
#endif
  const double least = least_seconds(seconds, [] { keep(multiply_adds<Number, 16>(rounds)); });
  constexpr std::size_t additions = vectors * rounds * (16 / sizeof(Number));
  return 2 * static_cast<double>(additions) / least;
}

}  // namespace fettle::detail

namespace fettle::inline FETTLE_ABI {

[[gnu::cold]] FETTLE_INLINE device_features measure_processor(double seconds) {
  const auto threads = static_cast<std::size_t>(std::max(1L, describe_machine().cores));
  const double each = seconds / 8;
  return {
      {"copy_gb_s", detail::copy_bandwidth(threads, each) * 1e-9},
      {"copy_one_core_gb_s", detail::copy_bandwidth(1, each) * 1e-9},
      {"gather_ns", detail::gather_seconds(each) * 1e9},
      {"atomic_add_ns", detail::atomic_seconds(1, each) * 1e9},
      {"atomic_add_contended_ns", detail::atomic_seconds(threads, each) * 1e9},
      {"fork_join_us", detail::fork_join_seconds(threads, each) * 1e6},
      {"fp32_gflops_a_core", detail::multiply_add_rate<float>(each) * 1e-9},
      {"fp64_gflops_a_core", detail::multiply_add_rate<double>(each) * 1e-9},
  };
}

}  // namespace fettle
