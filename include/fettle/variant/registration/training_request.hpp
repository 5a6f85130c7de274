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
};

inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) parts.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return parts;
}

[[noreturn]] inline void refuse_request(std::string_view item) {
  throw error("FETTLE_TRAINING: cannot understand '" + std::string(item) +
              "'; run the program through the tuning script, which sets this variable");
}

template <number Number>
void read_number(std::string_view item, std::string_view text, Number& into) {
  const std::optional<Number> value = parse_number<Number>(text);
  if (!value) refuse_request(item);
  into = *value;
}

/// Reads the text of FETTLE_TRAINING. Throws fettle::error naming the item it does not understand.
inline training_request parse_training_request(std::string log_path, std::string_view text) {
  training_request request;
  request.log_path = std::move(log_path);
  for (const std::string_view item : split(text, ' ')) {
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) refuse_request(item);
    const std::string_view key = item.substr(0, equals);
    const std::string_view raw = item.substr(equals + 1);
    const auto decoded = [&](std::string_view encoded) {
      std::optional<std::string> name = percent_decode(encoded);
      if (!name) refuse_request(item);
      return *std::move(name);
    };
    int flag = 1;
    if (key == "function") {
      request.function = decoded(raw);
    } else if (key == "input") {
      request.input = decoded(raw);
    } else if (key == "mode") {
      if (raw != "measure" && raw != "features" && raw != "compare") refuse_request(item);
      request.features_only = raw == "features";
      request.compares = raw == "compare";
    } else if (key == "skip") {
      for (const std::string_view name : split(raw, ',')) request.skip.push_back(decoded(name));
    } else if (key == "race") {
      read_number(item, raw, flag);
      request.race.racing = flag != 0;
    } else if (key == "deployed") {
      request.deployed_model = decoded(raw);
    } else if (key == "candidate") {
      request.candidate_model = decoded(raw);
    } else if (key == "charge") {
      read_number(item, raw, flag);
      request.charges_selection = flag != 0;
    } else if (key == "points_from") {
      request.points_from = decoded(raw);
    } else if (key == "first_call") {
      read_number(item, raw, request.first_call);
    } else if (key == "best_s") {
      read_number(item, raw, request.best_s);
    } else if (key == "warm_up") {
      read_number(item, raw, request.warm_up);
    } else if (key == "sample_s") {
      read_number(item, raw, request.sample_s);
    } else if (key == "max_calls") {
      read_number(item, raw, request.max_calls);
    } else if (key == "limit") {
      read_number(item, raw, request.limit);
    } else if (key == "limit_floor_s") {
      read_number(item, raw, request.limit_floor_s);
    } else if (key == "timeout_s") {
      read_number(item, raw, request.timeout_s);
    } else if (key == "minimum_samples") {
      read_number(item, raw, request.race.minimum_samples);
    } else if (key == "maximum_samples") {
      read_number(item, raw, request.race.maximum_samples);
    } else if (key == "budget_s") {
      read_number(item, raw, request.race.budget_s);
    } else if (key == "confidence") {
      read_number(item, raw, request.race.confidence);
    } else if (key == "indifference") {
      read_number(item, raw, request.race.indifference);
    } else {
      refuse_request(item);
    }
  }
  if (request.function.empty()) {
    throw error("FETTLE_TRAINING names no function; it needs function=NAME");
  }
  return request;
}

/// The request of this process, read once; nothing when the program runs by itself.
inline const training_request* active_training() {
  static const std::optional<training_request> request = []() -> std::optional<training_request> {
    std::string path = environment("FETTLE_TRAINING_LOG");
    if (path.empty()) return std::nullopt;
    return parse_training_request(std::move(path), environment("FETTLE_TRAINING"));
  }();
  return request ? &*request : nullptr;
}

}  // namespace fettle::detail
