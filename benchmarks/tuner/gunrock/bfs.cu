// Gunrock's breadth-first search on the graphs of examples/bfs: from the same sources, by the same
// rate, in its default configuration (push, balanced by blocks) and in its other ones that apply.
#define __HIP_PLATFORM_NVIDIA__ 1
#define HIP_BACKEND 1
#define SM_TARGET 90
#ifdef __CUDA_ARCH__
// Without this macro of HIP's compilers, which nvcc does not define, kernels run the atomic
// operations that Gunrock has for the host: its minimum stores nothing.
#define __HIP_DEVICE_COMPILE__ 1
#endif
#include <gunrock/algorithms/bfs.hxx>
#include <memory>
#include <thrust/execution_policy.h>
#include <thrust/replace.h>

#include "../../../examples/bfs/device_search.cuh"
#include "../../../examples/bfs/registration.hpp"
#include "../../../examples/bfs/top_down.hpp"
#include "../../../examples/support/program.hpp"

namespace gunrock_bfs {

using bfs::vertex;
using examples::device::array;

constexpr auto on_device = gunrock::memory::memory_space_t::device;
using device_lists = gunrock::format::csr_t<on_device, vertex, int, float>;
using device_graph = decltype(gunrock::graph::build<on_device>(gunrock::graph::graph_properties_t(),
                                                               std::declval<device_lists&>()));
using parameters = gunrock::bfs::param_t<vertex>;
using results = gunrock::bfs::result_t<vertex>;
using search_problem = gunrock::bfs::problem_t<device_graph, parameters, results>;

/// A search that is run many times: Gunrock's own appends the source behind that of the search
/// before, which is read in its place.
struct search_enactor : gunrock::bfs::enactor_t<search_problem> {
  search_enactor(search_problem& wanted,
                 const std::shared_ptr<gunrock::gcuda::multi_context_t>& context)
      : gunrock::bfs::enactor_t<search_problem>(&wanted, context) {}

  void prepare_frontier(frontier_t* first, gunrock::gcuda::multi_context_t& context) override {
    first->sequence(get_problem()->param.single_source, 1, context.get_context(0)->stream());
  }
};

/// The device and the stream of all searches.
inline const std::shared_ptr<gunrock::gcuda::multi_context_t>& context() {
  static const auto made = std::make_shared<gunrock::gcuda::multi_context_t>(0);
  return made;
}

inline device_lists lists_of(const bfs::graph& g) {
  device_lists lists(g.vertices, g.vertices, static_cast<int>(g.edges()));
  lists.row_offsets.assign(g.out.offsets.begin(), g.out.offsets.end());
  lists.column_indices.assign(g.out.targets.begin(), g.out.targets.end());
  return lists;
}

/// A graph in device memory, with the memory of Gunrock's searches in it.
struct prepared_graph {
  explicit prepared_graph(bfs::graph given)
      : example(std::move(given)),
        lists(lists_of(host())),
        view(gunrock::graph::build<on_device>(gunrock::graph::graph_properties_t(), lists)),
        problem(view, wanted, found, context()),
        enactor(problem, context()) {
    problem.init();
    enactor.scanned_work_domain.resize(enactor.frontiers[0].get_capacity() + 1);
  }
  const bfs::graph& host() const { return example.host; }

  void search(vertex source, const gunrock::options_t& options, int* distances) {
    problem.param = parameters(source, options);
    problem.result = results(distances, nullptr);
    problem.reset();
    enactor.enact();
  }

  bfs::device::graph_memory example;  ///< what counts the edges of a search
  device_lists lists;
  device_graph view;
  parameters wanted{0};
  results found{nullptr, nullptr};
  search_problem problem;
  search_enactor enactor;
};
using shared_graph = std::shared_ptr<prepared_graph>;

/// The sources of one call, the levels that the searches have found, and the edges that they went
/// along.
struct searches {
  std::vector<vertex> sources;
  std::vector<array<int>> found;
  double edges = 0;
};

inline gunrock::options_t default_options() { return {}; }

template <gunrock::operators::load_balance_t Balance, bool IsFiltered>
gunrock::options_t options() {
  gunrock::options_t made;
  made.advance_load_balance = Balance;
  made.enable_filter = IsFiltered;
  return made;
}

/// After an error of the device: no later call recovers from some, and measure.py starts the
/// program again without the variant.
inline void end_where_lost() {
  if (cudaDeviceSynchronize() != cudaSuccess) std::_Exit(3);
}

/// As the example's: -1 where a vertex is not reached.
inline void mark_unreached(const array<int>& levels) {
  thrust::replace(thrust::device, levels.data(), levels.data() + levels.size(),
                  std::numeric_limits<vertex>::max(), vertex{-1});
}

/// Searches from every source, which includes that distances are initialised; returns the
/// traversed edges a second, where a source counts as an edge.
template <auto Options>
double rate(const shared_graph& g, searches& all) {
  all.found.resize(all.sources.size());
  for (array<int>& levels : all.found)
    if (levels.size() == 0) levels = array<int>(static_cast<std::size_t>(g->host().vertices));
  double seconds = 0;
  try {
    seconds = examples::device::seconds_of_once([&] {
      for (std::size_t n = 0; n < all.sources.size(); ++n)
        g->search(all.sources[n], Options(), all.found[n].data());
    });
  } catch (...) {
    end_where_lost();
    throw;
  }
  all.edges = static_cast<double>(1 + all.sources.size());
  for (const array<int>& levels : all.found) {
    mark_unreached(levels);
    all.edges += bfs::device::reached_edges(g->example, levels.data());
  }
  return all.edges / std::max(seconds, 1e-9);
}

inline const bfs::graph& host_of(const shared_graph& g) { return g->host(); }

struct example : bfs::registration<double(const shared_graph&, searches&)> {
  struct policy {
    static constexpr std::string_view name = "gunrock_bfs";
    static constexpr bool larger_is_better = true;
  };
  static constexpr const char* name = "gunrock_bfs";
  static constexpr double judging_seconds = 0.1;

  /// Not merge_path_v2, which prints its frontiers.
  using balance = gunrock::operators::load_balance_t;
  static constexpr examples::variant<signature> variants[] = {
      {"gunrock", rate<default_options>},
      {"gunrock_thread_mapped", rate<options<balance::thread_mapped, false>>},
      {"gunrock_merge_path", rate<options<balance::merge_path, false>>},
      {"gunrock_filter", rate<options<balance::block_mapped, true>>},
      {"gunrock_thread_mapped_filter", rate<options<balance::thread_mapped, true>>},
      {"gunrock_merge_path_filter", rate<options<balance::merge_path, true>>},
  };

  using g = const shared_graph&;
  using s = const searches&;

  static std::tuple<shared_graph, searches> load(const std::string& input) {
    auto made = std::make_shared<prepared_graph>(bfs::load_graph(input));
    searches all{sources_in(made->host()), {}, 0};
    return {std::move(made), std::move(all)};
  }
  static constexpr const char* work_unit = "edges";
  /// The edges that the searches of a call go along.
  static double work(g, s all) { return all.edges; }
  static double seconds_from(double teps, g, s all) { return all.edges / teps; }

  /// By a queue of the host.
  static std::vector<bfs::levels> expected(g all, s wanted) {
    std::vector<bfs::levels> found(wanted.sources.size());
    for (std::size_t n = 0; n < found.size(); ++n)
      bfs::top_down(all->host(), wanted.sources[n], found[n]);
    return found;
  }
  static std::vector<bfs::levels> capture(g, s all) {
    std::vector<bfs::levels> copied;
    for (const array<int>& found : all.found) copied.push_back(found.host());
    return copied;
  }
  static bool agree(const std::vector<bfs::levels>& wanted,
                    const std::vector<bfs::levels>& result) {
    return wanted == result;
  }
};

}  // namespace gunrock_bfs

int main(int count, char** words) {
  return examples::run_program<gunrock_bfs::example>(count, words);
}
