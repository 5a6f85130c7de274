// Small model directories for tests of selection: one split on one feature, written as the format
// page says (docs/formats.md, section 3).
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <fettle/core/crc32.hpp>

#include "support/scratch.hpp"

namespace test {

inline std::string checksum(const std::string& text) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(fettle::crc32(text)));
  return digits;
}

/// What a test may say of its model; the first input of `features` is split at `threshold`.
struct split_model {
  std::string function = "f";
  std::vector<std::string> variants{"low", "high"};
  std::vector<std::string> features{"x"};
  double threshold = 10.0;
  double range_low = 0.0;
  double range_high = 100.0;
  std::string guard = "0.25";
  /// Expected costs of each variant where x <= threshold, and beyond.
  std::vector<double> below{0.0, 1.0};
  std::vector<double> above{1.0, 0.0};
  std::string folder{};                ///< within the directory; empty: the function's name
  std::vector<std::string> further{};  ///< lines of versions 2 to 4; by these the version
};

inline std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += " " + name;
  return text;
}

inline std::string leaf(const std::vector<double>& costs) {
  std::string text = "leaf";
  for (const double cost : costs) text += " " + std::to_string(cost);
  return text + "\n";
}

/// Writes <directory>/<function>/ and returns the text of its model.txt.
inline std::string write_model(const std::string& directory, const split_model& model) {
  const std::string classes = std::to_string(model.variants.size());
  const std::string tree = "fettle-trees 1\ntrees 1 classes " + classes + " inputs 1\ntree 3\n" +
                           "split 0 " + std::to_string(model.threshold) + " 1 2\n" +
                           leaf(model.below) + leaf(model.above);
  std::string version = model.further.empty() ? "1" : "2";
  for (const std::string& line : model.further) {
    if (line.starts_with("expect ") || line.starts_with("device ")) version = "3";
    if (line.starts_with("approximate ")) version = "4";
  }
  std::string text = "fettle-model " + version + "\nfunction " + model.function +
                     "\nclassifier tree\nvariants" + joined(model.variants) + "\ndefault " +
                     model.variants.front() + "\nfeatures" + joined(model.features) +
                     "\ninput linear " + model.features.front() + " " +
                     std::to_string(model.range_low) + " " + std::to_string(model.range_high) +
                     "\nguard " + model.guard + "\npredictor model.tree " + checksum(tree) + " " +
                     std::to_string(tree.size()) + "\nprovenance inputs 4\n";
  for (const std::string& line : model.further) text += line + "\n";
  text += "end " + checksum(text) + "\n";
  const std::string folder =
      directory + "/" + (model.folder.empty() ? model.function : model.folder);
  write_text(folder + "/model.tree", tree);
  write_text(folder + "/model.txt", text);
  return text;
}

}  // namespace test
