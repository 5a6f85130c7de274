// from_embedded: a model from the constants of a generated header. No file, no libsvm; a machine's
// tables stay where the compiler put them, what trees are read from is packed at the first use.
//
// The generated header holds a struct that satisfies embedded_model, for example
//
//   struct spmv {
//     static constexpr std::string_view function = "spmv";
//     static constexpr std::string_view classifier = "tree";
//     static constexpr std::string_view default_variant = "csr";
//     static constexpr std::array<std::string_view, 2> variants{"csr", "dia"};
//     static constexpr std::array<std::string_view, 1> features{"nnz"};
//     static constexpr std::array<model_input, 1> inputs{{{transform::log, 0, 0, 4.6, 16.2}}};
//     static constexpr std::optional<double> guard = 0.25;
//     static constexpr std::array<provenance_entry, 1> provenance{{{"tool", "fettle 0.1.0"}}};
//     static constexpr forest_constants<1, 3, 2, 2, 1> tables{...};   // or svm_constants
//   };
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/embedded_errors.hpp>
#include <fettle/model/embedded_parameters.hpp>
#include <fettle/model/loaded_model.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/model/model_input.hpp>
#include <fettle/model/predictor.hpp>

namespace fettle::inline FETTLE_ABI::model {

struct provenance_entry {
  std::string_view key;
  std::string_view value;
};

/// What `fettle::tuned_models` holds for each function with an embedded model.
template <typename T>
concept embedded_model = requires {
  { T::function } -> std::convertible_to<std::string_view>;
  { T::classifier } -> std::convertible_to<std::string_view>;
  { T::default_variant } -> std::convertible_to<std::string_view>;
  std::span<const std::string_view>(T::variants);
  std::span<const std::string_view>(T::features);
  std::span<const model_input>(T::inputs);
  std::span<const provenance_entry>(T::provenance);
  { T::guard } -> std::convertible_to<std::optional<double>>;
  typename std::remove_cvref_t<decltype(T::tables)>::predictor;
};

namespace detail {

template <embedded_model Embedded>
predictor make_embedded_predictor() {
  using kind = typename std::remove_cvref_t<decltype(Embedded::tables)>::predictor;
  return {kind::template embedded<Embedded>(), Embedded::variants.size()};
}

/// The predictor of an embedded model: made once, shared by all.
template <embedded_model Embedded>
const predictor& embedded_predictor() {
  static const predictor made = make_embedded_predictor<Embedded>();
  return made;
}

}  // namespace detail

/// The model that a generated header embeds in the program. Thread-safe. Selects exactly as the
/// model directory that it was generated from.
template <typename Embedded>
[[nodiscard]] loaded_model from_embedded() {
  static_assert(
      embedded_model<Embedded>,
      "this is not an embedded model: fettle generates those as fettle::tuned_models::<name>");
  std::vector<std::pair<std::string, std::string>> provenance;
  for (const provenance_entry& entry : Embedded::provenance) {
    provenance.emplace_back(entry.key, entry.value);
  }
  const std::span<const model_input> inputs = Embedded::inputs;
  loaded_model made{std::string(std::string_view(Embedded::function)),
                    std::string(std::string_view(Embedded::classifier)),
                    {Embedded::variants.begin(), Embedded::variants.end()},
                    {Embedded::features.begin(), Embedded::features.end()},
                    std::string(std::string_view(Embedded::default_variant)),
                    detail::used_features(Embedded::features.size(), inputs),
                    {inputs.begin(), inputs.end()},
                    std::move(provenance),
                    detail::embedded_predictor<Embedded>()};
  detail::add_parameters<Embedded>(made);
  detail::add_errors<Embedded>(made);
  return made;
}

}  // namespace fettle::model
