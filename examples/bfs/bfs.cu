// Breadth-first search on a GPU, tuned by Fettle: three orders of expansion and contraction, each
// with a kernel a level and in one persistent kernel, their hybrid, and direction-optimising, from
// the host and in one kernel.
#include <memory>

#include "../support/program.hpp"
#include "device_direction_optimising.cuh"
#include "registration.hpp"
#include "top_down.hpp"

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

inline const graph& host_of(const shared_graph& g) { return g->host; }

struct example : registration<double(const shared_graph&, searches&)> {
  static constexpr double judging_seconds = 0.1;

  static constexpr examples::variant<signature> variants[] = {
      {"contract_expand_fused", rate<fused<contract_expand>>},
      {"contract_expand_iterative", rate<iterative<contract_expand>>},
      {"expand_contract_fused", rate<fused<expand_contract>>},
      {"expand_contract_iterative", rate<iterative<expand_contract>>},
      {"two_phase_iterative", rate<iterative<two_phase>>},
      {"two_phase_fused", rate<fused<two_phase>>},
      {"direction_optimising", rate<direction_optimising>},
      {"hybrid", rate<hybrid>},
      {"direction_optimising_fused", rate<direction_optimising_fused>},
  };

  using g = const shared_graph&;
  using s = const searches&;

  static std::tuple<shared_graph, searches> load(const std::string& input) {
    auto made = std::make_shared<const graph_memory>(load_graph(input));
    searches all{sources_in(made->host), {}, 0};
    return {std::move(made), std::move(all)};
  }
  static constexpr const char* work_unit = "edges";
  /// The edges that the searches of a call go along.
  static double work(g, s all) { return all.edges; }

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
