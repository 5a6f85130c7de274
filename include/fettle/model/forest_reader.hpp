// Reads decision trees from the .tree file of a model: the format is in docs/formats.md section 3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/forest_view.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/line_reader.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// Trees and the tables that they consist of.
struct forest_content {
  std::uint32_t classes = 0;
  std::uint32_t inputs = 0;
  std::vector<std::uint32_t> roots;
  std::vector<tree_node> nodes;
  std::vector<double> costs;

  /// Points at this object's tables.
  [[nodiscard]] forest_view view() const noexcept;

  /// What an embedded model calls these tables.
  static constexpr std::string_view constants = "forest_constants";

  /// The template arguments of that.
  [[nodiscard]] std::vector<std::size_t> shape() const {
    return {roots.size(), nodes.size(), costs.size() / classes, classes, inputs};
  }

  /// Calls `visit(name, table)` for the members of that, in their order.
  template <typename Visitor>
  void visit_tables(Visitor&& visit) const {
    visit("roots", roots);
    visit("nodes", nodes);
    visit("costs", costs);
  }
};

/// One tree of `size` nodes. Every node but the root must be the child of exactly one node before
/// it, so that there are neither cycles nor nodes that cannot be reached.
void read_tree(line_reader& lines, std::uint32_t size, forest_content& forest);

/// The trees in `text`, the content of the file called `file`, for `inputs` model inputs and
/// `classes` variants; at most `most_trees`. Throws fettle::error.
[[nodiscard]] forest_content read_forest(const std::string& file, std::string_view text,
                                         std::size_t inputs, std::size_t classes,
                                         std::size_t most_trees);

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/forest_reader.ipp>
#endif
