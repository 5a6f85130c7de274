// Breadth-first search on a GPU, tuned by Fettle: three orders of expansion and contraction, each
// with a kernel a level and in one persistent kernel, and direction-optimising.
#include <memory>

#include "../support/program.hpp"
#include "device_search.cuh"
#include "features.hpp"
#include "top_down.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace bfs::device {

using shared_graph = std::shared_ptr<const graph_memory>;

/// The sources of one call, the levels that the searches have found, and the edges that they went
/// along.
struct searches {
  std::vector<vertex> sources;
  std::vector<array<int>> found;
  double edges = 0;
};

/// Searches from every source; returns the traversed edges a second (TEPS), where a source counts
/// as an edge, so that an isolated one has a rate, too.
template <void (*Search)(const graph_memory&, vertex, int*)>
double rate(const shared_graph& g, searches& all) {
  all.found.resize(all.sources.size());
  for (array<int>& levels : all.found)
    if (levels.size() == 0) levels = array<int>(static_cast<std::size_t>(g->host.vertices));
  const double seconds = examples::device::seconds_of_once([&] {
    for (std::size_t n = 0; n < all.sources.size(); ++n)
      Search(*g, all.sources[n], all.found[n].data());
  });
  all.edges = static_cast<double>(1 + all.sources.size());
  for (const array<int>& levels : all.found) all.edges += reached_edges(*g, levels.data());
  return all.edges / std::max(seconds, 1e-9);
}

struct example {
  using signature = double(const shared_graph&, searches&);
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
  static constexpr double judging_seconds = 0.1;

  static constexpr examples::variant<signature> variants[] = {
      {"contract_expand_fused", rate<fused<contract_expand>>},
      {"contract_expand_iterative", rate<iterative<contract_expand>>},
      {"expand_contract_fused", rate<fused<expand_contract>>},
      {"expand_contract_iterative", rate<iterative<expand_contract>>},
      {"two_phase_iterative", rate<iterative<two_phase>>},
      {"two_phase_fused", rate<fused<two_phase>>},
      {"direction_optimising", rate<direction_optimising>},
  };

  using g = const shared_graph&;
  using s = const searches&;
  static constexpr examples::feature<signature> features[] = {
      {"avg_out_deg", [](g all, s) { return mean_degree(all->host); }},
      {"deg_sd", [](g all, s) { return degree_deviation(all->host); }},
      {"max_deviation", [](g all, s) { return largest_deviation(all->host); }},
      {"hub_edges", [](g all, s) { return hub_edges(all->host); }},
      {"vertices", [](g all, s) { return double(all->host.vertices); }},
      {"edges", [](g all, s) { return double(all->host.edges()); }},
  };

  static std::tuple<shared_graph, searches> load(const std::string& input) {
    auto made = std::make_shared<const graph_memory>(load_graph(input));
    searches all;
    spmv::random_numbers random(static_cast<std::uint64_t>(made->host.vertices) +
                                made->host.edges());
    for (std::size_t n = 0; n < sources && made->host.vertices > 0; ++n)
      all.sources.push_back(static_cast<vertex>(random.below(made->host.vertices)));
    return {std::move(made), std::move(all)};
  }
  /// What the judge compares: seconds of the searches, by the events of the rate.
  static double seconds_from(double teps, g, s all) { return all.edges / teps; }

  /// By a queue of the host.
  static std::vector<levels> expected(g all, s wanted) {
    std::vector<levels> found(wanted.sources.size());
    for (std::size_t n = 0; n < found.size(); ++n) top_down(all->host, wanted.sources[n], found[n]);
    return found;
  }
  static std::vector<levels> capture(g, s all) {
    std::vector<levels> copied;
    for (const array<int>& found : all.found) copied.push_back(found.host());
    return copied;
  }
  static bool agree(const std::vector<levels>& wanted, const std::vector<levels>& result) {
    return wanted == result;
  }
};

}  // namespace bfs::device

int main(int count, char** words) {
  return examples::run_program<bfs::device::example>(count, words);
}
