// Measures every variant and every feature of an example, for learning and judging elsewhere.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "judge.hpp"

namespace examples {
namespace detail {

/// Lines of JSON on stdout, each written at once, so that nothing is lost where a variant crashes.
inline void print_line(const std::string& text) {
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
}

/// The medians of nine runs of each of Example::references, after one that is not counted.
template <tuned_example Example, class Arguments>
void add_references(fettle::json_writer& writer, Arguments& arguments, const Arguments& pristine) {
  writer.key("references").begin_object();
  for (const auto& one : Example::references) {
    std::vector<double> samples;
    for (int n = -1; n < 9; ++n) {
      if constexpr (Example::changes_input) arguments = pristine;
      const double seconds = std::apply(
          [&](auto&... given) { return seconds_of<Example>(one.run, given...); }, arguments);
      if (n >= 0) samples.push_back(seconds);
    }
    writer.field(one.name, fettle::median(samples));
  }
  writer.end_object();
}

}  // namespace detail

/// Prints {"input":, "starts":} before loading, before the features and before each variant runs
/// first, so that a crash has a name, and then one line with the values and the seconds of all
/// features, which of these are found together, and the seconds of all variants and references, and
/// the work of a call. Variants in `without` are left out as "failed". The variants take about
/// `budget` seconds.
template <tuned_example Example>
void measure_input(const std::string& input, const std::vector<std::string>& without,
                   double budget) {
  static std::string current;  // what a function without a capture can read
  current = input;
  const auto starts = [](const std::string& what) {
    std::string line;
    fettle::json_writer(line)
        .begin_object()
        .field("input", current)
        .field("starts", what)
        .end_object();
    detail::print_line(line);
  };
  starts("loading");
  auto arguments = Example::load(input);
  const auto pristine = arguments;
  std::string text;
  fettle::json_writer writer(text);
  writer.begin_object().field("input", input);

  starts("features");
  std::vector<double> values;
  std::vector<double> seconds;
  for (const auto& one : Example::features) {
    std::vector<double> samples;
    for (int n = 0; n < 5; ++n) {
      const fettle::timer clock;
      const double value = std::apply(one.of, arguments);
      samples.push_back(clock.seconds());
      if (n == 0) values.push_back(value);
    }
    seconds.push_back(fettle::median(samples));
  }
  const auto add = [&](const char* key, const std::vector<double>& numbers) {
    writer.key(key).begin_object();
    for (std::size_t k = 0; k < numbers.size(); ++k)
      writer.field(Example::features[k].name, numbers[k]);
    writer.end_object();
  };
  add("features", values);
  add("feature_seconds", seconds);
  if constexpr (requires { Example::shared_features; }) {
    writer.key("shared_features").begin_array();
    for (const std::string_view set : Example::shared_features) writer.value(set);
    writer.end_array();
  }

  const auto measured = measure<Example>(arguments, pristine,
                                         {.budget = budget, .without = without, .starts = starts});
  add_seconds(writer, measured, Example::variants);
  writer.key("lost_seconds").begin_object();
  for (std::size_t k = 0; k < measured.lost.size(); ++k)
    if (measured.lost[k] > 0) writer.field(Example::variants[k].name, measured.lost[k]);
  writer.end_object();
  if constexpr (requires { Example::work; })
    writer.key("work")
        .begin_object()
        .field(Example::work_unit, std::apply(Example::work, arguments))
        .end_object();
  if constexpr (requires { Example::references; })
    detail::add_references<Example>(writer, arguments, pristine);
  writer.field("calls", Example::calls).end_object();
  detail::print_line(text);
}

}  // namespace examples
