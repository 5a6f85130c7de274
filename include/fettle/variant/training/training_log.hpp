// The training log: what a program in training tells the tuner, as JSON Lines (docs/formats.md,
// section 2). The one writer of this format; python/fettle/training/log.py is the one reader.
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/machine/description.hpp>
#include <fettle/measure/meter.hpp>
#include <fettle/measure/race.hpp>
#include <fettle/variant/training/trainee.hpp>

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
std::string program_path();

/// Appends records, each handed to the kernel before the call returns: a crash of the program right
/// after loses nothing. Every member throws fettle::error when the record cannot be written.
class training_log {
 public:
  explicit training_log(std::string path);
  training_log(const training_log&) = delete;
  training_log& operator=(const training_log&) = delete;
  ~training_log() { std::fclose(file_); }

  /// JSON texts: `policy` holds the options that the program was compiled with, `parameters` the
  /// variants with parameters, `versions` those with a version, `metrics` the metrics if there are
  /// several, `quality` the approximate variants. Each is empty where there are none.
  void header(std::string_view function, std::span<const std::string> variants,
              std::span<const std::string> features, std::string_view default_variant, bool timed,
              bool larger_is_better, std::string_view policy = {}, std::string_view parameters = {},
              std::string_view versions = {}, std::string_view metrics = {},
              std::string_view quality = {});

  /// `problems` says of each feature why it has no value; empty where it has one.
  void call(std::size_t number, std::string_view input, std::span<const std::string> features,
            std::span<const double> values, std::span<const double> nanoseconds,
            std::span<const std::string> problems);

  void started(std::size_t call, std::string_view variant, double limit_s);

  /// `lost_s`: seconds that a run took whose metric is infinite; empty where none was. `output`:
  /// how the output of a variant's first run compares with the default's. `others`: the values of
  /// `metrics` beyond the first.
  void sampled(std::size_t call, std::string_view variant, std::span<const double> metric,
               std::optional<double> lost_s = {}, const output_comparison& output = {},
               std::string_view metrics = {}, std::span<const std::vector<double>> others = {});

  /// What meters measured of a variant: for each of `metrics` a value and its source.
  void metered(std::size_t call, std::string_view variant, std::span<const std::string> metrics,
               std::span<const meter_reading> readings);

  void excluded(std::size_t call, std::string_view variant, std::string_view reason);

  void failed(std::size_t call, std::string_view variant, std::string_view reason);

  void measured(std::size_t call, std::string_view variant);

  void ended(std::size_t call, race_outcome outcome, std::string_view best);

  void misused(std::string_view reason);

 private:
  json_writer start();

  static json_writer& event(json_writer& json, std::size_t call, std::string_view variant,
                            std::string_view what) {
    return json.field("call", call).field("variant", variant).field("event", what);
  }

  static void names(json_writer& json, std::string_view key, std::span<const std::string> all);

  static void numbers(json_writer& json, std::string_view key, std::span<const std::string> all,
                      std::span<const double> values);

  void finish(json_writer& json);

  static constexpr const char* cut = "make room there; what it holds already stays valid";

  [[noreturn]] void fail(const char* what, const char* remedy) const;

  std::string path_;
  std::FILE* file_ = nullptr;
  std::string line_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/training/training_log.ipp>
#endif
