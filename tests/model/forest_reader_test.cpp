#include <string>
#include <string_view>

#include <fettle/model/forest_reader.hpp>

#include "support/catch.hpp"

using namespace fettle::model;

namespace {

const std::string good =
    "fettle-trees 1\ntrees 2 classes 3 inputs 2\n"
    "tree 5\nsplit 0 3.75 1 4\nsplit 1 -2 2 3\nleaf 1 0.5 0.5\nleaf 0 1 2\nleaf 3 2 1\n"
    "tree 1\nleaf 0.25 0 -1\n";

std::string with(std::string_view from, std::string_view to) {
  std::string text = good;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string message(const std::string& text, std::size_t most_trees = 100) {
  try {
    static_cast<void>(detail::read_forest("model.tree", text, 2, 3, most_trees));
  } catch (const fettle::error& caught) {
    return caught.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("trees are read into one table of nodes") {
  const detail::forest_content trees = detail::read_forest("model.tree", good, 2, 3, 2);
  CHECK(trees.roots == std::vector<std::uint32_t>{0, 5});
  CHECK(trees.nodes == std::vector<tree_node>{{3.75, 1, 4, 0, false},
                                              {-2, 2, 3, 1, false},
                                              {0, 0, 1, 0, true},  // ties go to the first class
                                              {0, 1, 0, 0, true},
                                              {0, 2, 2, 0, true},
                                              {0, 3, 2, 0, true}});
  CHECK(trees.costs == std::vector<double>{1, 0.5, 0.5, 0, 1, 2, 3, 2, 1, 0.25, 0, -1});
  CHECK(trees.view().trees == 2);
}

TEST_CASE("what is wrong with trees is said, with the line") {
  const auto [text, expected] = GENERATE(table<std::string, std::string>({
      {"", "line 1: the file ends where 'fettle-trees' should be"},
      {"hello\n", "line 1: 'hello' where 'fettle-trees' should be"},
      {with("trees 1", "trees 2"), "line 1: the trees are of version 2"},
      {with("trees 2 classes", "trees 3 classes"), "the file ends where 'tree' should be"},
      {with("trees 2 classes", "trees 0 classes"), "line 2: the number of trees is 0"},
      {with("trees 2 classes", "trees 1 classes"), "line 9: there is more after the end"},
      {with("classes 3", "classes 4"), "line 2: the trees are for 4 classes and 2 inputs"},
      {with("inputs 2", "inputs 1"), "line 2: the trees are for 3 classes and 1 inputs"},
      {with("inputs 2", "inputs 65"), "line 2: the number of inputs is 65"},
      {with("tree 5", "tree 4"), "line 4: the right child is 4, but must be within 1 and 3"},
      {with("tree 5", "tree 6"), "line 9: node 5 is not a node's child"},
      {with("tree 5", "tree 0"), "line 3: the number of nodes is 0"},
      {with("tree 5", "tree 4000000000"), "line 3: the number of nodes is 4000000000"},
      {with("tree 5", "tree 10000000"), "line 9: node 5 is not a node's child"},
      {with("0 3.75 1 4", "0 3.75 0 4"), "line 4: the left child is 0"},  // a cycle
      {with("1 -2 2 3", "1 -2 0 3"), "line 5: the left child is 0"},
      {with("1 -2 2 3", "1 -2 2 2"), "line 5: node 2 has two parents"},
      {with("1 -2 2 3", "1 -2 2 4"), "line 5: node 4 has two parents"},
      {with("0 3.75 1 4", "0 3.75 2 4"), "line 5: node 1 is not a node's child"},
      {with("0 3.75 1 4", "0 3.75 1 5"), "line 4: the right child is 5"},
      {with("0 3.75 1 4", "2 3.75 1 4"), "line 4: an input is 2"},
      {with("0 3.75 1 4", "-1 3.75 1 4"), "line 4: '-1' is not a number of the right kind"},
      {with("0 3.75 1 4", "0 nan 1 4"), "line 4: 'nan' is not a finite number for a threshold"},
      {with("0 3.75 1 4", "0 3.75 1"), "line 4: the right child is missing"},
      {with("0 3.75 1 4", "0 3.75 1 4 5"), "line 4: there is '5' too much"},
      {with("leaf 3 2 1", "leaf 3 2"), "line 8: a cost is missing"},
      {with("leaf 3 2 1", "leaf 3 2 inf"), "line 8: 'inf' is not a finite number for a cost"},
      {with("leaf 3 2 1", "leaf 3 2 1 0"), "line 8: there is '0' too much"},
      {with("leaf 3 2 1", "split 0 1 2 3"), "line 8: the last node must be a leaf"},
      {with("leaf 3 2 1", "twig 3 2 1"), "line 8: 'twig' is neither split nor leaf"},
      {good + "x\n", "line 11: there is more after the end"},
  }));
  INFO(text);
  const std::string said = message(text);
  INFO(said);
  CHECK(said.find(expected) != std::string::npos);
  CHECK(said.starts_with("'model.tree' line "));
  CHECK(said.ends_with("; run the tuning script again"));
}

TEST_CASE("a tree is one, a forest several") {
  CHECK(message(good, 1).find("the number of trees is 2, but must be within 1 and 1") !=
        std::string::npos);
}

TEST_CASE("trees without inputs may only be leaves") {
  const std::string header = "fettle-trees 1\ntrees 1 classes 1 inputs 0\n";
  CHECK(detail::read_forest("f", header + "tree 1\nleaf 0\n", 0, 1, 1).nodes.size() == 1);
  CHECK_THROWS_AS(
      detail::read_forest("f", header + "tree 3\nsplit 0 1 1 2\nleaf 0\nleaf 0\n", 0, 1, 1),
      fettle::error);
}

TEST_CASE("every prefix of a file of a forest is refused") {
  for (std::size_t size = 0; size < good.size(); ++size) {
    CHECK(message(good.substr(0, size)) != "no error");
  }
}
