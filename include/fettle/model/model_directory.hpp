// load_model_directory: from the directory that the tuning script wrote to a model that selects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/crc32.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/file.hpp>
#include <fettle/model/description_reader.hpp>
#include <fettle/model/forest_reader.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/loaded_model.hpp>
#include <fettle/model/svm_reader.hpp>

namespace fettle::model {

namespace detail {

/// Room for `count` doubles, aligned to 64 bytes.
class aligned_doubles {
 public:
  explicit aligned_doubles(std::size_t count) : room_(count + 7), count_(count) {}

  [[nodiscard]] std::span<double> get() noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(room_.data());
    return {room_.data() + (64 - address % 64) % 64 / sizeof(double), count_};
  }

 private:
  std::vector<double> room_;
  std::size_t count_;
};

/// What a predictor of a file's machine shares.
struct owned_svm {
  svm_content content;
  aligned_doubles lanes;

  explicit owned_svm(svm_content machine)
      : content(std::move(machine)),
        lanes(lane_storage(content.labels.size(), content.class_begin.back(), content.inputs)) {}
};

/// What a predictor of a file's trees shares.
struct owned_forest {
  forest_content content;
  std::vector<split_node> splits;

  explicit owned_forest(forest_content trees)
      : content(std::move(trees)), splits(content.nodes.size()) {}
};

[[nodiscard]] inline std::string read_model_file(const std::string& path) {
  try {
    return read_file(path, maximum_file_size);
  } catch (const error& problem) {
    throw error(std::string(problem.what()) + "; " + remedy);
  }
}

[[nodiscard]] inline predictor make_predictor(const description& model, const std::string& file,
                                              std::string_view text) {
  if (model.classifier == "svm") {
    const auto owned = std::make_shared<owned_svm>(
        read_svm(file, text, model.inputs.size(), model.variants.size()));
    return {model.inputs,          model.guard,        model.variants.size(),
            owned->content.view(), owned->lanes.get(), owned};
  }
  const std::size_t most_trees = model.classifier == "tree" ? 1 : maximum_nodes;
  const auto owned = std::make_shared<owned_forest>(
      read_forest(file, text, model.inputs.size(), model.variants.size(), most_trees));
  return {model.inputs,         model.guard,   owned->content.view(),
          owned->content.nodes, owned->splits, owned};
}

[[nodiscard]] inline std::vector<bool> used_features(std::size_t features,
                                                     std::span<const model_input> inputs) {
  std::vector<bool> used(features, false);
  for (const model_input& input : inputs) {
    used[input.feature] = true;
    if (has_divisor(input.kind)) used[input.divisor] = true;
  }
  return used;
}

/// A model from the texts of its two files, called `file` and `predictor_file`.
[[nodiscard]] inline loaded_model assemble(description model, const std::string& predictor_file,
                                           std::string_view predictor_text) {
  predictor trained = make_predictor(model, predictor_file, predictor_text);
  std::vector<bool> used = used_features(model.features.size(), model.inputs);
  return {std::move(model.function), std::move(model.classifier),      std::move(model.variants),
          std::move(model.features), std::move(model.default_variant), std::move(used),
          std::move(model.inputs),   std::move(model.provenance),      std::move(trained)};
}

}  // namespace detail

/// The model in the directory `path`, which holds model.txt and the predictor that it names. Throws
/// fettle::error, naming file, line and remedy, where anything is missing, unreadable, damaged, of
/// another version or contradicts itself; never anything else, but for std::bad_alloc. Reads some
/// 50 MB a second; takes memory of a few times the files' size.
[[nodiscard]] inline loaded_model load_model_directory(const std::string& path) {
  const std::string file = path + "/model.txt";
  const std::string text = detail::read_model_file(file);
  detail::description model = detail::description_reader(file, text).read();
  const std::string predictor_file = path + "/" + model.predictor_file;
  const std::string predictor = detail::read_model_file(predictor_file);
  if (predictor.size() != model.predictor_size) {
    throw error("'" + predictor_file + "' has " + number_text(predictor.size()) + " bytes, but '" +
                file + "' says " + number_text(model.predictor_size) +
                ": it is truncated or of another training; " + detail::remedy);
  }
  if (crc32(predictor) != model.predictor_checksum) {
    throw error("'" + predictor_file + "' does not match the checksum in '" + file +
                "': it was damaged, edited or is of another training; " + detail::remedy);
  }
  return detail::assemble(std::move(model), predictor_file, predictor);
}

}  // namespace fettle::model
