// Definitions of training_request.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/core/percent.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/variant/registration/environment.hpp>
#include <fettle/variant/registration/training_request.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::vector<std::string_view> split(std::string_view text,
                                                                char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) parts.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return parts;
}

[[gnu::cold]] FETTLE_INLINE void refuse_request(std::string_view item) {
  throw error("FETTLE_TRAINING: cannot understand '" + std::string(item) +
              "'; run the program through the tuning script, which sets this variable");
}

[[gnu::cold]] FETTLE_INLINE training_request parse_training_request(std::string log_path,
                                                                    std::string_view text) {
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
    } else if (key == "clocks") {
      for (const std::string_view mhz : split(raw, ',')) {
        read_number(item, mhz, request.clocks.emplace_back());
      }
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
    } else if (key == "profiler") {
      request.profiler = decoded(raw);
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

[[gnu::cold]] FETTLE_INLINE const training_request* active_training() {
  static const std::optional<training_request> request = []() -> std::optional<training_request> {
    std::string path = environment("FETTLE_TRAINING_LOG");
    if (path.empty()) return std::nullopt;
    return parse_training_request(std::move(path), environment("FETTLE_TRAINING"));
  }();
  return request ? &*request : nullptr;
}

}  // namespace fettle::detail
