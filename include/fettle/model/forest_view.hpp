// forest_view: decision trees of expected costs, by pointers into tables that it does not own: a
// model file's content, or an embedded model's constants. One tree is a forest of one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::model {

class forest_predictor;

/// One node. A split sends an input with t <= threshold to `left`, any other to `right`; node
/// numbers count through all trees. A leaf has leaf == true, its costs at costs[left * classes],
/// and in `right` the class that is cheapest (the first of equals).
struct tree_node {
  double threshold = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint16_t input = 0;
  bool leaf = false;

  friend constexpr bool operator==(const tree_node&, const tree_node&) = default;

  /// The members, as the tuner sees an element of a table.
  [[nodiscard]] constexpr auto members() const {
    return std::tuple(threshold, left, right, input, leaf);
  }
};

struct forest_view {
  std::uint32_t trees = 0;
  std::uint32_t classes = 0;
  std::uint32_t inputs = 0;
  const std::uint32_t* roots = nullptr;  ///< [trees] node numbers
  const tree_node* nodes = nullptr;
  const double* costs = nullptr;  ///< [leaves][classes] expected cost of each class
};

/// The tables of an embedded forest, as the generated header writes them.
template <std::size_t Trees, std::size_t Nodes, std::size_t Leaves, std::size_t Classes,
          std::size_t Inputs>
struct forest_constants {
  using predictor = forest_predictor;
  static constexpr std::size_t classes = Classes;

  std::array<std::uint32_t, Trees> roots;
  std::array<tree_node, Nodes> nodes;
  std::array<double, Leaves * Classes> costs;

  /// Points at this object, which must outlive the view.
  [[nodiscard]] constexpr forest_view view() const noexcept {
    return {static_cast<std::uint32_t>(Trees),
            static_cast<std::uint32_t>(Classes),
            static_cast<std::uint32_t>(Inputs),
            roots.data(),
            nodes.data(),
            costs.data()};
  }
};

}  // namespace fettle::model
