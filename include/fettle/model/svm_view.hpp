// svm_view: what a support vector machine (C-SVC, RBF kernel) consists of, by pointers into tables
// that it does not own: a model file's content, or an embedded model's constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::model {

class svm_predictor;

/// The machine as libsvm's model file states it; support vectors are dense and grouped by class, in
/// the order of `labels`. Class indices below count in that order; they are not labels.
struct svm_view {
  std::uint32_t classes = 0;
  std::uint32_t vectors = 0;
  std::uint32_t inputs = 0;
  double gamma = 0;
  const std::uint16_t* labels = nullptr;       ///< [classes] the variant that a class stands for
  const std::uint32_t* class_begin = nullptr;  ///< [classes + 1] first support vector of a class
  const double* vector_values = nullptr;       ///< [vectors][inputs]
  const double* coefficients = nullptr;        ///< [vectors][classes - 1]
  const double* rho = nullptr;                 ///< [classes * (classes - 1) / 2], pairs in order

  [[nodiscard]] constexpr std::size_t pairs() const noexcept {
    return std::size_t{classes} * (classes - 1) / 2;
  }
};

/// The tables of an embedded machine, as the generated header writes them.
template <std::size_t Classes, std::size_t Vectors, std::size_t Inputs>
struct svm_constants {
  using predictor = svm_predictor;
  static constexpr std::size_t classes = Classes;
  static constexpr std::size_t vectors = Vectors;
  static constexpr std::size_t inputs = Inputs;

  double gamma;
  std::array<std::uint16_t, Classes> labels;
  std::array<std::uint32_t, Classes + 1> class_begin;
  std::array<double, Classes*(Classes - 1) / 2> rho;
  std::array<double, Vectors * Inputs> vector_values;
  std::array<double, Vectors*(Classes - 1)> coefficients;

  /// Points at this object, which must outlive the view.
  [[nodiscard]] constexpr svm_view view() const noexcept {
    return {static_cast<std::uint32_t>(Classes),
            static_cast<std::uint32_t>(Vectors),
            static_cast<std::uint32_t>(Inputs),
            gamma,
            labels.data(),
            class_begin.data(),
            vector_values.data(),
            coefficients.data(),
            rho.data()};
  }
};

}  // namespace fettle::model
