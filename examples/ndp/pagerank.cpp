// pagerank [PAGES] [LINKS] [ITERATIONS]: ranks the pages of a made-up web, as a program, and
// compares with serial loops. LINKS is the mean number of links to a page.
#include "pagerank.hpp"

#include <cstdio>
#include <random>
#include <vector>

#include "support/program.hpp"

namespace examples {

struct web {
  std::vector<int> sources, offsets{0}, links;
};

/// Page i is linked from some pages of smaller and larger numbers; a few have very many.
web made_up_web(int pages, int mean) {
  std::mt19937 random(1);
  web w;
  w.links.assign(static_cast<std::size_t>(pages), 0);
  for (int page = 0; page < pages; ++page) {
    const auto most = static_cast<unsigned long>(page % 1000 == 7 ? 50 * mean : 2 * mean - 1);
    for (auto k = random() % (most + 1); k > 0; --k) {
      const auto source = static_cast<int>(random() % static_cast<unsigned long>(pages));
      w.sources.push_back(source);
      ++w.links[static_cast<std::size_t>(source)];
    }
    w.offsets.push_back(static_cast<int>(w.sources.size()));
  }
  return w;
}

double serial_iteration(const web& w, std::vector<double>& rank, double damping = 0.85) {
  const auto pages = static_cast<double>(rank.size());
  double lost = 0;
  for (std::size_t i = 0; i < rank.size(); ++i) lost += w.links[i] == 0 ? rank[i] : 0;
  std::vector<double> next;
  double change = 0;
  for (std::size_t i = 0; i < rank.size(); ++i) {
    double sum = 0;
    for (int k = w.offsets[i]; k < w.offsets[i + 1]; ++k) {
      const auto source = static_cast<std::size_t>(w.sources[static_cast<std::size_t>(k)]);
      sum += rank[source] / w.links[source];
    }
    next.push_back((1 - damping) / pages + damping * (sum + lost / pages));
    change += std::abs(next[i] - rank[i]);
  }
  rank = next;
  return change;
}

template <typename Platform>
void run(const Platform& on, arguments& given) {
  const auto pages = static_cast<int>(given.number("PAGES", 20000, 1, 100000000));
  const auto mean = static_cast<int>(given.number("LINKS", 8, 1, 1000));
  const auto iterations = static_cast<int>(given.number("ITERATIONS", 20, 1, 100000));
  given.end();
  const web w = made_up_web(pages, mean);
  std::vector<double> expected(static_cast<std::size_t>(pages), 1.0 / pages);
  auto rank = copy_to(on, expected);
  auto change = copy_to(on, std::vector<double>{0.0});
  double last = 0;
  for (int i = 0; i < iterations; ++i) last = serial_iteration(w, expected);

  const auto sources = copy_to(on, w.sources);
  const auto offsets = copy_to(on, w.offsets);
  const auto links = copy_to(on, w.links);
  const auto rows = ndp::inspect_rows(ndp::nest(read_only(sources), read_only(offsets)), on);
  auto p =
      pagerank_iteration<Platform>({read_only(sources), read_only(offsets), read_only(links), rows},
                                   ndp::make_sequence(rank), ndp::make_sequence(change));
  for (int i = 0; i < iterations; ++i) p.execute(on);
  wait(on);
  require_same("rank", copy_to_host(rank), expected);
  require_same("change", copy_to_host(change), {last});
  std::fputs(ndp::explain(p).c_str(), stdout);
  const double seconds = seconds_of(on, [&] { p.execute(on); });
  report("pagerank", std::to_string(pages) + " pages, an iteration", seconds);
}

}  // namespace examples

int main(int count, char** values) {
  return examples::run_program("pagerank", count, values,
                               [](const auto& on, auto& given) { examples::run(on, given); });
}
