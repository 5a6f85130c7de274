#include <clocale>
#include <string>
#include <string_view>

#include <fettle/model/svm_reader.hpp>

#include "support/catch.hpp"

#if __has_include(<libsvm/svm.h>)
#include "model/machine.hpp"
#include "support/scratch.hpp"
#endif

using fettle::model::detail::read_svm;
using fettle::model::detail::svm_content;

namespace {

const std::string good =
    "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 3\ntotal_sv 4\nrho 0.1 -0.2 0.3\n"
    "label 2 0 1\nnr_sv 2 1 1\nSV\n1 0.5 1:-1 2:0.25 \n0.25 0 2:1 \n-1 0.75 1:0.5 \n"
    "-0.25 -0.75 1:1 2:-0.125 \n";

std::string with(std::string_view from, std::string_view to) {
  std::string text = good;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string message(const std::string& text, std::size_t inputs = 2) {
  try {
    static_cast<void>(read_svm("model.svm", text, inputs, 3));
  } catch (const fettle::error& caught) {
    return caught.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a libsvm model file is read into dense tables") {
  const svm_content machine = read_svm("model.svm", good, 2, 3);
  CHECK(machine.gamma == 0.5);
  CHECK(machine.labels == std::vector<std::uint16_t>{2, 0, 1});
  CHECK(machine.class_begin == std::vector<std::uint32_t>{0, 2, 3, 4});
  CHECK(machine.rho == std::vector<double>{0.1, -0.2, 0.3});
  CHECK(machine.vector_values == std::vector<double>{-1, 0.25, 0, 1, 0.5, 0, 1, -0.125});
  CHECK(machine.coefficients == std::vector<double>{1, 0.5, 0.25, 0, -1, 0.75, -0.25, -0.75});
  CHECK(machine.view().vectors == 4);
}

TEST_CASE("a machine without inputs is refused") {
  CHECK(message(good, 0).find("line 9: a support vector machine needs an input") !=
        std::string::npos);
}

TEST_CASE("probability lines are passed over") {
  CHECK(message(with("nr_sv", "probA 1 2 3\nprobB 1 2 3\nprob_density_marks 1 2\nnr_sv")) ==
        "no error");
}

TEST_CASE("what is wrong with a machine is said, with the line") {
  const auto [text, expected] = GENERATE(table<std::string, std::string>({
      {"", "line 1: the file ends where 'SV' should be"},
      {"\0\0\0", "truncated"},
      {good.substr(0, 60), "truncated"},
      {good.substr(0, good.size() - 3), "line 13: the file ends in the middle of a line"},
      {good.substr(0, good.rfind("-0.25 -0.75")), "the file ends where a support vector should be"},
      {good + "1 2\n", "line 14: there is more after the end"},
      {with("c_svc", "nu_svc"), "line 1: svm_type is 'nu_svc', but Fettle evaluates c_svc"},
      {with("rbf", "linear"), "line 2: kernel_type is 'linear', but Fettle evaluates rbf"},
      {with("gamma 0.5", "gamma -1"), "line 3: gamma is -1, but must be within"},
      {with("gamma 0.5", "gamma nan"), "line 3: gamma is nan, but must be within"},
      {with("gamma 0.5", "gamma inf"), "line 3: gamma is inf, but must be within"},
      {with("gamma 0.5", "gamma 0,5"), "line 3: '0,5' is not a number of the right kind for gamma"},
      {with("gamma 0.5\n", ""), "the header has no gamma"},
      {with("svm_type c_svc\n", ""), "the header has no svm_type"},
      {with("gamma 0.5", "gamma 0.5\ngamma 0.5"), "line 4: gamma is there twice"},
      {with("gamma 0.5", "degree 3"), "line 3: 'degree' is not a key of a libsvm model file"},
      {with("gamma 0.5", ""), "line 3: a key is missing"},
      {with("nr_class 3", "nr_class 1"), "line 4: nr_class is 1, but must be within 2 and 1024"},
      {with("nr_class 3", "nr_class 99999999"), "line 4: nr_class is 99999999"},
      {with("nr_class 3", "nr_class 4"), "there are 3 values of rho where nr_class 4 wants 6"},
      {with("total_sv 4", "total_sv 4000000000"), "line 5: total_sv is 4000000000"},
      {with("total_sv 4", "total_sv 99999999999999999999"), "line 5: '99999999999999999999'"},
      {with("total_sv 4", "total_sv 5"), "nr_sv adds up to 4, but total_sv is 5"},
      {with("rho 0.1", "rho inf"), "line 6: 'inf' is not a finite number for rho"},
      {with("label 2 0 1", "label 2 0 3"), "line 7: label is 3, but must be within 0 and 2"},
      {with("label 2 0 1", "label 2 0 -1"), "line 7: label is -1"},
      {with("label 2 0 1", "label 2 0 2"), "line 7: the label 2 is there twice"},
      {with("label 2 0 1", "label 2 0"), "there are 2 values of label"},
      {with("nr_sv 2 1 1", "nr_sv 2 2"), "values of nr_sv"},
      {with("nr_sv 2 1 1", "nr_sv 2 -1 3"), "line 8: '-1' is not a number of the right kind"},
      {with("nr_sv 2 1 1", "nr_sv 1000000 1000000"), "line 8: nr_sv is too large"},
      {with("SV\n1", "SV 7\n1"), "line 9: there is '7' too much"},
      {with("1 0.5 1:-1", "1 1:-1"), "line 10: '1:-1' is not a finite number for a coefficient"},
      {with("2:0.25", "3:0.25"), "line 10: an index is 3, but must be within 1 and 2"},
      {with("1:-1 2:0.25", "0:-1 2:0.25"), "line 10: an index is 0"},
      {with("1:-1 2:0.25", "2:-1 1:0.25"),
       "line 10: the indices of a support vector do not ascend"},
      {with("1:-1 2:0.25", "1:-1 1:0.25"),
       "line 10: the indices of a support vector do not ascend"},
      {with("2:0.25", "2:nan"), "line 10: 'nan' is not a finite number for a value"},
      {with("2:0.25", "2:"), "line 10: '' is not a finite number for a value"},
      {with("2:0.25", "0.25"), "line 10: '0.25' is not an index:value"},
  }));
  INFO(text);
  const std::string said = message(text);
  CHECK(said.find(expected) != std::string::npos);
  CHECK(said.starts_with("'model.svm' line "));
  CHECK(said.ends_with("; run the tuning script again"));
  INFO(said);
}

TEST_CASE("every prefix of a file of an SVM is refused") {
  for (std::size_t size = 0; size < good.size(); ++size) {
    CHECK(message(good.substr(0, size)) != "no error");
  }
  CHECK(message(good) == "no error");
}

#if __has_include(<libsvm/svm.h>)
TEST_CASE("what libsvm saves is read as libsvm itself reads it") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<std::vector<svm_node>> nodes(200);
  std::vector<svm_node*> x;
  std::vector<double> y;
  for (auto& row : nodes) {
    for (int i = 1; i <= 3; ++i) row.push_back({i, unit(random)});
    y.push_back(3 - (row[0].value > 0) - (row[1].value > row[2].value));
    row.push_back({-1, 0});
    x.push_back(row.data());
  }
  svm_problem problem{200, y.data(), x.data()};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = RBF;
  parameter.gamma = 0.8;
  parameter.C = 10;
  parameter.eps = 1e-3;
  parameter.cache_size = 1;
  parameter.shrinking = 1;
  svm_set_print_string_function([](const char*) {});
  svm_model* trained = svm_train(&problem, &parameter);
  const test::scratch folder;
  const std::string file = folder / "model.svm";
  REQUIRE(svm_save_model(file.c_str(), trained) == 0);
  svm_free_and_destroy_model(&trained);
  svm_model* loaded = svm_load_model(file.c_str());
  REQUIRE(loaded != nullptr);
  const std::string text = test::read_text(file);

  const svm_content machine = read_svm("model.svm", text, 3, 4);
  REQUIRE(machine.class_begin.back() == static_cast<std::uint32_t>(loaded->l));
  CHECK(machine.gamma == loaded->param.gamma);
  for (std::size_t c = 0; c < 3; ++c) {
    CHECK(machine.labels[c] == loaded->label[c]);
    CHECK(machine.rho[c] == loaded->rho[c]);
    CHECK(machine.class_begin[c + 1] - machine.class_begin[c] ==
          static_cast<std::uint32_t>(loaded->nSV[c]));
  }
  int different = 0;
  for (std::size_t k = 0; k < machine.class_begin.back(); ++k) {
    for (std::size_t r = 0; r < 2; ++r) {
      different += machine.coefficients[2 * k + r] != loaded->sv_coef[r][k];
    }
    for (const svm_node* node = loaded->SV[k]; node->index != -1; ++node) {
      different +=
          machine.vector_values[3 * k + static_cast<std::size_t>(node->index) - 1] != node->value;
    }
  }
  CHECK(different == 0);
  svm_free_and_destroy_model(&loaded);
}
#endif
