#include <atomic>
#include <chrono>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>
#include <unistd.h>

#include <fettle/model/model_directory.hpp>

#include "support/catch.hpp"
#include "support/comma_locale.hpp"
#include "support/scratch.hpp"
#include "support/skip.hpp"

using namespace fettle::model;
namespace fs = std::filesystem;

namespace {

const fs::path golden = fs::path(FETTLE_SOURCE_DIR) / "tests" / "model" / "golden";

std::string content_of(const fs::path& path) { return fettle::read_file(path.string()); }

void write(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

/// A copy of a golden model that a test may break.
struct breakable {
  test::scratch folder;
  fs::path path = folder / "spmv";

  explicit breakable(const char* kind) {
    fs::copy(golden / kind / "spmv", path, fs::copy_options::recursive);
  }

  [[nodiscard]] std::string message() const {
    try {
      static_cast<void>(load_model_directory(path.string()));
    } catch (const fettle::error& caught) {
      return caught.what();
    }
    return "no error";
  }
};

std::string hexadecimal(std::uint32_t value) {
  char buffer[9];
  std::snprintf(buffer, sizeof buffer, "%08x", value);
  return buffer;
}

/// `description` with a right checksum at its end.
std::string sealed(const std::string& description) {
  const std::string head = description.substr(0, description.rfind("end "));
  return head + "end " + hexadecimal(fettle::crc32(head)) + "\n";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a machine's directory is loaded with all that it says") {
  const loaded_model model = load_model_directory((golden / "svm" / "spmv").string());
  CHECK(model.function == "spmv");
  CHECK(model.classifier == "svm");
  CHECK(model.variants == std::vector<std::string>{"csr", "dia", "ell, padded"});
  CHECK(model.features == std::vector<std::string>{"nnz", "rows", "unused one", "width"});
  CHECK(model.used_features == std::vector<bool>{true, true, false, false});
  CHECK(model.default_variant == "csr");
  CHECK(model.inputs == std::vector<model_input>{{transform::log, 0, 0, 4.5, 16.25},
                                                 {transform::log_ratio, 0, 1, 0.125, 5.5}});
  REQUIRE(model.provenance.size() == 3);
  CHECK(model.provenance[0] == std::pair<std::string, std::string>{"share_of_best", "0.973"});
  CHECK(model.provenance[2].second == "two words, one comma");
  CHECK(model.predictor.variants() == 3);
}

TEST_CASE("golden decisions") {
  struct expectation {
    const char* kind;
    double nnz, rows;
    decision made;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const expectation golden_decisions[] = {
      {"svm", 1000, 100, {2, true}},     {"svm", 100, 80, {2, true}},
      {"svm", 3.2e7, 4e6, {1, true}},    {"svm", 1e30, 1e4, {2, false}},
      {"tree", 1000, 100, {1, true}},    {"tree", 42, 10, {2, true}},
      {"tree", 1000, 0, {1, false}},     {"tree", nan, 10, {1, false}},
      {"forest", 1000, 100, {1, true}},  {"forest", 40, 10, {0, true}},
      {"constant", nan, nan, {0, true}},
  };
  for (const expectation& e : golden_decisions) {
    const loaded_model model = load_model_directory((golden / e.kind / "spmv").string());
    const double features[] = {e.nnz, e.rows, nan, nan};
    const decision made = model.predictor.decide(std::span(features, model.features.size()));
    INFO(e.kind << ' ' << e.nnz << ' ' << e.rows << " -> " << made.variant << ' ' << made.inside);
    CHECK(made == e.made);
  }
}

TEST_CASE("what is wrong with a description is said, with file, line and remedy") {
  using change = std::function<std::string(std::string)>;
  const auto swap = [](const char* from, const char* to) {
    return change([=](const std::string& text) { return sealed(replaced(text, from, to)); });
  };
  const auto cut = [](std::size_t size) {
    return change([=](const std::string& text) { return text.substr(0, size); });
  };
  const std::vector<std::pair<change, std::string>> cases{
      {cut(0), "line 1: the file ends where 'fettle-model' should be"},
      {cut(40), "line 3: the file ends in the middle of a line: it is truncated"},
      {cut(44), "line 4: the file ends where 'end' should be: it is truncated"},
      {[](auto) { return std::string("\x7f\x45\x4c\x46\x00\x01\n", 7); },
       "line 1: this is not a model description"},
      {swap("fettle-model 1", "fettle-model 5"), "line 1: the model is of version 5"},
      {swap("fettle-model 1", "fettle-model one"), "line 1: 'one' is not a number"},
      {[](const std::string& text) { return replaced(text, "csr", "coo"); },
       "line 14: the checksum does not match"},
      {[](const std::string& text) { return replaced(text, "end ", "end x"); },
       "line 14: the checksum does not match"},
      {[](const std::string& text) { return text + "\n"; }, "line 15: there is more after the end"},
      {swap("function spmv\n", ""), "there is no line 'function'"},
      {swap("function spmv\n", "function spmv\nfunction spmv\n"), "line 3: there are two lines"},
      {swap("function spmv\n", "function\n"), "line 2: the function's name is missing"},
      {swap("function spmv\n", "function spmv 2\n"), "line 2: there is '2' too much"},
      {swap("classifier svm", "classifier knn"),
       "line 3: the classifier 'knn' is none of tree, forest and svm"},
      {swap("classifier svm", "classifier tree"), "'model.svm' is not a name of a file"},
      {swap("variants csr dia", "variants csr csr"), "line 4: 'csr' is twice among the variants"},
      {swap("variants csr dia ell%2C%20padded", "variants"), "there is no line 'variants'"},
      {swap("%2C", "%2"), "line 4: 'ell%2%20padded' is a broken escape in variants"},
      {swap("default csr", "default coo"), "the default 'coo' is none of the variants"},
      {swap("features nnz", "feature nnz"), "line 6: 'feature' is not a key"},
      {swap("input log nnz", "input exp nnz"), "line 7: 'exp' is none of linear, log, ratio"},
      {swap("input log nnz", "input log nz"), "line 7: 'nz' is none of the features"},
      {swap("4.5 16.25", "16.25 4.5"), "line 7: an input's range is not from low to high"},
      {swap("4.5 16.25", "-1e308 1e308"), "line 7: an input's range is not from low to high"},
      {swap("4.5 16.25", "4.5 nan"), "line 7: 'nan' is not a finite number"},
      {swap("4.5 16.25", "4.5"), "line 7: the high end of an input is missing"},
      {swap("4.5 16.25", "4.5 16.25 17"), "line 7: there is '17' too much"},
      {swap("guard 0.25", "guard -0.25"), "line 9: the guard is -0.25"},
      {swap("guard 0.25", "guard inf"), "line 9: the guard is inf"},
      {swap("guard 0.25", "guard nan"), "line 9: the guard is nan"},
      {swap("guard 0.25", "guard"), "line 9: the guard is missing"},
      {swap("model.svm", "../model.svm"), "'../model.svm' is not a name of a file"},
      {swap("e731a6a1 175", "e731a6a 175"), "line 10: 'e731a6a' is not a checksum"},
      {swap("e731a6a1 175", "e731a6a1 -1"), "line 10: '-1' is not a number of the right kind"},
      {swap("e731a6a1 175", "e731a6a1 174"), "model.svm' has 175 bytes, but"},
      {swap("e731a6a1 175", "e731a6a2 175"), "model.svm' does not match the checksum in"},
      {swap("provenance trained", "provenance"), "no error"},  // a name without a value
      {swap("provenance trained 2026", "provenance trained 20 26"), "line 12: there is '26"},
  };
  for (const auto& [breaks, expected] : cases) {
    const breakable model("svm");
    write(model.path / "model.txt", breaks(content_of(model.path / "model.txt")));
    const std::string said = model.message();
    INFO("expected: " << expected << "\nsaid: " << said);
    CHECK(said.find(expected) != std::string::npos);
    if (expected == "no error") continue;
    CHECK(said.find(model.path.string()) != std::string::npos);
    CHECK(said.ends_with("; run the tuning script again"));
  }
}

TEST_CASE("too many names and inputs are refused") {
  const breakable model("constant");
  const std::string text = content_of(model.path / "model.txt");
  std::string names = "features";
  for (int i = 0; i < 65; ++i) names += " f" + fettle::number_text(i);
  write(model.path / "model.txt", sealed(replaced(text, "features", names)));
  CHECK(model.message().find("line 6: there are more than 64 features") != std::string::npos);
  std::string inputs = "features f\n";
  for (int i = 0; i < 65; ++i) inputs += "input linear f 0 1\n";
  write(model.path / "model.txt", sealed(replaced(text, "features\n", inputs)));
  CHECK(model.message().find("line 71: there are more than 64 inputs") != std::string::npos);
  std::string variants = "variants";
  for (int i = 0; i < 1025; ++i) variants += " v" + fettle::number_text(i);
  write(model.path / "model.txt", sealed(replaced(text, "variants", variants)));
  CHECK(model.message().find("line 4: there are more than 1024 variants") != std::string::npos);
}

TEST_CASE("a predictor that was changed, cut or is of another training is refused") {
  for (const char* kind : {"svm", "tree"}) {
    const breakable model(kind);
    const fs::path file = model.path / (kind == std::string("svm") ? "model.svm" : "model.tree");
    const std::string content = content_of(file);
    write(file, content.substr(0, content.size() / 2));
    CHECK(model.message().find("it is truncated or of another training") != std::string::npos);
    std::string flipped = content;
    flipped[content.size() / 2] ^= 1;
    write(file, flipped);
    CHECK(model.message().find("does not match the checksum") != std::string::npos);
    fs::remove(file);
    CHECK(model.message().find("cannot open '" + file.string() + "'") != std::string::npos);
  }
}

TEST_CASE("a predictor that is broken behind a right checksum is refused") {
  const breakable model("tree");
  const std::string broken = "fettle-trees 1\ntrees 1 classes 3 inputs 2\ntree 1\nleaf 0 1\n";
  write(model.path / "model.tree", broken);
  write(model.path / "model.txt",
        sealed(replaced(
            content_of(model.path / "model.txt"), "ba1a8f8f 92",
            hexadecimal(fettle::crc32(broken)) + " " + fettle::number_text(broken.size()))));
  CHECK(model.message() == "'" + (model.path / "model.tree").string() +
                               "' line 4: a cost is missing; run the tuning script again");
}

TEST_CASE("a model that is replaced all the time is loaded, whatever goes with the old one") {
  const breakable model("tree");
  const std::string predictor = content_of(model.path / "model.tree");
  const std::string text = content_of(model.path / "model.txt");
  // Replaced as often as it can be loaded, however slow a sanitizer makes that.
  constexpr int loads = 100;
  const auto began = std::chrono::steady_clock::now();
  for (int load = 0; load < loads; ++load) REQUIRE(model.message() == "no error");
  const std::chrono::duration<double> pace = (std::chrono::steady_clock::now() - began) / loads;
  std::atomic<bool> done = false;
  std::thread writer([&] {
    fs::path last = model.path / "model.tree";
    for (int number = 0; !done; ++number) {
      const std::string name = "model-" + fettle::number_text(number) + ".tree";
      write(model.path / name, predictor);
      write(model.path / "new", sealed(replaced(text, "model.tree", name)));
      fs::rename(model.path / "new", model.path / "model.txt");
      fs::remove(last);
      last = model.path / name;
      std::this_thread::sleep_for(pace);
    }
  });
  int failed = 0;
  for (int load = 0; load < 2000; ++load) failed += model.message() == "no error" ? 0 : 1;
  done = true;
  writer.join();
  CHECK(failed == 0);
}

TEST_CASE("missing, unreadable, and not a file at all") {
  const breakable model("svm");
  const fs::path file = model.path / "model.txt";
  fs::remove(file);
  CHECK(model.message() == "cannot open '" + file.string() +
                               "': No such file or directory; run the tuning script again");
  fs::create_directory(file);
  CHECK(model.message() ==
        "cannot read '" + file.string() + "': Is a directory; run the tuning script again");
  fs::remove(file);
  write(file, "x");
  fs::permissions(file, fs::perms::none);
  const bool root = geteuid() == 0;  // root may read everything, so another user does
  if (!root || seteuid(65534) == 0) {
    const std::string message = model.message();
    if (root) REQUIRE(seteuid(0) == 0);
    CHECK(message.find("Permission denied") != std::string::npos);
  } else {
    test::left_out("a file without permission, since this root cannot be anybody else");
  }
  CHECK_THROWS_AS(load_model_directory(""), fettle::error);
  CHECK_THROWS_AS(load_model_directory(std::string(100000, 'x')), fettle::error);
}

TEST_CASE("the program's locale changes nothing") {
  {
    const test::comma_locale commas;
    CHECK(load_model_directory((golden / "svm" / "spmv").string()).inputs[0].high == 16.25);
  }
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.utf8", "C.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    const loaded_model model = load_model_directory((golden / "svm" / "spmv").string());
    CHECK(model.inputs[0].high == 16.25);
    CHECK(std::string(std::setlocale(LC_ALL, nullptr)) == name);
  }
  std::setlocale(LC_ALL, before.c_str());
}
