// Model files for the tuner, read by the readers of deployed programs: fettle._native.read_model
// and describe for descriptions, read_predictor for the tables of a predictor of any kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/model/predictor.hpp>

namespace fettle_native {

namespace py = pybind11;
namespace model = fettle::model;

/// Names and paths may be of any bytes.
inline py::str python_text(std::string_view text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

inline py::tuple python_texts(const std::vector<std::string>& texts) {
  py::tuple all(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) all[i] = python_text(texts[i]);
  return all;
}

/// An input as Python sees it: (transform, feature, divisor or None, low, high).
inline py::list inputs_of(const std::vector<model::model_input>& inputs,
                          const std::vector<std::string>& features) {
  py::list all;
  for (const model::model_input& input : inputs) {
    py::object divisor = py::none();
    if (model::has_divisor(input.kind)) divisor = python_text(features[input.divisor]);
    all.append(py::make_tuple(std::string(model::name_of(input.kind)),
                              python_text(features[input.feature]), divisor, input.low,
                              input.high));
  }
  return all;
}

/// A table as Python sees it: a number, an array, or a list of tuples.
template <typename Table>
py::object python_table(const Table& table) {
  if constexpr (std::is_arithmetic_v<Table>) {
    return py::cast(table);
  } else if constexpr (std::is_arithmetic_v<typename Table::value_type>) {
    return py::array_t<typename Table::value_type>(static_cast<py::ssize_t>(table.size()),
                                                   table.data());
  } else {
    py::list rows;
    for (const auto& row : table) rows.append(py::cast(row.members()));
    return rows;
  }
}

/// The tables of a predictor's file, and "constants", the type of an embedded model's.
inline py::dict tables_of(const model::predictor_source& source) {
  py::dict tables;
  const auto read_as = [&]<typename Kind>(fettle::type_tag<Kind>) {
    bool is_this = false;
    for (const std::string_view name : Kind::classifiers) is_this |= name == source.classifier;
    if (!is_this) return;
    const auto content = Kind::read_content(source);
    std::string arguments;
    for (const std::size_t size : content.shape()) {
      arguments += (arguments.empty() ? "" : ", ") + fettle::number_text(size);
    }
    tables["constants"] = std::string(content.constants) + "<" + arguments + ">";
    content.visit_tables(
        [&](const char* name, const auto& table) { tables[name] = python_table(table); });
  };
  fettle::for_each(model::predictor_kinds{}, read_as);
  return tables;
}

inline py::dict read_predictor(const std::string& file, const std::string& text,
                               const std::string& classifier, std::size_t inputs,
                               std::size_t variants) {
  const std::vector<model::model_input> unnamed(inputs);
  return tables_of({file, text, classifier, unnamed, std::nullopt, variants});
}

inline py::dict python_description(const model::detail::description& model) {
  using namespace py::literals;
  py::dict provenance;
  for (const auto& [key, value] : model.provenance) {
    provenance[python_text(key)] = python_text(value);
  }
  py::dict parameters;
  for (const model::described_parameters& one : model.parameters) {
    py::dict values;
    for (const auto& [name, its] : one.parameters)
      values[python_text(name)] = py::tuple(py::cast(its));
    parameters[python_text(one.variant)] = values;
  }
  py::list refinements;
  for (const model::described_refinement& one : model.refinements) {
    refinements.append(py::make_tuple(python_text(one.variant), one.directory, one.checksum));
  }
  py::dict expectations;
  for (const model::expectation& one : model.expectations) {
    expectations[python_text(one.variant)] =
        py::make_tuple(one.deviation, one.constant, py::tuple(py::cast(one.slopes)));
  }
  py::dict admissions;
  for (const model::admission& one : model.errors.admissions) {
    admissions[python_text(one.variant)] =
        py::make_tuple(one.constant, py::tuple(py::cast(one.slopes)));
  }
  return py::dict(
      "bound"_a = model.errors.bound, "approximate"_a = python_texts(model.errors.approximate),
      "error_inputs"_a = inputs_of(model.errors.inputs, model.features),
      "admissions"_a = admissions, "device"_a = python_texts(model.device),
      "expectations"_a = expectations, "function"_a = python_text(model.function),
      "classifier"_a = model.classifier, "variants"_a = python_texts(model.variants),
      "default"_a = python_text(model.default_variant), "features"_a = python_texts(model.features),
      "inputs"_a = inputs_of(model.inputs, model.features), "guard"_a = model.guard,
      "provenance"_a = provenance, "parameters"_a = parameters, "refinements"_a = refinements);
}

inline py::dict read_model(const std::filesystem::path& directory,
                           std::optional<std::uint32_t> checksum) {
  const std::string path = directory.string();
  const std::string text = model::detail::read_description(path);
  const model::detail::model_files files = model::detail::read_model_files(path, text, checksum);
  py::dict read = python_description(files.model);
  read["text"] = python_text(files.predictor_text);
  read["tables"] = tables_of({files.predictor_file, files.predictor_text, files.model.classifier,
                              files.model.inputs, files.model.guard, files.model.variants.size()});
  return read;
}

inline void bind_model_files(py::module_& module) {
  module.def("read_model", &read_model, py::arg("directory"), py::arg("checksum") = py::none(),
             "All that the files of a model directory say, a dict; of the models that refine it "
             "(variant, directory, checksum), the last of which is that directory's `checksum` "
             "here. Raises FettleError.");
  module.def(
      "describe",
      [](const std::string& file, const py::bytes& text) {
        return python_description(
            model::detail::description_reader(file, std::string_view(text)).read());
      },
      py::arg("file"), py::arg("text"), "What the text of a model.txt says. Raises FettleError.");
  module.def("read_predictor", &read_predictor, py::arg("file"), py::arg("text"),
             py::arg("classifier"), py::arg("inputs"), py::arg("variants"),
             "The tables of a predictor's file, and \"constants\": what an embedded model calls "
             "the type that has them as members, in the same order. Raises FettleError.");
  module.attr("maximum_classes") = model::maximum_classes;
}

}  // namespace fettle_native
