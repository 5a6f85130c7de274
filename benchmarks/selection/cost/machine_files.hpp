// Random machines as constants and, of the same content, as model directories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include <fettle/core/crc32.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/model/embedded_model.hpp>

namespace selection_cost {

/// A small generator that works at compile time (SplitMix64).
struct dice {
  std::uint64_t state;

  constexpr double between(double low, double high) {
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    z ^= z >> 31;
    return low + (high - low) * static_cast<double>(z >> 11) * 0x1p-53;
  }
};

inline constexpr double log_low = 2;  // of every feature in "training"
inline constexpr double log_high = 14;

/// An embedded model as the tuner generates it: log features, classes in an order of their own,
/// coefficients with the signs that training gives them and at most 100.
template <std::size_t Classes, std::size_t Vectors, std::size_t Inputs>
struct random_machine {
  static constexpr std::string_view function = "benchmark";
  static constexpr std::string_view classifier = "svm";
  static constexpr std::string_view default_variant = "v0";
  static constexpr std::array<std::string_view, 8> all_names{"v0", "v1", "v2", "v3",
                                                             "v4", "v5", "v6", "v7"};
  template <std::size_t Count>
  static constexpr std::array<std::string_view, Count> names() {
    std::array<std::string_view, Count> some;
    for (std::size_t i = 0; i < Count; ++i) some[i] = all_names[i];
    return some;
  }
  static constexpr auto variants = names<Classes>();
  static constexpr auto features = names<Inputs>();
  static constexpr std::array<fettle::model::model_input, Inputs> inputs = [] {
    std::array<fettle::model::model_input, Inputs> all;
    for (std::uint16_t i = 0; i < Inputs; ++i) {
      all[i] = {fettle::model::transform::log, i, 0, log_low, log_high};
    }
    return all;
  }();
  static constexpr std::optional<double> guard = 0.25;
  static constexpr std::array<fettle::model::provenance_entry, 0> provenance{};
  static constexpr auto tables = [] {
    fettle::model::svm_constants<Classes, Vectors, Inputs> made{};
    dice random{Classes * 1000 + Vectors};
    made.gamma = 0.5;
    for (std::size_t c = 0; c < Classes; ++c) {
      made.labels[c] = static_cast<std::uint16_t>((c * 5 + 2) % Classes);
      made.class_begin[c + 1] = static_cast<std::uint32_t>(Vectors * (c + 1) / Classes);
    }
    for (std::size_t c = 0; c < Classes; ++c) {
      for (std::size_t k = made.class_begin[c]; k < made.class_begin[c + 1]; ++k) {
        for (std::size_t r = 0; r + 1 < Classes; ++r) {
          const double size = random.between(0, 100);
          made.coefficients[k * (Classes - 1) + r] = r >= c ? size : -size;
        }
      }
    }
    for (double& value : made.vector_values) value = random.between(-1, 1);
    for (double& r : made.rho) r = random.between(-1, 1);
    return made;
  }();
};

inline void write_file(const std::filesystem::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) throw fettle::error("cannot write " + path.string());
}

/// The text of the machine as libsvm saves it, but with every digit.
inline std::string libsvm_text(const fettle::model::svm_view& svm) {
  using fettle::number_text;
  std::string out = "svm_type c_svc\nkernel_type rbf\ngamma " + number_text(svm.gamma) +
                    "\nnr_class " + number_text(svm.classes) + "\ntotal_sv " +
                    number_text(svm.vectors) + "\nrho";
  for (std::size_t i = 0; i < svm.pairs(); ++i) out += " " + number_text(svm.rho[i]);
  out += "\nlabel";
  for (std::size_t c = 0; c < svm.classes; ++c) out += " " + number_text(svm.labels[c]);
  out += "\nnr_sv";
  for (std::size_t c = 0; c < svm.classes; ++c) {
    out += " " + number_text(svm.class_begin[c + 1] - svm.class_begin[c]);
  }
  out += "\nSV\n";
  for (std::size_t k = 0; k < svm.vectors; ++k) {
    for (std::size_t r = 0; r + 1 < svm.classes; ++r) {
      out += number_text(svm.coefficients[k * (svm.classes - 1) + r]) + " ";
    }
    for (std::size_t i = 0; i < svm.inputs; ++i) {
      out += number_text(i + 1) + ":" + number_text(svm.vector_values[k * svm.inputs + i]) + " ";
    }
    out += "\n";
  }
  return out;
}

/// Writes a model directory of the lines before `predictor` and the classifier's file.
inline void write_model_text(const std::filesystem::path& directory, std::string text,
                             const std::string& predictor_name, const std::string& predictor) {
  std::filesystem::create_directories(directory);
  char checksum[9];
  std::snprintf(checksum, sizeof checksum, "%08x", fettle::crc32(predictor));
  text += "predictor " + predictor_name + " " + checksum + " " +
          fettle::number_text(predictor.size()) + "\n";
  std::snprintf(checksum, sizeof checksum, "%08x", fettle::crc32(text));
  write_file(directory / predictor_name, predictor);
  write_file(directory / "model.txt", text + "end " + checksum + "\n");
}

/// Writes the embedded machine as a model directory.
template <typename Embedded>
void write_directory(const std::filesystem::path& directory) {
  const std::string machine = libsvm_text(Embedded::tables.view());
  std::string text = "fettle-model 1\nfunction benchmark\nclassifier svm\nvariants";
  for (const auto name : Embedded::variants) text += " " + std::string(name);
  text += "\ndefault v0\nfeatures";
  for (const auto name : Embedded::features) text += " " + std::string(name);
  for (const auto name : Embedded::features) {
    text += "\ninput log " + std::string(name) + " " + fettle::number_text(log_low) + " " +
            fettle::number_text(log_high);
  }
  write_model_text(directory, text + "\nguard 0.25\n", "model.svm", machine);
}

}  // namespace selection_cost
