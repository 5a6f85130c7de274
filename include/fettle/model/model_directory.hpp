// load_model_directory: from the directory that the tuning script wrote to a model that selects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/crc32.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/file.hpp>
#include <fettle/model/description_reader.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/loaded_model.hpp>
#include <fettle/model/predictor.hpp>

namespace fettle::inline FETTLE_ABI::model {

namespace detail {

[[nodiscard]] std::string read_model_file(const std::string& path, std::size_t most);

/// Which features the inputs of a model read, and those of its error model.
[[nodiscard]] std::vector<bool> used_features(std::size_t features,
                                              std::span<const model_input> inputs,
                                              std::span<const model_input> error_inputs = {});

/// A model from the texts of its two files, called `file` and `predictor_file`.
[[nodiscard]] loaded_model assemble(description model, const std::string& predictor_file,
                                    std::string_view predictor_text);

/// The text of a directory's model.txt.
[[nodiscard]] inline std::string read_description(const std::string& directory) {
  return read_model_file(directory + "/model.txt", maximum_description_size);
}

/// What the files of a model directory say, without the models that refine it.
struct model_files {
  description model;
  std::string predictor_file;
  std::string predictor_text;
};

/// The files of the directory `path`, whose model.txt holds `text`; `expected` is the checksum that
/// `text` has to have.
[[nodiscard]] model_files read_model_files(const std::string& path, std::string_view text,
                                           std::optional<std::uint32_t> expected = {});

/// The model of these files, without those that refine it; `refinements` receives what the files
/// say of them.
[[nodiscard]] loaded_model load_one_model(const std::string& path, std::string_view text,
                                          std::vector<described_refinement>& refinements,
                                          std::optional<std::uint32_t> expected = {});

[[nodiscard]] std::shared_ptr<const loaded_model> load_refinement(
    const std::string& path, const described_refinement& described, const loaded_model& refined);

inline constexpr int most_rereads = 16;  // of a description that is replaced all the time

/// The model in a directory, whose model.txt holds `text`, with those that refine it.
[[nodiscard]] loaded_model load_described_model(const std::string& path, std::string_view text);

}  // namespace detail

/// The model in the directory `path`, which holds model.txt and the predictor that it names. Throws
/// fettle::error, naming file, line and remedy, where anything is missing, unreadable, damaged, of
/// another version or contradicts itself; never anything else, but for std::bad_alloc. The models
/// that refine it are read with it. Reads some 50 MB a second; takes memory of a few times the
/// files' size. A model that is replaced meanwhile is read as it was, or as it is then.
[[nodiscard]] loaded_model load_model_directory(const std::string& path);

}  // namespace fettle::model

#ifndef FETTLE_COMPILED
#include <fettle/model/model_directory.ipp>
#endif
