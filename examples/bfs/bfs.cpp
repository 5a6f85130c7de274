// Breadth-first search, tuned by Fettle: a call searches from many sources and returns the rate, so
// that what is compared is a mean over sources.
#include "../support/program.hpp"
#include "direction_optimising.hpp"
#include "features.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

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

struct example {
  using signature = double(const graph&, searches&);
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::bfs;
#else
  struct policy {
    static constexpr std::string_view name = "bfs";
    static constexpr bool larger_is_better = true;
  };
#endif
  static constexpr const char* name = "bfs";
  static constexpr const char* inputs = input_help;
  static constexpr bool changes_input = false;
  static constexpr std::size_t sources = 8;
  static constexpr double calls = 100.0 / sources;  // 100 searches in a graph, as in the paper
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
  static constexpr examples::feature<signature> features[] = {
      {"avg_out_deg", [](const graph& g, s) { return mean_degree(g); }},
      {"deg_sd", [](const graph& g, s) { return degree_deviation(g); }},
      {"max_deviation", [](const graph& g, s) { return largest_deviation(g); }},
      {"hub_edges", [](const graph& g, s) { return hub_edges(g); }},
      {"vertices", [](const graph& g, s) { return double(g.vertices); }},
      {"edges", [](const graph& g, s) { return double(g.edges()); }},
  };

  static std::tuple<graph, searches> load(const std::string& input) {
    graph g = load_graph(input);
    searches all;
    spmv::random_numbers random(static_cast<std::uint64_t>(g.vertices) + g.edges());
    for (std::size_t n = 0; n < sources && g.vertices > 0; ++n)
      all.sources.push_back(static_cast<vertex>(random.below(g.vertices)));
    return {std::move(g), std::move(all)};
  }
  static std::vector<levels> capture(const graph&, s all) { return all.found; }
  static bool agree(const std::vector<levels>& expected, const std::vector<levels>& result) {
    return expected == result;
  }
};

}  // namespace bfs

int main(int count, char** words) { return examples::run_program<bfs::example>(count, words); }
