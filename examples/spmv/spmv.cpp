// Sparse matrix-vector multiplication, tuned by Fettle: the program that the tuner runs, and the
// judge of what it has learned.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "../support/judge.hpp"
#include "evaluation_report.hpp"
#include "generated_list.hpp"

namespace {

constexpr std::string_view seconds_option = "--seconds=";

constexpr const char* usage =
    "usage: spmv MATRIX...                         multiply with each, by the variant that suits "
    "it\n"
    "       spmv --evaluate [--json FILE] MATRIX...  compare the tuned function with each variant\n"
    "       spmv --judge MATRIX...                   the same, a line of JSON for each\n"
    "       spmv --measure [--seconds=S] MATRIX...   variants and features, a line of JSON for "
    "each\n"
    "       spmv --list-generated --set train|test   names of generated matrices, one a line\n"
    "MATRIX: a Matrix Market file (plain or .xz), a folder of them, generate:KIND:key=value,...\n"
    "        (see --list-generated), or @FILE with one of these a line\n";

/// What the application does: load a matrix, multiply.
void multiply(spmv::tuned_spmv& spmv, const std::string& name) {
  const spmv::sparse_matrix a = spmv::load(name);
  const auto x = spmv::some_vector(a.csr.columns_count);
  std::vector<double> y(static_cast<std::size_t>(a.csr.rows));
  spmv(a, x, y);
  double sum = 0;
  for (const double value : y) sum += value;
  std::printf("%s: %d x %d, %d nonzeros, sum of the product %.12g, by %s\n", name.c_str(),
              a.csr.rows, a.csr.columns_count, a.csr.nonzeros(), sum,
              std::string(spmv.last_selection()->variant).c_str());
}

void evaluate(spmv::tuned_spmv& spmv, const std::vector<std::string>& names,
              const std::string& json_path) {
  const bool on_terminal = isatty(STDERR_FILENO) != 0;
  std::vector<spmv::evaluation> all;
  for (const std::string& name : names) {
    if (on_terminal)
      std::fprintf(stderr, "\r\033[K%zu of %zu  %s", all.size() + 1, names.size(), name.c_str());
    if (auto one = spmv::evaluate(spmv, name); one.nonzeros > 0) all.push_back(std::move(one));
  }
  if (on_terminal) std::fputs("\r\033[K", stderr);
  if (all.empty()) throw std::runtime_error("no matrix with nonzeros to evaluate on");
  const spmv::evaluation_report report(std::move(all));
  if (!json_path.empty()) {
    std::FILE* file = std::fopen(json_path.c_str(), "w");
    if (file == nullptr || std::fputs(report.json().c_str(), file) < 0 || std::fclose(file) != 0)
      throw std::runtime_error(json_path + ": cannot be written");
  }
  report.print_worst(10);
  report.print();
}

/// What `judge` says of one matrix.
std::string judged(const spmv::evaluation& one) {
  examples::judgement result;
  result.seconds = one.seconds;
  for (const double seconds : one.seconds)
    result.excluded.push_back(seconds == spmv::not_applicable);
  result.chosen = one.selected;
  result.selection_seconds = one.selection_seconds;
  result.tuned_seconds = one.seconds[one.selected.index];
  return examples::json_line(one.matrix, result, std::span(spmv::variants), spmv::calls_per_matrix);
}

/// What support/measure.py reads. Features are not timed one by one: each has its part of all.
std::string measured(const spmv::evaluation& one) {
  examples::variant_seconds result;
  result.seconds = one.seconds;
  for (const double seconds : one.seconds)
    result.excluded.push_back(seconds == spmv::not_applicable);
  const double each = one.selection_seconds / static_cast<double>(std::size(spmv::features));
  std::string text;
  fettle::json_writer writer(text);
  writer.begin_object().field("input", one.matrix);
  writer.key("features").begin_object();
  for (std::size_t k = 0; k < one.features.size(); ++k)
    writer.field(spmv::features[k].name, one.features[k]);
  writer.end_object().key("feature_seconds").begin_object();
  for (const spmv::feature& f : spmv::features) writer.field(f.name, each);
  writer.end_object();
  examples::add_seconds(writer, result, spmv::variants);
  writer.key("lost_seconds").begin_object().end_object();
  writer.field("calls", spmv::calls_per_matrix).end_object();
  return text;
}

/// A line of JSON for each matrix, as the other examples write it. Returns whether all could be
/// evaluated; what is wrong with the others is said on stderr.
bool print_lines(spmv::tuned_spmv& spmv, const std::vector<std::string>& names,
                 std::string (*line)(const spmv::evaluation&), double seconds) {
  bool is_complete = true;
  for (const std::string& name : names) {
    try {
      std::printf("%s\n", line(spmv::evaluate(spmv, name, seconds)).c_str());
      std::fflush(stdout);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "spmv: %s\n", error.what());
      is_complete = false;
    }
  }
  return is_complete;
}

/// The lines of FILE for "@FILE", the matrices of a folder, or the name itself.
void add_matrices(const std::string& argument, std::vector<std::string>& names) {
  if (argument.starts_with('@')) {
    const std::string text = spmv::read_text_file(argument.substr(1));
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (end > begin) names.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return;
  }
  for (auto& name : spmv::matrices_at(argument)) names.push_back(std::move(name));
}

int run(const std::vector<std::string>& arguments) {
  bool evaluating = false;
  bool judging = false;
  bool measuring = false;
  bool listing = false;
  double seconds = 0.4;
  std::string set;
  std::string json_path;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto value = [&] {
      if (++i == arguments.size()) throw std::runtime_error(argument + " needs a value");
      return arguments[i];
    };
    if (argument == "--evaluate") {
      evaluating = true;
    } else if (argument == "--judge") {
      judging = true;
    } else if (argument == "--measure") {
      measuring = true;
    } else if (argument.starts_with(seconds_option)) {
      seconds = std::strtod(argument.c_str() + seconds_option.size(), nullptr);
      if (!(seconds > 0)) throw std::runtime_error(argument + ": give a positive number");
    } else if (argument == "--list-generated") {
      listing = true;
    } else if (argument == "--set") {
      set = value();
    } else if (argument == "--json") {
      json_path = value();
    } else if (argument == "--help" || argument == "-h") {
      return std::fputs(usage, stdout) < 0;
    } else if (argument.starts_with("-")) {
      throw std::runtime_error("unknown option " + argument + "\n" + usage);
    } else {
      add_matrices(argument, names);
    }
  }
  if (listing) {
    if (set != "train" && set != "test") throw std::runtime_error("--set must be train or test");
    const auto which = set == "train" ? spmv::matrix_set::train : spmv::matrix_set::test;
    for (const std::string& name : spmv::generated_list(which)) std::puts(name.c_str());
    return 0;
  }
  if (names.empty()) throw std::runtime_error(std::string("no matrix given\n") + usage);
  fettle::context context;
  spmv::tuned_spmv spmv(context);
  spmv::set_up(spmv);
  if (evaluating) {
    evaluate(spmv, names, json_path);
  } else if (judging || measuring) {
    return print_lines(spmv, names, judging ? judged : measured, seconds) ? 0 : 2;
  } else {
    for (const std::string& name : names) multiply(spmv, name);
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "spmv: %s\n", error.what());
    return 2;
  }
}
