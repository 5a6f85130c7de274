// Model directories of version 2: parameters of variants, and models that choose among their
// points.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/file.hpp>
#include <fettle/model/model_directory.hpp>

#include "support/catch.hpp"
#include "support/model_files.hpp"

namespace fs = std::filesystem;
using fettle::model::load_model_directory;
using fettle::model::loaded_model;

namespace {

const fs::path golden =
    fs::path(FETTLE_SOURCE_DIR) / "tests" / "model" / "golden" / "refined" / "mm";

std::string message_of(const std::string& directory) {
  try {
    static_cast<void>(load_model_directory(directory));
  } catch (const fettle::error& problem) {
    return problem.what();
  }
  return "no error";
}

/// What loading a copy of the golden model says in which a file's text is changed and sealed anew.
std::string refusal(const std::string& file, const std::string& from, const std::string& to,
                    bool seal = true) {
  const test::scratch folder;
  fs::copy(golden, folder / "mm", fs::copy_options::recursive);
  const std::string path = folder / ("mm/" + file);
  std::string text = fettle::read_file(path, 100000);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  if (seal) {
    text.resize(text.rfind("end "));
    text += "end " + test::checksum(text) + "\n";
  }
  test::write_text(path, text);
  const std::string said = message_of(folder / "mm");
  CHECK(said.ends_with("; run the tuning script again"));
  return said;
}

}  // namespace

TEST_CASE("a refined model is loaded with what refines it") {
  const loaded_model model = load_model_directory(golden.string());
  CHECK(model.variants == std::vector<std::string>{"plain", "tiled"});
  REQUIRE(model.parameters.size() == 1);
  CHECK(model.parameters[0].variant == "tiled");
  REQUIRE(model.parameters[0].parameters.size() == 2);
  CHECK(model.parameters[0].parameters[0].first == "tile");
  CHECK(model.parameters[0].parameters[0].second == std::vector<std::int64_t>{16, 32, 64});
  CHECK(model.parameters[0].parameters[1].second == std::vector<std::int64_t>{1, 2, 4});
  REQUIRE(model.refinements.size() == 2);
  CHECK(model.refinements[0] == nullptr);
  REQUIRE(model.refinements[1] != nullptr);
  const loaded_model& below = *model.refinements[1];
  CHECK(below.variants ==
        std::vector<std::string>{"tiled tile=16 unroll=4", "tiled tile=64 unroll=2"});
  CHECK(below.used_features == std::vector<bool>{false, true});
  CHECK(model.predictor.decide(std::vector<double>{5.0, 30.0}).variant == 0);
  CHECK(model.predictor.decide(std::vector<double>{50.0, 30.0}).variant == 1);
  CHECK(below.predictor.decide(std::vector<double>{50.0, 10.0}).variant == 0);
  CHECK(below.predictor.decide(std::vector<double>{50.0, 30.0}).variant == 1);
}

TEST_CASE("what is wrong with parameters and refinements is said") {
  const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> cases{
      {{"fettle-model 2", "fettle-model 1"}, "line 11: 'parameters' is not a key"},
      {{" unroll=1,2,4", " unroll="}, "line 11: '' is not a whole number"},
      {{" unroll=1,2,4", " unroll=1,,4"}, "line 11: '' is not a whole number"},
      {{" unroll=1,2,4", " unroll=1,2x"}, "line 11: '2x' is not a whole number"},
      {{" unroll=1,2,4", " unroll"}, "line 11: 'unroll' is not a parameter with its values"},
      {{" unroll=1,2,4", " =1"}, "line 11: '=1' is not a parameter with its values"},
      {{" unroll=1,2,4", " tile=1"}, "line 11: 'tile' is twice among the parameters"},
      {{" tile=16,32,64 unroll=1,2,4", ""}, "line 11: the variant's parameters are missing"},
      {{"refine tiled points-1", "refine tiled ../mm"},
       "line 12: '../mm' is not a name of a directory"},
      {{"refine tiled points-1", "refine tiled ."}, "line 12: '.' is not a name of a directory"},
      {{"refine tiled points-1", "refine tiled points-2"}, "points-2/model.txt"},
      {{"refine tiled points-1 6", "refine tiled points-1 7"}, "the model that it refines"},
      {{"refine tiled points-1 6", "refine tiled points-1 x"},
       "is not a checksum of 8 hexadecimal"},
      {{"refine tiled", "refine dia"}, "the refinement of 'dia' is of none of the variants"},
      {{"refine tiled points-1 629d7895", "refine tiled points-1 629d7895 x"}, "'x' too much"},
      {{"refine tiled points-1 629d7895\n",
        "refine tiled points-1 629d7895\nrefine tiled points-1 629d7895\n"},
       "line 13: there are two lines 'refine' for 'tiled'"},
  };
  for (const auto& [change, expected] : cases) {
    INFO("to: " << change.second);
    const std::string said = refusal("model.txt", change.first, change.second);
    INFO("expected: " << expected << "\nsaid: " << said);
    CHECK(said.find(expected) != std::string::npos);
  }
}

TEST_CASE("a refinement that is damaged, or of another function, is refused") {
  CHECK(
      refusal("points-1/model.txt", "guard none", "guard 0.5").find("the model that it refines") !=
      std::string::npos);
  CHECK(refusal("points-1/model.tree", "20", "30", false).find("does not match the checksum") !=
        std::string::npos);

  const test::scratch folder;
  test::split_model below;
  below.folder = "f/points-1";
  below.function = "g";
  test::split_model above;
  above.variants = {"low", "high"};
  above.further = {"refine high points-1 " +
                   test::checksum(test::write_model(folder.path(), below))};
  test::write_model(folder.path(), above);
  CHECK(message_of(folder / "f").find("of another function, of other features or refined") !=
        std::string::npos);

  // A refinement of a refinement.
  above.further = {"refine high points-1 00000000"};
  below.function = "f";
  below.further = above.further;
  above.further = {"refine high points-1 " +
                   test::checksum(test::write_model(folder.path(), below))};
  test::write_model(folder.path(), above);
  CHECK(message_of(folder / "f").find("or refined itself") != std::string::npos);
}
