// Definitions of training_log.hpp.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/machine/description.hpp>
#include <fettle/measure/metric_names.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/variant/training/training_log.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::string program_path() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

[[gnu::cold]] FETTLE_INLINE training_log::training_log(std::string path) : path_(std::move(path)) {
  file_ = std::fopen(path_.c_str(), "a");
  if (file_ == nullptr) {
    fail("open",
         "FETTLE_TRAINING_LOG has to name a file in a folder that can be written; run the "
         "program through the tuning script, which sets it");
  }
}

[[gnu::cold]] FETTLE_INLINE void training_log::header(
    std::string_view function, std::span<const std::string> variants,
    std::span<const std::string> features, std::string_view default_variant, bool timed,
    bool larger_is_better, std::string_view policy, std::string_view parameters,
    std::string_view versions, std::string_view metrics, std::string_view quality) {
  json_writer json = start();
  const int log_version = !quality.empty() ? 3 : metrics.empty() ? 1 : 2;
  json.field("fettle_log", log_version).field("function", function);
  names(json, "variants", variants);
  names(json, "features", features);
  json.field("default", default_variant)
      .field("unit", timed ? "s" : "returned")
      .field("larger_is_better", larger_is_better);
  json.key("machine");
  write_json(json, describe_machine());
  json.field("program", program_path());
  if (!policy.empty()) json.key("policy").raw(policy);
  if (!parameters.empty()) json.key("parameters").raw(parameters);
  if (!versions.empty()) json.key("versions").raw(versions);
  if (!quality.empty()) json.key("quality").raw(quality);
  if (!metrics.empty()) {
    json.key("metrics").begin_object();
    for (std::size_t i = 0; i < declared_metrics(metrics); ++i) {
      const std::string_view entry = declared_metric(metrics, i);
      json.field(name_of_metric(entry), unit_of_metric(entry));
    }
    json.end_object();
  }
  finish(json);
}

[[gnu::cold]] FETTLE_INLINE void training_log::call(std::size_t number, std::string_view input,
                                                    std::span<const std::string> features,
                                                    std::span<const double> values,
                                                    std::span<const double> nanoseconds,
                                                    std::span<const std::string> problems) {
  json_writer json = start();
  json.field("call", number).field("input", input);
  numbers(json, "features", features, values);
  numbers(json, "feature_ns", features, nanoseconds);
  if (!std::ranges::all_of(problems, &std::string::empty)) {
    json.key("feature_problems").begin_object();
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (!problems[i].empty()) json.field(features[i], problems[i]);
    }
    json.end_object();
  }
  finish(json);
}

[[gnu::cold]] FETTLE_INLINE void training_log::started(std::size_t call, std::string_view variant,
                                                       double limit_s) {
  json_writer json = start();
  event(json, call, variant, "start").field("limit_s", limit_s);
  finish(json);
}

[[gnu::cold]] FETTLE_INLINE void training_log::sampled(
    std::size_t call, std::string_view variant, std::span<const double> metric,
    std::optional<double> lost_s, const output_comparison& output, std::string_view metrics,
    std::span<const std::vector<double>> others) {
  json_writer json = start();
  event(json, call, variant, "sample").field("metric", metric);
  if (lost_s) json.field("lost_s", *lost_s);
  if (output.same_bits) json.field("bitwise", *output.same_bits);
  if (output.error) json.field("error", *output.error);
  if (!others.empty()) {
    json.key("others").begin_object();
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::span<const double> values = others[i];
      json.field(name_of_metric(declared_metric(metrics, i + 1)), values);
    }
    json.end_object();
  }
  finish(json);
}

[[gnu::cold]] FETTLE_INLINE void training_log::metered(std::size_t call, std::string_view variant,
                                                       std::span<const std::string> metrics,
                                                       std::span<const meter_reading> readings) {
  json_writer json = start();
  event(json, call, variant, "metered").key("readings").begin_object();
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const meter_reading& one = readings[i];
    json.key(metrics[i]).begin_object();
    json.field("value", one.value).field("sensor", one.sensor).field("method", one.method);
    json.field("window_s", one.window_s).field("resolution", one.resolution);
    if (!one.note.empty()) json.field("note", one.note);
    if (!one.refused.empty()) json.field("refused", one.refused);
    json.end_object();
  }
  json.end_object();
  finish(json);
}

[[gnu::cold]] FETTLE_INLINE void training_log::excluded(std::size_t call, std::string_view variant,
                                                        std::string_view reason) {
  json_writer json = start();
  event(json, call, variant, "excluded").field("reason", reason);
  finish(json);
}

[[gnu::cold]] FETTLE_INLINE void training_log::failed(std::size_t call, std::string_view variant,
                                                      std::string_view reason) {
  json_writer json = start();
  event(json, call, variant, "failed").field("reason", reason);
  finish(json);
}

[[gnu::cold]] FETTLE_INLINE void training_log::measured(std::size_t call,
                                                        std::string_view variant) {
  json_writer json = start();
  event(json, call, variant, "measured");
  finish(json);
}

[[gnu::cold]] FETTLE_INLINE void training_log::ended(std::size_t call, race_outcome outcome,
                                                     std::string_view best) {
  json_writer json = start();
  json.field("call", call).field("event", "end").field("outcome", to_text(outcome));
  json.field("best", best);
  finish(json);
}

[[gnu::cold]] FETTLE_INLINE void training_log::misused(std::string_view reason) {
  json_writer json = start();
  json.field("event", "error").field("reason", reason);
  finish(json);
}

[[gnu::cold]] FETTLE_INLINE json_writer training_log::start() {
  line_.clear();
  json_writer json(line_);
  json.begin_object();
  return json;
}

[[gnu::cold]] FETTLE_INLINE void training_log::names(json_writer& json, std::string_view key,
                                                     std::span<const std::string> all) {
  json.key(key).begin_array();
  for (const std::string& name : all) json.value(name);
  json.end_array();
}

[[gnu::cold]] FETTLE_INLINE void training_log::numbers(json_writer& json, std::string_view key,
                                                       std::span<const std::string> all,
                                                       std::span<const double> values) {
  json.key(key).begin_object();
  for (std::size_t i = 0; i < all.size(); ++i) json.field(all[i], values[i]);
  json.end_object();
}

[[gnu::cold]] FETTLE_INLINE void training_log::finish(json_writer& json) {
  json.end_object();
  line_ += '\n';
  if (std::fwrite(line_.data(), 1, line_.size(), file_) != line_.size()) fail("write", cut);
  if (std::fflush(file_) != 0) fail("write", cut);
}

[[gnu::cold]] FETTLE_INLINE void training_log::fail(const char* what, const char* remedy) const {
  throw error("cannot " + std::string(what) + " the training log '" + path_ +
              "': " + std::strerror(errno) + "; " + remedy);
}

}  // namespace fettle::detail
