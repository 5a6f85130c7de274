// Support vector machines: Fettle by file and embedded, for each width of vector registers, beside
// libsvm's svm_predict on the same file.
#include <cmath>
#include <filesystem>
#include <libsvm/svm.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fettle/model/embedded_model.hpp>
#include <fettle/model/model_directory.hpp>

#include "machine_files.hpp"
#include "suite.hpp"

namespace selection_cost {
namespace {

namespace model = fettle::model;

constexpr std::size_t input_count = 256;

/// The inputs of a case: feature values, and what libsvm gets to see of them.
struct samples {
  std::vector<std::vector<double>> features;
  std::vector<std::vector<svm_node>> nodes;
};

std::vector<svm_node> nodes_of(const std::vector<double>& features) {
  std::vector<svm_node> nodes;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const double t = std::log(features[i]);
    nodes.push_back({static_cast<int>(i + 1), 2 * (t - log_low) / (log_high - log_low) - 1});
  }
  nodes.push_back({-1, 0});
  return nodes;
}

std::shared_ptr<const samples> make_samples(std::size_t features) {
  auto made = std::make_shared<samples>();
  dice random{features};
  for (std::size_t i = 0; i < input_count; ++i) {
    std::vector<double> values;
    for (std::size_t f = 0; f < features; ++f) {
      values.push_back(std::exp(random.between(log_low, log_high)));
    }
    made->nodes.push_back(nodes_of(values));
    made->features.push_back(std::move(values));
  }
  return made;
}

/// A predictor that is made to use registers of `lanes` doubles, or the careful way (0).
model::predictor with_lanes(const model::svm_view& svm, std::span<const model::model_input> inputs,
                            std::size_t lanes) {
  auto storage = std::make_shared<model::detail::aligned_doubles>(
      model::detail::lane_storage(svm.classes, svm.vectors, svm.inputs));
  return {model::svm_predictor(inputs, 0.25, svm, storage->get(), storage, lanes), svm.classes};
}

template <typename Predictor>
pass deciding(std::shared_ptr<const samples> inputs, Predictor predictor) {
  return [inputs, predictor] {
    std::size_t sum = 0;
    for (const auto& f : inputs->features) sum += predictor.decide(f).variant;
    return sum;
  };
}

template <typename Embedded>
void add_machine(suite& all) {
  constexpr auto& tables = Embedded::tables;
  const auto directory = std::filesystem::temp_directory_path() /
                         ("fettle-selection-cost-" + fettle::number_text(tables.vectors));
  write_directory<Embedded>(directory);
  const std::shared_ptr<svm_model> reference(
      svm_load_model((directory / "model.svm").c_str()),
      [](svm_model* loaded) { svm_free_and_destroy_model(&loaded); });
  const auto file =
      std::make_shared<const model::loaded_model>(model::load_model_directory(directory.string()));
  std::filesystem::remove_all(directory);
  if (reference == nullptr) throw fettle::error("libsvm cannot load " + directory.string());

  const std::shared_ptr<const samples> inputs = make_samples(tables.inputs);
  for (std::size_t i = 0; i < input_count; ++i) {
    const double label = svm_predict(reference.get(), inputs->nodes[i].data());
    if (file->predictor.decide(inputs->features[i]).variant != static_cast<std::size_t>(label)) {
      throw fettle::error("Fettle and libsvm choose differently");
    }
  }

  const auto number = [](std::size_t n) { return fettle::number_text(n); };
  all.begin("svm: " + number(tables.vectors) + " support vectors, " + number(tables.inputs) +
                " log features, " + number(tables.classes) + " classes",
            input_count, "libsvm: svm_predict alone");
  all.add("libsvm: svm_predict alone", [inputs, reference] {
    std::size_t sum = 0;
    for (const auto& nodes : inputs->nodes) {
      sum += static_cast<std::size_t>(svm_predict(reference.get(), nodes.data()));
    }
    return sum;
  });
  all.add("libsvm: logarithms, scaling, svm_predict", [inputs, reference] {
    std::size_t sum = 0;
    svm_node nodes[model::maximum_inputs + 1];
    for (const auto& features : inputs->features) {
      for (std::size_t i = 0; i < features.size(); ++i) {
        const double t = std::log(features[i]);
        nodes[i] = {static_cast<int>(i + 1), 2 * (t - log_low) / (log_high - log_low) - 1};
      }
      nodes[features.size()].index = -1;
      sum += static_cast<std::size_t>(svm_predict(reference.get(), nodes));
    }
    return sum;
  });
  all.add("fettle: decide, model directory", [inputs, file] {
    std::size_t sum = 0;
    for (const auto& f : inputs->features) sum += file->predictor.decide(f).variant;
    return sum;
  });
  all.add("fettle: decide, embedded model",
          deciding(inputs, model::from_embedded<Embedded>().predictor));
  for (std::size_t lanes = 8; lanes >= 2; lanes /= 2) {
    if (lanes > model::detail::best_lanes()) continue;
    all.add("fettle: decide, registers of " + number(lanes) + " doubles",
            deciding(inputs, with_lanes(tables.view(), Embedded::inputs, lanes)));
  }
  all.add("fettle: decide, the careful way",
          deciding(inputs, with_lanes(tables.view(), Embedded::inputs, 0)));
  all.add("fettle: logarithms, scaling and guard alone",
          [inputs, stage = model::input_stage(Embedded::inputs, 0.25)] {
            std::size_t sum = 0;
            double x[model::maximum_inputs];
            for (const auto& f : inputs->features) {
              sum += stage.scaled_if_inside(f.data(), x);
              asm volatile("" : : "r"(x) : "memory");
            }
            return sum;
          });
}

}  // namespace

void add_machines(suite& all) {
  add_machine<random_machine<6, 44, 5>>(all);
  add_machine<random_machine<4, 50, 5>>(all);
  add_machine<random_machine<6, 50, 6>>(all);
  add_machine<random_machine<4, 73, 5>>(all);
  add_machine<random_machine<6, 120, 6>>(all);
  add_machine<random_machine<6, 207, 6>>(all);
}

}  // namespace selection_cost
