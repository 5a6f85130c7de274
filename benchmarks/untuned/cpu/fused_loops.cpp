// What fusion costs: expressions on one thread beside the same loops written by hand, both compiled
// with the same options. The arrays fit into a core's second-level cache.
#include <fettle/ndp/execute.hpp>

#include "../../common/ndp/computations.hpp"
#include "bench.hpp"
#include "instruction_counter.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace ndp_cpu {

namespace {

constexpr fb::index count = 40'000;
constexpr fb::index row_length = 32;

struct scaled_sum {
  double scale;
  FETTLE_HOST_DEVICE double operator()(double x, double y) const { return scale * x + y; }
};

struct square {
  FETTLE_HOST_DEVICE double operator()(double x) const { return x * x; }
};

struct arrays {
  std::vector<double> x = fb::small_integers<double>(count, 1);
  std::vector<double> y = fb::small_integers<double>(count, 2);
  std::vector<fb::index> indices = std::vector<fb::index>(count);
  std::vector<fb::index> offsets = fb::offsets_of(fb::equal_rows(count / row_length, row_length));

  arrays() {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      indices[i] = static_cast<fb::index>(fb::hash(i, 3) % count);
    }
  }
};

// The loops by hand. Not inlined, so that their sizes are not known to the compiler either.

[[gnu::noipa]] void scaled_sum_by_hand(const double* x, const double* y, double* out,
                                       std::int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) out[i] = 3.0 * x[i] + y[i];
}

[[gnu::noipa]] void squares_of_gathered_by_hand(const double* x, const fb::index* indices,
                                                const double* y, double* out, std::int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    const double gathered = x[indices[i]];
    out[i] = 3.0 * (gathered * gathered) + y[i];
  }
}

[[gnu::noipa]] void dot_by_hand(const double* x, const double* y, double* out, std::int64_t n) {
  double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  *out = sum;
}

[[gnu::noipa]] void row_dots_by_hand(const double* values, const fb::index* columns,
                                     const fb::index* offsets, const double* x, double* out,
                                     std::int64_t rows) {
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < rows; ++r) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (fb::index k = offsets[r]; k < offsets[r + 1]; ++k) sum += values[k] * x[columns[k]];
    out[r] = sum;
  }
}

/// The first destination.size() elements of `out` are the result.
template <typename E>
void compare_loops(bench& b, const std::string& name, const E& e, ndp::sequence<double> destination,
                   std::vector<double>& out, const std::function<void()>& by_hand) {
  by_hand();
  const std::vector<double> expected(destination.begin(), destination.end());
  fb::comparison c{{"fused_loop", name, "double", 1, count, 0},
                   {},
                   [&] { poison(out); },
                   [&] { return std::equal(expected.begin(), expected.end(), out.begin()); }};
  c.contenders = {{"fettle", fb::kind::ours,
                   [&] { ndp::execute<"fused">(e, destination, ndp::platform::openmp{}); }},
                  {"by hand", fb::kind::peer, by_hand}};
  b.compare(c);
  const instruction_counter counter;
  const auto ours = counter.count(c.contenders[0].run);
  const auto theirs = counter.count(c.contenders[1].run);
  if (ours && theirs) {
    fb::report::figure("  instructions, fettle / by hand: " + name,
                       static_cast<double>(*ours) / static_cast<double>(*theirs), "", 1.05);
  } else {
    std::printf("%35s this system tells no instruction counts\n", "");
  }
}

}  // namespace

void add_fused_loops(bench& b) {
#ifdef _OPENMP
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
#endif
  arrays a;
  std::vector<double> out(count);
  const auto x = ndp::make_sequence(std::as_const(a.x));
  const auto y = ndp::make_sequence(std::as_const(a.y));
  const auto indices = ndp::make_sequence(std::as_const(a.indices));
  const auto offsets = ndp::make_sequence(std::as_const(a.offsets));
  const auto first = [&](fb::index size) { return ndp::sequence<double>(out.data(), size); };

  compare_loops(b, "map(a x + y)", ndp::map(scaled_sum{3.0}, x, y), first(count), out,
                [&] { scaled_sum_by_hand(a.x.data(), a.y.data(), out.data(), count); });
  compare_loops(b, "map(map(gather))",
                ndp::map(scaled_sum{3.0}, ndp::map(square{}, ndp::gather(x, indices)), y),
                first(count), out, [&] {
                  squares_of_gathered_by_hand(a.x.data(), a.indices.data(), a.y.data(), out.data(),
                                              count);
                });
  compare_loops(b, "reduce(map(x y))",
                ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, x, y), 0.0), first(1), out,
                [&] { dot_by_hand(a.x.data(), a.y.data(), out.data(), count); });
  compare_loops(b, "map > reduce, rows of 32", fb::sparse_product(x, indices, offsets, y),
                first(count / row_length), out, [&] {
                  row_dots_by_hand(a.x.data(), a.indices.data(), a.offsets.data(), a.y.data(),
                                   out.data(), count / row_length);
                });
#ifdef _OPENMP
  omp_set_num_threads(threads);
#endif
}

}  // namespace ndp_cpu
