// Breadth-first search, tuned by Fettle: a call searches from many sources and returns the rate, so
// that what is compared is a mean over sources.
#include "../support/program.hpp"
#include "direction_optimising.hpp"
#include "registration.hpp"

namespace bfs {

/// The sources of one call, and the levels that the searches have found.
struct searches {
  std::vector<vertex> sources;
  std::vector<levels> found;
  bool operator==(const searches&) const = default;
};

/// Searches from every source; returns the traversed edges a second (TEPS), where a source counts
/// as an edge, so that an isolated one has a rate, too.
template <void (*Search)(const graph&, vertex, levels&)>
double rate(const graph& g, searches& all) {
  all.found.resize(all.sources.size());
  const fettle::timer clock;
  for (std::size_t n = 0; n < all.sources.size(); ++n) Search(g, all.sources[n], all.found[n]);
  const double seconds = clock.seconds();
  std::size_t edges = 1 + all.sources.size();
  for (const levels& found : all.found)
    for (vertex v = 0; v < g.vertices; ++v)
      if (found[static_cast<std::size_t>(v)] != unreached) edges += g.out.degree(v);
  return static_cast<double>(edges) / seconds;
}

struct example : registration<double(const graph&, searches&)> {
  static constexpr double judging_seconds = 0.4;

  static constexpr examples::variant<signature> variants[] = {
      {"top_down", rate<top_down>},
      {"two_phase", rate<two_phase>},
      {"direction_optimising", rate<direction_optimising>},
      {"parallel_iterative", rate<parallel_iterative>},
      {"parallel_fused", rate<parallel_fused>},
      {"parallel_direction_optimising", rate<parallel_direction_optimising>},
  };

  using s = const searches&;

  static std::tuple<graph, searches> load(const std::string& input) {
    graph g = load_graph(input);
    searches all{sources_in(g), {}};
    return {std::move(g), std::move(all)};
  }
  static std::vector<levels> capture(const graph&, s all) { return all.found; }
  static bool agree(const std::vector<levels>& expected, const std::vector<levels>& result) {
    return expected == result;
  }
};

}  // namespace bfs

int main(int count, char** words) { return examples::run_program<bfs::example>(count, words); }
