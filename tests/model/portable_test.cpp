// Portable models: what is left of them on a machine chooses as the whole model does.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <utility>

#include <fettle/machine/known_machine.hpp>
#include <fettle/model/error_gate.hpp>
#include <fettle/model/model_directory.hpp>
#include <fettle/model/portable.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"

using namespace fettle::model;
namespace fs = std::filesystem;

namespace {

const fs::path golden = fs::path(FETTLE_SOURCE_DIR) / "tests" / "model" / "golden";

detail::model_files portable_files() {
  const std::string path = (golden / "portable" / "spmv").string();
  return detail::read_model_files(path, detail::read_description(path));
}

loaded_model on_machine(detail::model_files files, const std::vector<double>& here) {
  detail::specialise(files.model, files.predictor_file, files.predictor_text, here);
  return detail::assemble(std::move(files.model), files.predictor_file, files.predictor_text);
}

/// A libsvm file of two classes, with 8 support vectors of so many inputs.
std::string svm_text(std::size_t inputs, std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  std::string out =
      "svm_type c_svc\nkernel_type rbf\ngamma 0.7\nnr_class 2\ntotal_sv 8\nrho 0.1\n"
      "label 0 1\nnr_sv 4 4\nSV\n";
  for (int vector = 0; vector < 8; ++vector) {
    out += fettle::number_text(unit(random)) + " ";
    for (std::size_t i = 0; i < inputs; ++i) {
      out += fettle::number_text(i + 1) + ":" + fettle::number_text(unit(random)) + " ";
    }
    out += "\n";
  }
  return out;
}

std::string message_on(const std::vector<double>& here) {
  try {
    static_cast<void>(on_machine(portable_files(), here));
  } catch (const fettle::error& caught) {
    return caught.what();
  }
  return "no error";
}

/// The portable model's description with some texts in place of others.
detail::description read_with(
    const std::vector<std::pair<std::string, std::string>>& replacements) {
  std::string text = detail::read_description((golden / "portable" / "spmv").string());
  for (const auto& [from, to] : replacements) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  }
  text.resize(text.rfind("end "));
  char end[32];
  std::snprintf(end, sizeof end, "end %08x\n", static_cast<unsigned>(fettle::crc32(text)));
  text += end;
  return detail::description_reader("model.txt", text).read();
}

}  // namespace

TEST_CASE("trees without the splits of a machine choose as the whole trees") {
  detail::model_files files = portable_files();
  const loaded_model whole =
      detail::assemble(files.model, files.predictor_file, files.predictor_text);
  for (const double cores : {1.0, 4.0, 20.0, 60.0}) {
    for (const double copy : {12.0, 49.0, 51.0, 88.0}) {
      const loaded_model here = on_machine(files, {cores, copy});
      REQUIRE(here.features == std::vector<std::string>{"nnz", "rows"});
      CHECK(here.inputs == std::vector<model_input>{{transform::log, 0, 0, 1, 8}});
      CHECK(here.used_features == std::vector<bool>{true, false});
      for (double nnz = 1; nnz < 1e6; nnz *= 3) {
        const double all[] = {nnz, cores, 7, copy};
        const double rest[] = {nnz, 7};
        CHECK(here.predictor.decide(rest) == whole.predictor.decide(all));
      }
    }
  }
}

TEST_CASE("a machine without an input of its own left is a constant choice") {
  const loaded_model here = on_machine(portable_files(), {20, 88});
  const double features[] = {100, 1};
  CHECK(here.predictor.decide(features).variant == 1);
}

TEST_CASE("support vectors take in what the machine's inputs contribute") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  detail::model_files files = portable_files();
  files.model.classifier = "svm";
  files.predictor_text = svm_text(3, random);
  const loaded_model whole = detail::assemble(files.model, "model.svm", files.predictor_text);
  int of_first = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const double cores = std::exp(4 * unit(random));
    const double copy = 10 + 80 * unit(random);
    const loaded_model here = on_machine(files, {cores, copy});
    const double nnz = std::exp(1 + 7 * unit(random));
    const double all[] = {nnz, cores, 7, copy};
    const double rest[] = {nnz, 7};
    CHECK(here.predictor.decide(rest) == whole.predictor.decide(all));
    of_first += whole.predictor.decide(all).variant == 0 ? 1 : 0;
  }
  CHECK(of_first > 20);  // both are chosen
  CHECK(of_first < 180);
}

TEST_CASE("what is expected on a machine takes in its features") {
  const loaded_model here = on_machine(portable_files(), {1, 90});  // the ends of their ranges
  REQUIRE(here.expectations.size() == 2);
  CHECK(here.expectations[0] == expectation{"csr", 0.2, -7 + 0.5, {1}});
  CHECK(here.expectations[1].constant == -6.5 + 0.5 - 0.1);
}

TEST_CASE("a machine unlike those of the model gets none") {
  CHECK(message_on({20, 200}).find(
            "this machine is unlike those that the model was made of: its "
            "copy_gb_s is 200; make a model with a machine like it, or tune here") !=
        std::string::npos);
  CHECK(message_on({0, 50}).find("its cores is 0") != std::string::npos);
  CHECK(message_on({20, 95}) == "no error");  // within the guard
}

TEST_CASE("a portable model is loaded with the features of the machine file") {
  const test::scratch folder;
  const std::string file = folder / "machine.txt";
  const test::environment_variable named("FETTLE_MACHINE", file);
  fettle::known_machine machine{fettle::detail::processor_and_cores(),
                                fettle::detail::driver_version(),
                                std::time(nullptr),
                                {},
                                {}};
  machine.features = {{"cores", 4}, {"copy_gb_s", 20}};
  machine.own = {{"copy_gb_s", 80}};  // the user's counts
  fettle::detail::keep_machine(file, machine);
  const loaded_model here = load_model_directory((golden / "portable" / "spmv").string());
  CHECK(here.features == std::vector<std::string>{"nnz", "rows"});
  const loaded_model same = on_machine(portable_files(), {4, 80});
  for (double nnz = 3; nnz < 1e4; nnz *= 2) {
    const double features[] = {nnz, 1};
    CHECK(here.predictor.decide(features) == same.predictor.decide(features));
  }
}

TEST_CASE("an error model stays, whatever the machine") {
  detail::model_files files = portable_files();
  files.model = read_with({{"fettle-model 3", "fettle-model 4"},
                           {"expect csr",
                            "approximate dia\nbound 0.05\nerror_input log rows 0 9\n"
                            "error_input ratio nnz rows 0 4\nadmit dia -1 0.5 2\n"
                            "expect csr"}});
  const error_model whole = files.model.errors;
  REQUIRE(whole.inputs ==
          std::vector<model_input>{{transform::log, 2, 0, 0, 9}, {transform::ratio, 0, 2, 0, 4}});
  const loaded_model here = on_machine(files, {4, 80});
  CHECK(here.errors.inputs ==
        std::vector<model_input>{{transform::log, 1, 0, 0, 9}, {transform::ratio, 0, 1, 0, 4}});
  CHECK(here.errors.admissions == whole.admissions);
  CHECK(here.errors.bound == 0.05);
  CHECK(here.used_features == std::vector<bool>{true, true});
  const error_gate gate(here);
  const double features[] = {8, 4};  // nnz / rows = 2 is the middle of its range
  CHECK(gate.limit(1, gate.known(features)) == -1 + 0.5 * (2 * std::log(4.0) / 9 - 1));
}

TEST_CASE("what is wrong with device features and expectations is said") {
  const auto message = [](const std::string& from, const std::string& to) {
    try {
      static_cast<void>(read_with({{from, to}}));
    } catch (const fettle::error& caught) {
      return std::string(caught.what());
    }
    return std::string("no error");
  };
  CHECK(message("fettle-model 3", "fettle-model 3") == "no error");
  CHECK(message("fettle-model 3", "fettle-model 2")
            .find("'device' is not a key of a model description") != std::string::npos);
  CHECK(message("device cores copy_gb_s", "device cores kores")
            .find("the device feature 'kores' is none of the features") != std::string::npos);
  CHECK(message("device cores copy_gb_s", "device cores\ndevice copy_gb_s")
            .find("there are two lines 'device'") != std::string::npos);
  CHECK(message("input log nnz 1 8", "input ratio nnz cores 1 8")
            .find("an input reads 'nnz' and 'cores', of which one is a device feature") !=
        std::string::npos);
  CHECK(message("expect csr 0.2 -7 1 -0.5 0", "expect csr 0.2 -7 1 -0.5")
            .find("'csr' has 2 slopes, the model has 3 inputs") != std::string::npos);
  const auto with_error_input = [](const std::string& input) {
    try {
      static_cast<void>(read_with(
          {{"fettle-model 3", "fettle-model 4"},
           {"expect csr", "approximate dia\nbound 0.1\nerror_input " + input + "\nexpect csr"}}));
    } catch (const fettle::error& caught) {
      return std::string(caught.what());
    }
    return std::string("no error");
  };
  CHECK(with_error_input("log nnz 0 9") == "no error");
  CHECK(with_error_input("log cores 0 9").find("the error model reads 'cores', a device feature") !=
        std::string::npos);
  CHECK(with_error_input("ratio nnz cores 0 9").find("a device feature") != std::string::npos);
  CHECK(message("expect csr", "expect coo").find("'coo' is of none of the") != std::string::npos);
  CHECK(message("expect csr 0.2", "expect csr 0").find("the deviation is 0") != std::string::npos);
}
