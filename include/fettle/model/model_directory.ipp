// Definitions of model_directory.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/crc32.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/file.hpp>
#include <fettle/machine/known_machine.hpp>
#include <fettle/model/description_reader.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/loaded_model.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/model/portable.hpp>
#include <fettle/model/predictor.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE std::string read_model_file(const std::string& path, std::size_t most) {
  try {
    return read_file(path, most);
  } catch (const error& problem) {
    throw error(std::string(problem.what()) + "; " + remedy);
  }
}

[[gnu::cold]] FETTLE_INLINE std::vector<bool> used_features(
    std::size_t features, std::span<const model_input> inputs,
    std::span<const model_input> error_inputs) {
  std::vector<bool> used(features, false);
  for (const std::span<const model_input> some : {inputs, error_inputs}) {
    for (const model_input& input : some) {
      used[input.feature] = true;
      if (has_divisor(input.kind)) used[input.divisor] = true;
    }
  }
  return used;
}

[[gnu::cold]] FETTLE_INLINE loaded_model assemble(description model,
                                                  const std::string& predictor_file,
                                                  std::string_view predictor_text) {
  const known_classifier& kind = *find_classifier(model.classifier);  // description_reader knows it
  predictor trained = kind.read({predictor_file, predictor_text, model.classifier, model.inputs,
                                 model.guard, model.variants.size()});
  std::vector<bool> used = used_features(model.features.size(), model.inputs, model.errors.inputs);
  return {std::move(model.function),
          std::move(model.classifier),
          std::move(model.variants),
          std::move(model.features),
          std::move(model.default_variant),
          std::move(used),
          std::move(model.inputs),
          std::move(model.provenance),
          std::move(trained),
          std::move(model.parameters),
          {},
          std::move(model.expectations),
          std::move(model.errors)};
}

[[gnu::cold]] FETTLE_INLINE model_files read_model_files(const std::string& path,
                                                         std::string_view text,
                                                         std::optional<std::uint32_t> expected) {
  const std::string file = path + "/model.txt";
  if (expected && crc32(text) != *expected) {
    throw error("'" + file + "' does not match the checksum in the model that it refines: it was " +
                "damaged, edited or is of another training; " + remedy);
  }
  model_files files;
  files.model = description_reader(file, text).read();
  const description& model = files.model;
  files.predictor_file = path + "/" + model.predictor_file;
  files.predictor_text = read_model_file(files.predictor_file, model.predictor_size + 1);
  if (files.predictor_text.size() != model.predictor_size) {
    throw error("'" + files.predictor_file + "' has " + number_text(files.predictor_text.size()) +
                " bytes, but '" + file + "' says " + number_text(model.predictor_size) +
                ": it is truncated or of another training; " + remedy);
  }
  if (crc32(files.predictor_text) != model.predictor_checksum) {
    throw error("'" + files.predictor_file + "' does not match the checksum in '" + file +
                "': it was damaged, edited or is of another training; " + remedy);
  }
  return files;
}

[[gnu::cold]] FETTLE_INLINE loaded_model load_one_model(
    const std::string& path, std::string_view text, std::vector<described_refinement>& refinements,
    std::optional<std::uint32_t> expected) {
  model_files files = read_model_files(path, text, expected);
  refinements = files.model.refinements;
  if (!files.model.device.empty()) {
    specialise(files.model, files.predictor_file, files.predictor_text,
               features_of_this_machine(files.model.device));
  }
  return assemble(std::move(files.model), files.predictor_file, files.predictor_text);
}

[[gnu::cold]] FETTLE_INLINE std::shared_ptr<const loaded_model> load_refinement(
    const std::string& path, const described_refinement& described, const loaded_model& refined) {
  std::vector<described_refinement> deeper;
  const std::string directory = path + "/" + described.directory;
  const std::string text = read_description(directory);
  auto loaded = std::make_shared<const loaded_model>(
      load_one_model(directory, text, deeper, described.checksum));
  if (loaded->function != refined.function || loaded->features != refined.features ||
      !deeper.empty()) {
    throw error("'" + directory + "/model.txt' does not refine '" + path +
                "/model.txt': it is of another function, of other features or refined itself; " +
                remedy);
  }
  return loaded;
}

[[gnu::cold]] FETTLE_INLINE loaded_model load_described_model(const std::string& path,
                                                              std::string_view text) {
  std::vector<described_refinement> described;
  loaded_model model = load_one_model(path, text, described);
  if (!described.empty()) model.refinements.resize(model.variants.size());
  for (const described_refinement& one : described) {
    const std::size_t index = index_of(one.variant, model.variants);
    model.refinements[index] = load_refinement(path, one, model);
  }
  return model;
}

}  // namespace fettle::model::detail

namespace fettle::inline FETTLE_ABI::model {

[[gnu::cold]] FETTLE_INLINE loaded_model load_model_directory(const std::string& path) {
  std::string text = detail::read_description(path);
  for (int rereads = 0;; ++rereads) {
    try {
      return detail::load_described_model(path, text);
    } catch (const error&) {
      // What a description names goes with the second model after it: is there a newer one?
      std::string now = detail::read_description(path);
      if (now == text || rereads == detail::most_rereads) throw;
      text = std::move(now);
    }
  }
}

}  // namespace fettle::model
