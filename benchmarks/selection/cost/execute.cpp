// What choosing costs inside execute: a tuned computation with features that take constant time,
// beside the same computation by hand.
#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/model/embedded_model.hpp>
#include <fettle/ndp.hpp>
#include <fettle/ndp/tuned.hpp>

#include "machine_files.hpp"
#include "suite.hpp"

namespace selection_cost {

inline constexpr std::array<std::string_view, 3> row_variants{
    "default", "sequential>sequential", "sequential>sequential num_threads=1"};
inline constexpr std::array<std::string_view, 8> row_features{
    "rows",       "average_row_length",   "elements",     "longest_row", "row_variation",
    "empty_rows", "work_in_longest_rows", "busiest_share"};

/// A machine over rows and average_row_length.
struct row_machine {
  using any = random_machine<3, 50, 2>;
  static constexpr std::string_view function = "by_machine";
  static constexpr std::string_view classifier = "svm";
  static constexpr std::string_view default_variant = "default";
  static constexpr auto variants = row_variants;
  static constexpr auto features = row_features;
  static constexpr auto inputs = any::inputs;
  static constexpr std::optional<double> guard{};
  static constexpr auto provenance = any::provenance;
  static constexpr auto tables = any::tables;
};
struct by_machine {
  static constexpr std::string_view name = "by_machine";
  static constexpr bool strict = true;
  using embedded_model = row_machine;
};
struct by_tree {
  static constexpr std::string_view name = "by_tree";
  static constexpr bool strict = true;
};
/// All variants but the default do the same, so that their time is that of choosing.
using row_candidates = fettle::ndp::candidate_list<
    fettle::ndp::candidate<fettle::ndp::schedule::sequential<fettle::ndp::schedule::sequential<>>,
                           fettle::ndp::openmp::policy{}>,
    fettle::ndp::candidate<fettle::ndp::schedule::sequential<fettle::ndp::schedule::sequential<>>,
                           fettle::ndp::openmp::policy{.num_threads = 1}>>;

}  // namespace selection_cost

// clang-format off
template <> struct fettle::ndp::tuned_computation<"by_machine", fettle::ndp::platform::openmp> {
  using tuning_policy = selection_cost::by_machine;
  using candidates = selection_cost::row_candidates;
  template <typename E> static constexpr void check() {}
};
template <> struct fettle::ndp::tuned_computation<"by_tree", fettle::ndp::platform::openmp> {
  using tuning_policy = selection_cost::by_tree;
  using candidates = selection_cost::row_candidates;
  template <typename E> static constexpr void check() {}
};
// clang-format on

namespace selection_cost {
namespace {

namespace ndp = fettle::ndp;

constexpr std::size_t different_inputs = 16;

struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};

/// A few rows of a few elements: little to compute beside what choosing costs.
struct some_rows {
  std::vector<double> values;
  std::vector<int> offsets{0};
  mutable std::vector<double> sums;

  explicit some_rows(std::size_t i) : values(8 * (i + 1)), sums(4 + i % 4) {
    while (offsets.size() <= sums.size()) {
      offsets.push_back(static_cast<int>(values.size() * offsets.size() / sums.size()));
    }
  }
  auto sum_of_rows() const {
    return ndp::map(row_sum{}, ndp::nest(ndp::make_sequence(values), ndp::make_sequence(offsets)));
  }
};

/// Appends a tree's nodes that split rows and average_row_length in turn; returns their number. It
/// chooses every variant but the default.
std::size_t grow(std::string& out, int depth, std::size_t first) {
  using fettle::number_text;
  if (depth == 0) {
    out += first % 2 == 0 ? "leaf 2 0 1\n" : "leaf 2 1 0\n";
    return 1;
  }
  const std::size_t size = (std::size_t{1} << depth) - 1;  // of a child
  out += "split " + number_text(depth % 2) + " " + number_text(3 * depth) + " " +
         number_text(first + 1) + " " + number_text(first + 1 + size) + "\n";
  grow(out, depth - 1, first + 1);
  grow(out, depth - 1, first + 1 + size);
  return 2 * size + 1;
}

void write_tree(const std::filesystem::path& directory, int depth) {
  std::string nodes;
  const std::size_t count = grow(nodes, depth, 0);
  const std::string tree = "fettle-trees 1\ntrees 1 classes 3 inputs 2\ntree " +
                           fettle::number_text(count) + "\n" + nodes;
  std::string features;
  for (const std::string_view name : row_features) (features += ' ') += name;
  write_model_text(directory / "by_tree",
                   "fettle-model 1\nfunction by_tree\nclassifier tree\nvariants default "
                   "sequential>sequential sequential>sequential%20num_threads%3D1\ndefault "
                   "default\nfeatures" +
                       features +
                       "\ninput linear rows 1 20\ninput linear average_row_length 1 100\n"
                       "guard 0.25\n",
                   "model.tree", tree);
}

template <typename Call>
void add(suite& all, const char* name, const std::vector<some_rows>& inputs, Call call) {
  all.add(
      name,
      [&inputs, call] {
        for (std::size_t i = 0; i < 1024; ++i) call(inputs[i % different_inputs]);
        return static_cast<std::size_t>(inputs[0].sums[0]);
      },
      [&inputs, call](std::size_t i) { call(inputs[i % different_inputs]); });
}

}  // namespace

void add_execute(suite& all) {
  static const std::vector<some_rows> inputs = [] {
    std::vector<some_rows> made;
    for (std::size_t i = 0; i < different_inputs; ++i) made.emplace_back(i);
    return made;
  }();
  const auto folder = std::filesystem::temp_directory_path() / "fettle-selection-cost-execute";
  write_tree(folder, 4);
  ndp::set_tuning_options({.model_directory = folder.string(), .strict = true});

  const ndp::platform::openmp on{};
  all.begin("execute: 3 variants, rows and average_row_length, 16 inputs in turn", 1024, "by hand");
  add(all, "by hand", inputs, [on](const some_rows& rows) {
    ndp::execute(rows.sum_of_rows(), ndp::make_sequence(rows.sums), on,
                 ndp::schedule::sequential<ndp::schedule::sequential<>>{});
  });
  add(all, "untuned", inputs, [on](const some_rows& rows) {
    ndp::execute(rows.sum_of_rows(), ndp::make_sequence(rows.sums), on);
  });
  const auto tree = [on](const some_rows& rows) {
    ndp::execute<"by_tree">(rows.sum_of_rows(), ndp::make_sequence(rows.sums), on);
  };
  tree(inputs[0]);  // reads the model
  add(all, "tuned, tree of depth 4", inputs, tree);
  add(all, "tuned, svm of 50 support vectors, log features", inputs, [on](const some_rows& rows) {
    ndp::execute<"by_machine">(rows.sum_of_rows(), ndp::make_sequence(rows.sums), on);
  });
  std::filesystem::remove_all(folder);
}

}  // namespace selection_cost
