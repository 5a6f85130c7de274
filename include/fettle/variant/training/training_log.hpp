// The training log: what a program in training tells the tuner, as JSON Lines (docs/formats.md,
// section 2). The one writer of this format; python/fettle/training/log.py is the one reader.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/machine/description.hpp>
#include <fettle/measure/race.hpp>

namespace fettle::inline FETTLE_ABI::detail {

constexpr std::string_view to_text(race_outcome outcome) noexcept {
  switch (outcome) {
    case race_outcome::settled:
      return "settled";
    case race_outcome::single:
      return "single";
    case race_outcome::budget:
    case race_outcome::running:
      break;
  }
  return "budget";
}

/// The program's own path, as the kernel knows it; empty where it does not say.
inline std::string program_path() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

/// Appends records, each handed to the kernel before the call returns: a crash of the program right
/// after loses nothing. Every member throws fettle::error when the record cannot be written.
class training_log {
 public:
  explicit training_log(std::string path) : path_(std::move(path)) {
    file_ = std::fopen(path_.c_str(), "a");
    if (file_ == nullptr) {
      fail("open",
           "FETTLE_TRAINING_LOG has to name a file in a folder that can be written; run the "
           "program through the tuning script, which sets it");
    }
  }
  training_log(const training_log&) = delete;
  training_log& operator=(const training_log&) = delete;
  ~training_log() { std::fclose(file_); }

  /// `policy` is JSON of the options that the program was compiled with; `parameters` says which
  /// variants have parameters, `versions` which have a version; empty where none has.
  void header(std::string_view function, std::span<const std::string> variants,
              std::span<const std::string> features, std::string_view default_variant, bool timed,
              bool larger_is_better, std::string_view policy = {}, std::string_view parameters = {},
              std::string_view versions = {}) {
    json_writer json = start();
    json.field("fettle_log", 1).field("function", function);
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
    finish(json);
  }

  /// `problems` says of each feature why it has no value; empty where it has one.
  void call(std::size_t number, std::string_view input, std::span<const std::string> features,
            std::span<const double> values, std::span<const double> nanoseconds,
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

  void started(std::size_t call, std::string_view variant, double limit_s) {
    json_writer json = start();
    event(json, call, variant, "start").field("limit_s", limit_s);
    finish(json);
  }

  /// `lost_s` is what a run took that came to an infinite metric; nothing where none did.
  /// `same_bits` says of a variant's first run whether its output was the default's bit by bit.
  void sampled(std::size_t call, std::string_view variant, std::span<const double> metric,
               std::optional<double> lost_s = {}, std::optional<bool> same_bits = {}) {
    json_writer json = start();
    event(json, call, variant, "sample").field("metric", metric);
    if (lost_s) json.field("lost_s", *lost_s);
    if (same_bits) json.field("bitwise", *same_bits);
    finish(json);
  }

  void excluded(std::size_t call, std::string_view variant, std::string_view reason) {
    json_writer json = start();
    event(json, call, variant, "excluded").field("reason", reason);
    finish(json);
  }

  void failed(std::size_t call, std::string_view variant, std::string_view reason) {
    json_writer json = start();
    event(json, call, variant, "failed").field("reason", reason);
    finish(json);
  }

  void measured(std::size_t call, std::string_view variant) {
    json_writer json = start();
    event(json, call, variant, "measured");
    finish(json);
  }

  void ended(std::size_t call, race_outcome outcome, std::string_view best) {
    json_writer json = start();
    json.field("call", call).field("event", "end").field("outcome", to_text(outcome));
    json.field("best", best);
    finish(json);
  }

  void misused(std::string_view reason) {
    json_writer json = start();
    json.field("event", "error").field("reason", reason);
    finish(json);
  }

 private:
  json_writer start() {
    line_.clear();
    json_writer json(line_);
    json.begin_object();
    return json;
  }

  static json_writer& event(json_writer& json, std::size_t call, std::string_view variant,
                            std::string_view what) {
    return json.field("call", call).field("variant", variant).field("event", what);
  }

  static void names(json_writer& json, std::string_view key, std::span<const std::string> all) {
    json.key(key).begin_array();
    for (const std::string& name : all) json.value(name);
    json.end_array();
  }

  static void numbers(json_writer& json, std::string_view key, std::span<const std::string> all,
                      std::span<const double> values) {
    json.key(key).begin_object();
    for (std::size_t i = 0; i < all.size(); ++i) json.field(all[i], values[i]);
    json.end_object();
  }

  void finish(json_writer& json) {
    json.end_object();
    line_ += '\n';
    if (std::fwrite(line_.data(), 1, line_.size(), file_) != line_.size()) fail("write", cut);
    if (std::fflush(file_) != 0) fail("write", cut);
  }

  static constexpr const char* cut = "make room there; what it holds already stays valid";

  [[noreturn]] void fail(const char* what, const char* remedy) const {
    throw error("cannot " + std::string(what) + " the training log '" + path_ +
                "': " + std::strerror(errno) + "; " + remedy);
  }

  std::string path_;
  std::FILE* file_ = nullptr;
  std::string line_;
};

}  // namespace fettle::detail
