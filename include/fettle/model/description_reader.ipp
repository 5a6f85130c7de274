// Definitions of description_reader.hpp.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/crc32.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/described_parameters.hpp>
#include <fettle/model/description_of_errors.hpp>
#include <fettle/model/description_of_machines.hpp>
#include <fettle/model/description_reader.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/line_reader.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/predictor.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE std::optional<std::uint32_t> parse_checksum(
    std::string_view text) noexcept {
  std::uint32_t value = 0;
  const char* const last = text.data() + text.size();
  const std::from_chars_result end = std::from_chars(text.data(), last, value, 16);
  if (text.size() != 8 || end.ec != std::errc{} || end.ptr != last) return std::nullopt;
  return value;
}

[[gnu::cold]] FETTLE_INLINE std::uint32_t read_checksum(line_reader& lines, const char* what) {
  const std::string_view text = lines.word(what);
  const std::optional<std::uint32_t> value = parse_checksum(text);
  if (!value) lines.fail(detail::quoted(text) + " is not a checksum of 8 hexadecimal digits");
  return *value;
}

[[gnu::cold]] FETTLE_INLINE description description_reader::read() {
  read_version();
  bool ended = false;
  while (!ended) {
    lines_.require_line("'end'");
    const std::string_view key = lines_.word("a key");
    ended = key == "end";
    if (ended) {
      check_end(key);
    } else {
      read_entry(key);
    }
    lines_.end_line();
  }
  lines_.end_file();
  check_complete();
  return std::move(model_);
}

[[gnu::cold]] FETTLE_INLINE void description_reader::read_version() {
  lines_.require_line("'fettle-model'");
  if (lines_.word("'fettle-model'") != "fettle-model") {
    lines_.fail("this is not a model description: it does not begin with 'fettle-model'");
  }
  version_ = lines_.number<std::uint32_t>("the version", 0, 1000000);
  if (version_ < 1 || version_ > 4) {
    lines_.fail("the model is of version " + number_text(version_) +
                ", this program reads versions 1 to 4");
  }
  lines_.end_line();
}

[[gnu::cold]] FETTLE_INLINE void description_reader::read_entry(std::string_view key) {
  if (key == "function") {
    once(function_, "function");
    model_.function = lines_.name("the function's name");
  } else if (key == "classifier") {
    bool seen = kind_ != nullptr;
    once(seen, "classifier");
    model_.classifier = lines_.name("the classifier");
    kind_ = find_classifier(model_.classifier);
    if (kind_ == nullptr) {
      lines_.fail("the classifier " + detail::quoted(model_.classifier) + " is none of " +
                  classifier_names());
    }
  } else if (key == "variants") {
    once(variants_, "variants");
    read_names(model_.variants, maximum_classes, "variants");
  } else if (key == "default") {
    once(default_, "default");
    model_.default_variant = lines_.name("the default variant");
  } else if (key == "features") {
    once(features_, "features");
    read_names(model_.features, maximum_features, "features");
  } else if (key == "input") {
    read_input(model_.inputs);
  } else if (key == "guard") {
    once(guard_, "guard");
    const std::string_view slack = lines_.word("the guard");
    if (slack != "none") model_.guard = lines_.number_in(slack, "the guard", 0.0, 1e6);
  } else if (key == "predictor") {
    read_predictor();
  } else if (key == "provenance") {
    std::string entry = lines_.name("the name of the provenance");
    std::string value = lines_.line_done() ? std::string() : lines_.name("the provenance");
    model_.provenance.emplace_back(std::move(entry), std::move(value));
  } else if (key == "parameters" && version_ > 1) {
    add_once(model_.parameters, read_parameters(lines_), key);
  } else if (key == "refine" && version_ > 1) {
    add_once(model_.refinements, read_refinement(), key);
  } else if (key == "device" && version_ > 2) {
    if (!model_.device.empty()) lines_.fail("there are two lines 'device'");
    read_names(model_.device, maximum_features, "device features");
  } else if (key == "expect" && version_ > 2) {
    add_once(model_.expectations, read_expectation(lines_), key);
  } else if (key == "approximate" && version_ > 3) {
    if (!model_.errors.empty()) lines_.fail("there are two lines 'approximate'");
    read_names(model_.errors.approximate, maximum_classes, "approximate variants");
  } else if (key == "bound" && version_ > 3) {
    once(bound_, "bound");
    model_.errors.bound = lines_.number("the bound", 0.0, 1e300);
  } else if (key == "error_input" && version_ > 3) {
    read_input(model_.errors.inputs);
  } else if (key == "admit" && version_ > 3) {
    add_once(model_.errors.admissions, read_admission(lines_), key);
  } else {
    lines_.fail(detail::quoted(key) + " is not a key of a model description");
  }
}

[[gnu::cold]] FETTLE_INLINE void description_reader::read_names(std::vector<std::string>& names,
                                                                std::size_t most,
                                                                const char* what) {
  while (!lines_.line_done()) {
    std::string name = lines_.name(what);
    if (index_of(name, names) < names.size()) {
      lines_.fail(detail::quoted(name) + " is twice among the " + what);
    }
    if (names.size() == most) {
      lines_.fail("there are more than " + number_text(most) + " " + what);
    }
    names.push_back(std::move(name));
  }
}

[[gnu::cold]] FETTLE_INLINE void description_reader::read_input(std::vector<model_input>& inputs) {
  if (!features_) lines_.fail("an input comes before the features");
  if (inputs.size() == maximum_inputs) {
    lines_.fail("there are more than " + number_text(maximum_inputs) + " inputs");
  }
  const std::string_view name = lines_.word("a transform");
  const std::optional<transform> kind = transform_named(name);
  if (!kind) {
    lines_.fail(detail::quoted(name) +
                " is none of linear, log, ratio, log_ratio, fraction and root_fraction");
  }
  model_input input;
  input.kind = *kind;
  input.feature = read_feature();
  if (has_divisor(input.kind)) input.divisor = read_feature();
  input.low = lines_.finite("the low end of an input");
  input.high = lines_.finite("the high end of an input");
  if (input.low > input.high || !is_finite(input.high - input.low)) {
    lines_.fail("an input's range is not from low to high");
  }
  inputs.push_back(input);
}

[[gnu::cold]] FETTLE_INLINE std::uint16_t description_reader::read_feature() {
  const std::string name = lines_.name("a feature");
  const std::size_t index = index_of(name, model_.features);
  if (index == model_.features.size())
    lines_.fail(detail::quoted(name) + " is none of the features");
  return static_cast<std::uint16_t>(index);
}

[[gnu::cold]] FETTLE_INLINE void description_reader::read_predictor() {
  once(predictor_, "predictor");
  model_.predictor_file = lines_.name("the predictor's file");
  model_.predictor_checksum = read_checksum(lines_, "the predictor's checksum");
  model_.predictor_size =
      lines_.number<std::size_t>("the predictor's size", 0, maximum_predictor_size);
}

[[gnu::cold]] FETTLE_INLINE described_refinement description_reader::read_refinement() {
  described_refinement found;
  found.variant = lines_.name("a variant");
  found.directory = lines_.word("the refinement's directory");
  if (!is_plain_name(found.directory)) {
    lines_.fail(detail::quoted(found.directory) + " is not a name of a directory beside this file");
  }
  found.checksum = read_checksum(lines_, "the refinement's checksum");
  return found;
}

[[gnu::cold]] FETTLE_INLINE void description_reader::check_end(std::string_view key) {
  const std::string_view before =
      text_.substr(0, static_cast<std::size_t>(key.data() - text_.data()));
  const std::string_view found = lines_.word("the checksum");
  const std::optional<std::uint32_t> wanted = parse_checksum(found);
  if (!wanted || *wanted != crc32(before)) {
    lines_.fail("the checksum does not match: the file was damaged or edited");
  }
}

[[gnu::cold]] FETTLE_INLINE void description_reader::check_complete() const {
  const auto need = [&](bool there, const char* key) {
    if (!there) lines_.fail("there is no line '" + std::string(key) + "'");
  };
  need(function_, "function");
  need(kind_ != nullptr, "classifier");
  need(variants_ && !model_.variants.empty(), "variants");
  need(default_, "default");
  need(features_, "features");
  need(guard_, "guard");
  need(predictor_, "predictor");
  if (index_of(model_.default_variant, model_.variants) == model_.variants.size()) {
    lines_.fail("the default " + detail::quoted(model_.default_variant) +
                " is none of the variants");
  }
  for (const described_refinement& one : model_.refinements) {
    if (index_of(one.variant, model_.variants) == model_.variants.size()) {
      lines_.fail("the refinement of " + detail::quoted(one.variant) +
                  " is of none of the variants");
    }
  }
  check_machines(model_, lines_);
  check_errors(model_, lines_);
  const std::string_view ending = kind_->file_ending;
  const std::string_view file = model_.predictor_file;
  if (!file.ends_with(ending) || !is_plain_name(file.substr(0, file.size() - ending.size()))) {
    lines_.fail("the predictor's file " + detail::quoted(file) +
                " is not a name of a file beside this one that ends in " + std::string(ending));
  }
}

[[gnu::cold]] FETTLE_INLINE void description_reader::once(bool& seen, const char* key) {
  if (seen) lines_.fail("there are two lines '" + std::string(key) + "'");
  seen = true;
}

}  // namespace fettle::model::detail
