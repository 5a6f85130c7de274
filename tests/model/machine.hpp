// Support vector machines for the tests: random or made by hand, as Fettle sees them and as libsvm
// does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <libsvm/svm.h>
#include <random>
#include <string>
#include <vector>

#include <fettle/core/number.hpp>
#include <fettle/model/svm_view.hpp>

namespace fettle_test {

struct machine {
  double gamma = 0.5;
  std::size_t inputs = 0;
  std::vector<std::uint16_t> labels;
  std::vector<std::uint32_t> class_begin;
  std::vector<double> rho;
  std::vector<std::vector<double>> vectors;
  std::vector<std::vector<double>> coefficients;  // [vector][class - 1]

  [[nodiscard]] std::size_t classes() const { return labels.size(); }

  /// The text of its model file, as svm_save_model writes it but with every digit.
  [[nodiscard]] std::string text() const {
    using fettle::number_text;
    std::string out = "svm_type c_svc\nkernel_type rbf\ngamma " + number_text(gamma) +
                      "\nnr_class " + number_text(classes()) + "\ntotal_sv " +
                      number_text(vectors.size()) + "\nrho";
    for (const double r : rho) out += " " + number_text(r);
    out += "\nlabel";
    for (const auto label : labels) out += " " + number_text(label);
    out += "\nnr_sv";
    for (std::size_t c = 0; c < classes(); ++c) {
      out += " " + number_text(class_begin[c + 1] - class_begin[c]);
    }
    out += "\nSV\n";
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      for (const double c : coefficients[k]) out += number_text(c) + " ";
      for (std::size_t i = 0; i < inputs; ++i) {
        if (vectors[k][i] != 0) out += number_text(i + 1) + ":" + number_text(vectors[k][i]) + " ";
      }
      out += "\n";
    }
    return out;
  }
};

/// Owns the dense tables that an svm_view of the machine points at.
struct flat_machine {
  std::vector<double> values;
  std::vector<double> coefficients;
  fettle::model::svm_view view;

  explicit flat_machine(const machine& m) {
    for (const auto& v : m.vectors) values.insert(values.end(), v.begin(), v.end());
    for (const auto& c : m.coefficients)
      coefficients.insert(coefficients.end(), c.begin(), c.end());
    view = {static_cast<std::uint32_t>(m.classes()),
            static_cast<std::uint32_t>(m.vectors.size()),
            static_cast<std::uint32_t>(m.inputs),
            m.gamma,
            m.labels.data(),
            m.class_begin.data(),
            values.data(),
            coefficients.data(),
            m.rho.data()};
  }
};

/// The same machine as libsvm holds it, sparse.
class libsvm_machine {
 public:
  explicit libsvm_machine(const machine& m) : inputs_(m.inputs), rho_(m.rho) {
    for (const auto& v : m.vectors) nodes_.push_back(sparse(v));
    for (auto& n : nodes_) node_pointers_.push_back(n.data());
    coefficients_.resize(m.classes() - 1);
    for (std::size_t r = 0; r + 1 < m.classes(); ++r) {
      for (const auto& c : m.coefficients) coefficients_[r].push_back(c[r]);
      coefficient_pointers_.push_back(coefficients_[r].data());
    }
    for (std::size_t c = 0; c < m.classes(); ++c) {
      labels_.push_back(m.labels[c]);
      sizes_.push_back(static_cast<int>(m.class_begin[c + 1] - m.class_begin[c]));
    }
    model_.param.svm_type = C_SVC;
    model_.param.kernel_type = RBF;
    model_.param.gamma = m.gamma;
    model_.nr_class = static_cast<int>(m.classes());
    model_.l = static_cast<int>(m.vectors.size());
    model_.SV = node_pointers_.data();
    model_.sv_coef = coefficient_pointers_.data();
    model_.rho = rho_.data();
    model_.label = labels_.data();
    model_.nSV = sizes_.data();
  }
  libsvm_machine(const libsvm_machine&) = delete;
  libsvm_machine& operator=(const libsvm_machine&) = delete;

  [[nodiscard]] std::size_t predict(const double* x,
                                    std::vector<double>* decisions = nullptr) const {
    std::vector<double> values(rho_.size());
    const auto nodes = sparse({x, x + inputs_});
    const double label = svm_predict_values(&model_, nodes.data(), values.data());
    if (decisions != nullptr) *decisions = values;
    return static_cast<std::size_t>(label);
  }

 private:
  static std::vector<svm_node> sparse(const std::vector<double>& v) {
    std::vector<svm_node> nodes;
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (v[i] != 0) nodes.push_back({static_cast<int>(i + 1), v[i]});
    }
    nodes.push_back({-1, 0});
    return nodes;
  }

  std::size_t inputs_;
  std::vector<double> rho_;
  std::vector<std::vector<svm_node>> nodes_;
  std::vector<svm_node*> node_pointers_;
  std::vector<std::vector<double>> coefficients_;
  std::vector<double*> coefficient_pointers_;
  std::vector<int> labels_;
  std::vector<int> sizes_;
  svm_model model_{};
};

struct machine_shape {
  std::size_t classes = 6;
  std::size_t vectors = 50;
  std::size_t inputs = 5;
  double gamma = 0.5;
  double largest_coefficient = 10;
  double zeros = 0.1;  // the share of vector values that are zero
};

/// Coefficients as training gives them: positive for the first class of a pair, negative for the
/// second, many at the bound C. Labels are shuffled, and not all of the variants.
template <typename Random>
machine random_machine(const machine_shape& shape, Random& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  machine m;
  m.gamma = shape.gamma;
  m.inputs = shape.inputs;
  std::vector<std::uint16_t> variants(shape.classes + shape.classes / 3);
  for (std::size_t i = 0; i < variants.size(); ++i) variants[i] = static_cast<std::uint16_t>(i);
  std::shuffle(variants.begin(), variants.end(), random);
  m.labels.assign(variants.begin(), variants.begin() + static_cast<std::ptrdiff_t>(shape.classes));
  std::vector<std::uint32_t> sizes(shape.classes, 1);
  for (std::size_t k = shape.classes; k < shape.vectors; ++k) ++sizes[random() % shape.classes];
  m.class_begin.push_back(0);
  for (const auto size : sizes) m.class_begin.push_back(m.class_begin.back() + size);
  for (std::size_t c = 0; c < shape.classes; ++c) {
    for (std::uint32_t k = 0; k < sizes[c]; ++k) {
      std::vector<double> v(shape.inputs);
      for (double& x : v) x = unit(random) < shape.zeros ? 0 : 2 * unit(random) - 1;
      std::vector<double> coefficient(shape.classes - 1);
      for (std::size_t r = 0; r < coefficient.size(); ++r) {
        const double size = unit(random) < 0.3 ? 1 : unit(random) < 0.3 ? 0 : unit(random);
        coefficient[r] = (r >= c ? 1 : -1) * size * shape.largest_coefficient;
      }
      m.vectors.push_back(v);
      m.coefficients.push_back(coefficient);
    }
  }
  for (std::size_t i = 0; i < shape.classes * (shape.classes - 1) / 2; ++i) {
    m.rho.push_back(2 * unit(random) - 1);
  }
  return m;
}

}  // namespace fettle_test
