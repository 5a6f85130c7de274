// Definitions of svm_reader.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/line_reader.hpp>
#include <fettle/model/svm_reader.hpp>
#include <fettle/model/svm_view.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

[[gnu::cold]] FETTLE_INLINE svm_view svm_content::view() const noexcept {
  return {static_cast<std::uint32_t>(labels.size()),
          class_begin.back(),
          inputs,
          gamma,
          labels.data(),
          class_begin.data(),
          vector_values.data(),
          coefficients.data(),
          rho.data()};
}

[[gnu::cold]] FETTLE_INLINE svm_content svm_header_reader::read(std::uint32_t& total) {
  while (true) {
    lines_.require_line("'SV'");
    const std::string_view key = lines_.word("a key");
    if (key == "SV") break;
    read_entry(key);
    lines_.end_line();
  }
  lines_.end_line();
  check_complete();
  total = total_;
  return std::move(machine_);
}

[[gnu::cold]] FETTLE_INLINE void svm_header_reader::read_entry(std::string_view key) {
  if (key == "svm_type") {
    expect(typed_, "c_svc", "svm_type");
  } else if (key == "kernel_type") {
    expect(kernel_, "rbf", "kernel_type");
  } else if (key == "gamma") {
    once(gamma_, "gamma");
    machine_.gamma = lines_.number("gamma", 0.0, std::numeric_limits<double>::max());
  } else if (key == "nr_class") {
    once(counted_, "nr_class");
    classes_ = lines_.number<std::size_t>("nr_class", 2, maximum_classes);
  } else if (key == "total_sv") {
    once(totalled_, "total_sv");
    total_ = lines_.number<std::uint32_t>("total_sv", 1, maximum_support_vectors);
  } else if (key == "rho") {
    once(rho_, "rho");
    while (!lines_.line_done()) machine_.rho.push_back(lines_.finite("rho"));
  } else if (key == "label") {
    once(labelled_, "label");
    read_labels();
  } else if (key == "nr_sv") {
    once(sized_, "nr_sv");
    machine_.class_begin.push_back(0);
    while (!lines_.line_done()) {
      machine_.class_begin.push_back(
          machine_.class_begin.back() +
          lines_.number<std::uint32_t>("nr_sv", 0, maximum_support_vectors));
      if (machine_.class_begin.back() > maximum_support_vectors) lines_.fail("nr_sv is too large");
    }
  } else if (key == "probA" || key == "probB" || key == "prob_density_marks") {
    while (!lines_.line_done()) lines_.finite("a probability");  // not used to select
  } else {
    lines_.fail(detail::quoted(key) + " is not a key of a libsvm model file");
  }
}

[[gnu::cold]] FETTLE_INLINE void svm_header_reader::read_labels() {
  std::vector<bool> seen(variants_, false);
  while (!lines_.line_done()) {
    const auto label =
        lines_.number<std::int64_t>("label", 0, static_cast<std::int64_t>(variants_) - 1);
    const auto variant = static_cast<std::size_t>(label);
    if (seen[variant]) lines_.fail("the label " + number_text(label) + " is there twice");
    seen[variant] = true;
    machine_.labels.push_back(static_cast<std::uint16_t>(variant));
  }
}

[[gnu::cold]] FETTLE_INLINE void svm_header_reader::check_complete() const {
  const auto need = [&](bool there, const char* key) {
    if (!there) lines_.fail("the header has no " + std::string(key));
  };
  need(typed_, "svm_type");
  need(kernel_, "kernel_type");
  need(gamma_, "gamma");
  need(counted_, "nr_class");
  need(totalled_, "total_sv");
  const auto match = [&](std::size_t found, std::size_t expected, const char* key) {
    if (found == expected) return;
    lines_.fail("there are " + number_text(found) + " values of " + key + " where nr_class " +
                number_text(classes_) + " wants " + number_text(expected));
  };
  match(machine_.rho.size(), classes_ * (classes_ - 1) / 2, "rho");
  match(machine_.labels.size(), classes_, "label");
  match(machine_.class_begin.size(), classes_ + 1, "nr_sv (with a leading zero)");
  if (machine_.class_begin.back() != total_) {
    lines_.fail("nr_sv adds up to " + number_text(machine_.class_begin.back()) +
                ", but total_sv is " + number_text(total_));
  }
}

[[gnu::cold]] FETTLE_INLINE void svm_header_reader::once(bool& seen, const char* key) {
  if (seen) lines_.fail(std::string(key) + " is there twice");
  seen = true;
}

[[gnu::cold]] FETTLE_INLINE void svm_header_reader::expect(bool& seen, std::string_view wanted,
                                                           const char* key) {
  once(seen, key);
  const std::string_view found = lines_.word(key);
  if (found != wanted) {
    lines_.fail(std::string(key) + " is " + detail::quoted(found) + ", but Fettle evaluates " +
                std::string(wanted));
  }
}

[[gnu::cold]] FETTLE_INLINE svm_content read_svm(const std::string& file, std::string_view text,
                                                 std::size_t inputs, std::size_t variants) {
  line_reader lines(file, text);
  std::uint32_t total = 0;
  svm_content machine = svm_header_reader(lines, variants).read(total);
  if (inputs == 0) lines.fail("a support vector machine needs an input, the model has none");
  machine.inputs = static_cast<std::uint32_t>(inputs);
  const std::size_t rows = machine.labels.size() - 1;
  for (std::uint32_t k = 0; k < total; ++k) {
    lines.require_line("a support vector");
    for (std::size_t row = 0; row < rows; ++row) {
      machine.coefficients.push_back(lines.finite("a coefficient"));
    }
    const std::size_t begin = machine.vector_values.size();
    machine.vector_values.resize(begin + inputs);
    std::size_t last = 0;
    while (!lines.line_done()) {
      const std::string_view pair = lines.word("a value");
      const std::size_t colon = pair.find(':');
      if (colon == std::string_view::npos)
        lines.fail(detail::quoted(pair) + " is not an index:value");
      const auto index = lines.number_in<std::size_t>(pair.substr(0, colon), "an index", 1, inputs);
      if (index <= last) lines.fail("the indices of a support vector do not ascend");
      last = index;
      machine.vector_values[begin + index - 1] =
          lines.finite_in(pair.substr(colon + 1), "a value of a support vector");
    }
  }
  lines.end_file();
  return machine;
}

}  // namespace fettle::model::detail
