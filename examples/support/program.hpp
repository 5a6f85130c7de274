// The main program of an example: runs the tuned function on inputs, judges it, checks variants, or
// measures them for learning elsewhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure.hpp"

namespace examples {

/// The tuned function with everything that is registered with it.
template <tuned_example Example>
auto make_function(fettle::context& context) {
  using function = fettle::code_variant<typename Example::policy, typename Example::signature>;
  std::unique_ptr<function> made;
  if constexpr (requires { Example::reset; }) {
    made = std::make_unique<function>(context, Example::reset);
  } else {
    made = std::make_unique<function>(context);
    if constexpr (Example::changes_input) made->set_reset(fettle::restore_arguments{});
  }
  register_tables<Example>(*made);
  made->set_verify(Example::capture, Example::agree);
  return made;
}

/// Compares every feature of `input` with what Example::expected_feature finds on the host, if
/// there is one. Throws std::runtime_error that names a wrong feature.
template <tuned_example Example>
void check_features(const std::string& input) {
  if constexpr (requires { &Example::expected_feature; }) {
    const auto arguments = Example::load(input);
    std::size_t k = 0;
    for (const auto& one : Example::features) {
      const double found = std::apply(one.of, arguments);
      const double expected = std::apply(
          [&](const auto&... given) { return Example::expected_feature(k, given...); }, arguments);
      ++k;
      const double most = 1e-6 * std::max(std::fabs(found), std::fabs(expected)) + 1e-12;
      if (!(std::fabs(found - expected) <= most))
        throw std::runtime_error(input + ": the feature " + std::string(one.name) + " is " +
                                 std::to_string(found) + " and not " + std::to_string(expected));
    }
  }
}

/// Runs every variant that applies to `input` and compares its result with what Example::expected
/// computes on the host, if there is one, and with the default's otherwise.
/// Returns the number that ran; throws std::runtime_error that names a wrong variant.
template <tuned_example Example>
int check_variants(const std::string& input) {
  const auto pristine = Example::load(input);
  const auto result_of = [&](const auto& one, double& seconds) {
    auto arguments = pristine;
    seconds = std::apply([&](auto&... given) { return seconds_of<Example>(one.run, given...); },
                         arguments);
    return std::apply(Example::capture, arguments);
  };
  double seconds = 0;
  const auto expected = [&] {
    if constexpr (requires { Example::expected; }) {
      return std::apply(Example::expected, pristine);
    } else {
      return result_of(Example::variants[0], seconds);
    }
  }();
  const bool is_comparable = seconds != no_result;
  int ran = 0;
  for (const auto& one : Example::variants) {
    if (one.applies != nullptr && !std::apply(one.applies, pristine)) continue;
    const auto result = result_of(one, seconds);
    ++ran;
    if (is_comparable && seconds != no_result && !Example::agree(expected, result))
      throw std::runtime_error(input + ": the result of " + std::string(one.name) +
                               " is not the default's");
  }
  return ran;
}

namespace detail {

inline constexpr std::string_view without_option = "--without=";
inline constexpr std::string_view seconds_option = "--seconds=";

/// How inputs are measured: by the options before them.
struct measure_options {
  std::vector<std::string> without;  ///< of the next input
  double seconds;                    ///< about so many for the variants of an input
};

template <tuned_example Example>
void measure_or_keep(const std::string& word, measure_options& options) {
  if (word.starts_with(without_option)) {
    options.without.push_back(word.substr(without_option.size()));
  } else if (word.starts_with(seconds_option)) {
    options.seconds = std::strtod(word.c_str() + seconds_option.size(), nullptr);
    if (!(options.seconds > 0)) throw std::runtime_error(word + ": give a positive number");
  } else {
    measure_input<Example>(word, std::exchange(options.without, {}), options.seconds);
  }
}

template <tuned_example Example, class Function>
void run_on(Function& function, const std::string& mode, const std::string& input,
            measure_options& options) {
  if (mode == "--measure") return measure_or_keep<Example>(input, options);
  if (mode == "--check") {
    check_features<Example>(input);
    std::printf("%s: %d variants agree\n", input.c_str(), check_variants<Example>(input));
    return;
  }
  auto arguments = Example::load(input);
  if (mode == "--judge") {
    const auto result = judge<Example>(function, arguments, Example::judging_seconds);
    std::printf("%s\n", json_line(input, result, Example::variants, Example::calls).c_str());
    return;
  }
  const fettle::timer clock;
  std::apply([&](auto&... given) { function(given...); }, arguments);
  const double seconds = clock.seconds();
  std::printf("%s: %.3g ms by %s\n", input.c_str(), 1e3 * seconds,
              std::string(function.last_selection()->variant).c_str());
}

}  // namespace detail

/// NAME [--judge|--check|--measure] INPUT...; the exit status.
template <tuned_example Example>
int run_program(int count, char** words) {
  std::vector<std::string> inputs(words + 1, words + count);
  std::string mode;
  for (const char* one : {"--judge", "--check", "--measure"})
    if (!inputs.empty() && inputs.front() == one) mode = one;
  if (!mode.empty()) inputs.erase(inputs.begin());
  if (inputs.empty() || (mode.empty() && inputs.front().starts_with("--"))) {
    std::fprintf(
        stderr,
        "usage: %s INPUT...          the tuned function on each input\n"
        "       %s --judge INPUT...  every variant and the tuned function, as JSON\n"
        "       %s --check INPUT...  every variant's result against the default's\n"
        "       %s --measure [--seconds=S] [--without=VARIANT] INPUT...  every variant and "
        "feature, as JSON\n%s",
        Example::name, Example::name, Example::name, Example::name, Example::inputs);
    return 2;
  }
  int status = 0;
  try {
    fettle::context context;
    const auto function = make_function<Example>(context);
    detail::measure_options options{{}, Example::judging_seconds};
    for (const std::string& input : inputs) {
      try {
        detail::run_on<Example>(*function, mode, input, options);
      } catch (const std::exception& error) {  // the other inputs are run all the same
        std::fprintf(stderr, "%s: %s\n", Example::name, error.what());
        status = 2;
      }
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", Example::name, error.what());
    return 2;
  }
  return status;
}

}  // namespace examples
