// attention [KEYS] [DIMENSION]: attention of one query over a cache of keys and values, as a
// program, compared with serial loops.
#include "attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include "support/program.hpp"

namespace examples {

std::vector<double> random_numbers(ndp::index_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> between(-1, 1);
  std::vector<double> numbers(static_cast<std::size_t>(count));
  for (double& x : numbers) x = between(random);
  return numbers;
}

struct attended {
  std::vector<double> output;
  std::vector<int> best;
};

attended serially(const std::vector<double>& query, const std::vector<double>& keys,
                  const std::vector<double>& values) {
  const std::size_t d = query.size();
  const std::size_t n = keys.size() / d;
  std::vector<double> scores(n);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < d; ++k) sum += keys[i * d + k] * query[k];
    scores[i] = sum / std::sqrt(static_cast<double>(d));
  }
  const double largest = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  attended found{std::vector<double>(d, 0.0), std::vector<int>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = std::exp(scores[i] - largest);
    total += weight;
    for (std::size_t k = 0; k < d; ++k) found.output[k] += weight * values[i * d + k];
  }
  for (double& x : found.output) x /= total;
  std::iota(found.best.begin(), found.best.end(), 0);
  std::stable_sort(found.best.begin(), found.best.end(), [&](int a, int b) {
    return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
  });
  return found;
}

template <typename Platform>
void run(const Platform& on, arguments& given) {
  const ndp::index_t n = given.number("KEYS", 5000, best_keys, 100000000);
  const ndp::index_t d = given.number("DIMENSION", 64, 1, 100000);
  given.end();
  const std::vector<double> query = random_numbers(d, 1);
  const std::vector<double> keys = random_numbers(n * d, 2);
  const std::vector<double> values = random_numbers(n * d, 3);
  const attended expected = serially(query, keys, values);

  const auto q = copy_to(on, query);
  const auto k = copy_to(on, keys);
  const auto v = copy_to(on, values);
  auto output = copy_to(on, std::vector<double>(query.size(), 0.0));
  auto best = copy_to(on, std::vector<top<best_keys>>(1));
  auto p = attention<Platform>({read_only(q), read_only(k), read_only(v)},
                               ndp::make_sequence(output), ndp::make_sequence(best));
  p.execute(on);
  wait(on);
  require_same("output", copy_to_host(output), expected.output);
  const std::vector<top<best_keys>> found = copy_to_host(best);
  for (int i = 0; i < best_keys; ++i) {
    const int index = found[0].index[i];
    if (index != expected.best[static_cast<std::size_t>(i)]) {
      throw fettle::error("best: key " + std::to_string(index) + " as number " +
                          std::to_string(i + 1));
    }
  }
  std::fputs(ndp::explain(p).c_str(), stdout);
  const double seconds = seconds_of(on, [&] { p.execute(on); });
  report("attention", std::to_string(n) + " keys, a query", seconds);
}

}  // namespace examples

int main(int count, char** values) {
  return examples::run_program("attention", count, values,
                               [](const auto& on, auto& given) { examples::run(on, given); });
}
