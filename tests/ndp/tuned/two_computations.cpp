// A program to tune: two named computations and one unnamed one.
//
//   two_computations ROWS AVERAGE [short|skewed] [seed]
//
// "spmv": a sparse matrix of ROWS generated rows times a vector; "total": the sum of the result.
// The unnamed one finds the largest element. Prints what they found, and exits with 1 where a
// serial loop disagrees. Compiled by nvcc (-x cu) it runs on the GPU.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <fettle/ndp.hpp>

#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif

namespace ndp = fettle::ndp;

namespace {

using doubles = ndp::sequence<const double>;
using ints = ndp::sequence<const std::int32_t>;

struct row_dot {
  doubles x;
  FETTLE_HOST_DEVICE auto operator()(const doubles& row, const ints& columns) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, columns)), 0.0);
  }
};

#ifdef __CUDACC__
/// Memory that both sides reach.
template <typename T>
struct shared_memory {
  using value_type = T;
  shared_memory() = default;
  template <typename U>
  shared_memory(const shared_memory<U>& /*other*/) {}
  T* allocate(std::size_t count) {
    void* p = nullptr;
    if (cudaMallocManaged(&p, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t /*count*/) { cudaFree(p); }
  bool operator==(const shared_memory&) const = default;
};
template <typename T>
using numbers = std::vector<T, shared_memory<T>>;
#else
template <typename T>
using numbers = std::vector<T>;
#endif

struct matrix {
  numbers<std::int32_t> offsets{0};
  numbers<std::int32_t> columns;
  numbers<double> values;
};

/// A linear congruential generator: the same numbers everywhere.
struct random_numbers {
  std::uint64_t state;
  std::uint32_t operator()(std::uint32_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>((state >> 33U) % below);
  }
};

matrix generate(std::int32_t rows, std::int32_t average, bool skewed, std::uint64_t seed) {
  matrix a;
  random_numbers random{seed};
  const auto mean = static_cast<std::uint32_t>(average);
  for (std::int32_t i = 0; i < rows; ++i) {
    std::uint32_t length = random(2 * mean + 1);
    if (skewed) length = random(100) == 0 ? 50 * mean : random(mean + 1);
    for (std::uint32_t k = 0; k < length; ++k) {
      a.columns.push_back(static_cast<std::int32_t>(random(static_cast<std::uint32_t>(rows))));
      a.values.push_back(1.0 + 0.001 * random(1000));
    }
    a.offsets.push_back(static_cast<std::int32_t>(a.columns.size()));
  }
  return a;
}

bool near(double a, double b) { return std::fabs(a - b) <= 1e-9 * std::fmax(1.0, std::fabs(b)); }

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s ROWS AVERAGE [short|skewed] [seed]\n", argv[0]);
    return 2;
  }
  const auto rows = static_cast<std::int32_t>(std::atoi(argv[1]));
  const bool skewed = argc > 3 && std::string(argv[3]) == "skewed";
  const std::uint64_t seed = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;
  const matrix a = generate(rows, std::atoi(argv[2]), skewed, seed);
  numbers<double> x(a.offsets.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 / static_cast<double>(i + 1);
  numbers<double> y(static_cast<std::size_t>(rows));

  const ndp::platform::preferred on{};
  const auto offsets = ndp::make_sequence(a.offsets);
  ndp::execute<"spmv">(
      ndp::map(row_dot{ndp::make_sequence(x)}, ndp::nest(ndp::make_sequence(a.values), offsets),
               ndp::nest(ndp::make_sequence(a.columns), offsets)),
      ndp::make_sequence(y), on);
  const doubles result(y.data(), static_cast<ndp::index_t>(y.size()));
  const double total = ndp::execute<"total">(ndp::reduce(ndp::plus{}, result, 0.0), on);
  const double largest = ndp::execute(ndp::reduce(ndp::maximum{}, result, 0.0), on);

  double expected_total = 0;
  double expected_largest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (auto k = static_cast<std::size_t>(a.offsets[i]);
         k < static_cast<std::size_t>(a.offsets[i + 1]); ++k) {
      sum += a.values[k] * x[static_cast<std::size_t>(a.columns[k])];
    }
    if (!near(y[i], sum)) {
      std::fprintf(stderr, "row %zu is %g instead of %g\n", i, y[i], sum);
      return 1;
    }
    expected_total += sum;
    expected_largest = std::max(expected_largest, sum);
  }
  std::printf("total %.9g largest %.9g\n", total, largest);
  return near(total, expected_total) && near(largest, expected_largest) ? 0 : 1;
}
