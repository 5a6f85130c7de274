// Reads model.txt, the description beside a model's predictor: docs/formats.md section 3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/crc32.hpp>
#include <fettle/model/described_parameters.hpp>
#include <fettle/model/description.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/line_reader.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/predictor.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[nodiscard]] std::optional<std::uint32_t> parse_checksum(std::string_view text) noexcept;

/// The next word of a line; `what` it is, where there is none. Throws fettle::error.
[[nodiscard]] std::uint32_t read_checksum(line_reader& lines, const char* what);

class description_reader {
 public:
  description_reader(const std::string& file, std::string_view text)
      : text_(text), lines_(file, text) {}

  /// Throws fettle::error.
  description read();

 private:
  void read_version();

  void read_entry(std::string_view key);

  void read_names(std::vector<std::string>& names, std::size_t most, const char* what);

  void read_input(std::vector<model_input>& inputs);

  std::uint16_t read_feature();

  void read_predictor();

  described_refinement read_refinement();

  /// One line a variant.
  template <typename Entry>
  void add_once(std::vector<Entry>& all, Entry found, std::string_view key) {
    for (const Entry& other : all) {
      if (other.variant == found.variant) {
        lines_.fail("there are two lines '" + std::string(key) + "' for " +
                    detail::quoted(found.variant));
      }
    }
    if (all.size() == maximum_classes) {
      lines_.fail("there are more than " + number_text(maximum_classes) + " lines '" +
                  std::string(key) + "'");
    }
    all.push_back(std::move(found));
  }

  void check_end(std::string_view key);

  void check_complete() const;

  void once(bool& seen, const char* key);

  std::string_view text_;
  line_reader lines_;
  description model_;
  std::uint32_t version_ = 0;
  const known_classifier* kind_ = nullptr;
  bool function_ = false;
  bool variants_ = false;
  bool default_ = false;
  bool features_ = false;
  bool guard_ = false;
  bool predictor_ = false;
  bool bound_ = false;
};

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/description_reader.ipp>
#endif
