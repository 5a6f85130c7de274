// The training request: how the tuner, which starts the program, asks it to measure its variants.
// Two environment variables; docs/formats.md, section 2, has every key.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/core/percent.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/variant/registration/environment.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// FETTLE_TRAINING_LOG (where to write) and FETTLE_TRAINING (what to do), as values.
struct training_request {
  std::string log_path;
  std::string function;  ///< the one function that is trained in this run
  std::string input;     ///< echoed into the log
  bool features_only = false;
  bool compares = false;           ///< measures the function with models and without, as a whole
  std::string deployed_model;      ///< directory of the model to compare that is deployed; or empty
  std::string candidate_model;     ///< of the one that may take its place
  bool charges_selection = false;  ///< compared: what is returned is seconds, without the selection
  std::size_t first_call = 0;      ///< earlier calls run the default, unmeasured
  std::vector<unsigned> clocks;    ///< MHz at which each variant is measured, beside as it is
  std::vector<std::string> skip;   ///< variants of call first_call that are done already
  double best_s = std::numeric_limits<double>::infinity();  ///< the fastest of them, seconds a run
  std::size_t warm_up = 1;
  double sample_s = 20e-6;     ///< of shorter runs several make a sample, where that is possible
  std::size_t max_calls = 64;  ///< later calls run the default, unmeasured
  double limit = 20.0;         ///< a run may last this many times the fastest variant's,
  double limit_floor_s = 2.0;  ///< but at least this long;
  double timeout_s = 300.0;    ///< the first variant, with nothing to compare, this long
  race_options race;
  /// Not empty: a file, usually a pipe, with a line for each point of a variant's parameters that
  /// is to be measured in call first_call; read as they come, until its end.
  std::string points_from;
  /// Not empty: each variant runs once for this profiler (profiled_region), and is not measured.
  std::string profiler;
};

std::vector<std::string_view> split(std::string_view text, char separator);

[[noreturn]] void refuse_request(std::string_view item);

template <number Number>
void read_number(std::string_view item, std::string_view text, Number& into) {
  const std::optional<Number> value = parse_number<Number>(text);
  if (!value) refuse_request(item);
  into = *value;
}

/// Reads the text of FETTLE_TRAINING. Throws fettle::error naming the item it does not understand.
training_request parse_training_request(std::string log_path, std::string_view text);

/// The request of this process, read once; nothing when the program runs by itself.
const training_request* active_training();

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/training_request.ipp>
#endif
