// conjugate_gradients [SIDE] [ITERATIONS]: solves Poisson's equation on a grid of SIDE times SIDE
// points, as a program, and compares with serial loops.
#include "conjugate_gradients.hpp"

#include <cstdio>
#include <vector>

#include "support/program.hpp"

namespace examples {

struct matrix {
  std::vector<double> values;
  std::vector<int> columns, offsets{0};
};

matrix five_points(int side) {
  matrix a;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const auto insert = [&](int at_x, int at_y, double value) {
        if (at_x < 0 || at_y < 0 || at_x >= side || at_y >= side) return;
        a.columns.push_back(at_y * side + at_x);
        a.values.push_back(value);
      };
      insert(x, y - 1, -1);
      insert(x - 1, y, -1);
      insert(x, y, 4);
      insert(x + 1, y, -1);
      insert(x, y + 1, -1);
      a.offsets.push_back(static_cast<int>(a.columns.size()));
    }
  }
  return a;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> times(const matrix& a, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (auto k = static_cast<std::size_t>(a.offsets[i]);
         k < static_cast<std::size_t>(a.offsets[i + 1]); ++k) {
      y[i] += a.values[k] * x[static_cast<std::size_t>(a.columns[k])];
    }
  }
  return y;
}

std::vector<double> solved_serially(const matrix& a, const std::vector<double>& b, int iterations) {
  std::vector<double> x(b.size(), 0.0);
  std::vector<double> r = b;
  std::vector<double> d = b;
  double rr = dot(r, r);
  for (int i = 0; i < iterations; ++i) {
    const std::vector<double> q = times(a, d);
    const double alpha = rr / dot(d, q);
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] += alpha * d[k];
      r[k] -= alpha * q[k];
    }
    const double next = dot(r, r);
    for (std::size_t k = 0; k < x.size(); ++k) d[k] = r[k] + next / rr * d[k];
    rr = next;
  }
  return x;
}

template <typename Platform>
void run(const Platform& on, arguments& given) {
  const auto side = static_cast<int>(given.number("SIDE", 60, 1, 10000));
  const auto iterations = static_cast<int>(given.number("ITERATIONS", 30, 1, 100000));
  given.end();
  const matrix a = five_points(side);
  std::vector<double> b(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i % 7) - 3;
  const std::vector<double> expected = solved_serially(a, b, iterations);

  const auto values = copy_to(on, a.values);
  const auto columns = copy_to(on, a.columns);
  const auto offsets = copy_to(on, a.offsets);
  auto x = copy_to(on, std::vector<double>(b.size(), 0.0));
  auto r = copy_to(on, b);
  auto d = copy_to(on, b);
  auto rr = copy_to(on, std::vector<double>{dot(b, b)});
  const auto rows = ndp::inspect_rows(ndp::nest(read_only(values), read_only(offsets)), on);
  auto p = conjugate_gradient_iteration<Platform>(
      {read_only(values), read_only(columns), read_only(offsets), rows},
      {ndp::make_sequence(x), ndp::make_sequence(r), ndp::make_sequence(d),
       ndp::make_sequence(rr)});
  for (int i = 0; i < iterations; ++i) p.execute(on);
  wait(on);
  require_same("x", copy_to_host(x), expected, 1e-8);
  std::fputs(ndp::explain(p).c_str(), stdout);
  const double seconds = seconds_of(on, [&] { p.execute(on); });
  report("conjugate_gradients", std::to_string(b.size()) + " unknowns, an iteration", seconds);
}

}  // namespace examples

int main(int count, char** values) {
  return examples::run_program("conjugate_gradients", count, values,
                               [](const auto& on, auto& given) { examples::run(on, given); });
}
