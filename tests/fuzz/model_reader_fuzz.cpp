// The fuzz target of the model reader: any bytes are refused with a fettle::error or make a model
// that decides. With libFuzzer (Clang) this file is the whole program; run_corpus.cpp is a driver
// for compilers without it.
//
// An input is the text of a model.txt, a line "===", and the text of the predictor's file. Each
// input is read twice: as it is, and with its checksums and sizes set right, so that what lies
// behind the checksums is reached too.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/crc32.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/model/portable.hpp>

namespace {

namespace model = fettle::model;

std::string hexadecimal(std::uint32_t value) {
  char buffer[9];
  std::snprintf(buffer, sizeof buffer, "%08x", value);
  return buffer;
}

/// `description` with the checksum and the size of `predictor`, and its own checksum.
std::string sealed(std::string description, std::string_view predictor) {
  const std::size_t line = description.rfind("\npredictor ");
  if (line != std::string::npos) {
    const std::size_t name = line + 11;
    const std::size_t blank = description.find_first_of(" \n", name);
    const std::size_t end = description.find('\n', name);
    if (blank != std::string::npos && end != std::string::npos) {
      description.replace(blank, end - blank,
                          " " + hexadecimal(fettle::crc32(predictor)) + " " +
                              fettle::number_text(predictor.size()));
    }
  }
  const std::size_t end = description.rfind("\nend ");
  if (end != std::string::npos) {
    description.resize(end + 1);
    description += "end " + hexadecimal(fettle::crc32(description)) + "\n";
  }
  return description;
}

/// Aborts, for the fuzzer to notice, where a model that was accepted does not hold together.
void expect(bool holds) {
  if (!holds) std::abort();
}

void decide_by(const model::loaded_model& loaded) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {0,      1,    -1,       1e300,
                           5e-324, 17.5, infinity, std::numeric_limits<double>::quiet_NaN()};
  std::vector<double> scores(loaded.variants.size());
  for (std::size_t shift = 0; shift < std::size(values); ++shift) {
    std::vector<double> features(loaded.features.size());
    for (std::size_t i = 0; i < features.size(); ++i) {
      features[i] = values[(i + shift) % std::size(values)];
    }
    const model::decision plain = loaded.predictor.decide(features);
    expect(plain.variant < loaded.variants.size());
    expect(loaded.predictor.decide(features, scores) == plain);
    for (const double score : scores) expect(!(score > scores[plain.variant]));
  }
}

void read_and_decide(const std::string& description, const std::string& predictor) {
  try {
    model::detail::description_reader reader("model.txt", description);
    model::detail::description content = reader.read();
    if (content.predictor_size != predictor.size()) return;
    if (content.predictor_checksum != fettle::crc32(predictor)) return;
    std::string text = predictor;
    if (!content.device.empty()) {
      std::vector<double> here(content.device.size(), 1.0);
      for (const model::model_input& input : content.inputs) {  // a machine within the guard
        for (std::size_t j = 0; j < here.size(); ++j) {
          const bool logged = input.kind == model::transform::log;
          if (content.device[j] == content.features[input.feature]) {
            here[j] = logged ? std::exp(input.low) : input.low;
          }
        }
      }
      try {
        model::detail::specialise(content, "predictor", text, here);
      } catch (const fettle::error& refused) {
        if (std::string_view(refused.what()).starts_with("this machine is unlike")) return;
        throw;
      }
    }
    decide_by(model::detail::assemble(std::move(content), "predictor", text));
  } catch (const fettle::error& refused) {
    expect(std::string_view(refused.what()).ends_with("; run the tuning script again"));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::string_view separator = "\n===\n";
  const std::size_t cut = input.find(separator);
  const std::string description = input.substr(0, cut == std::string::npos ? size : cut + 1);
  const std::string predictor =
      cut == std::string::npos ? std::string() : input.substr(cut + separator.size());
  read_and_decide(description, predictor);
  read_and_decide(sealed(description, predictor), predictor);
  return 0;
}
