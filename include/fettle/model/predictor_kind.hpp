// predictor_kind: what a kind of predictor provides. predictor_kinds.hpp lists the kinds.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/model/model_input.hpp>

namespace fettle::inline FETTLE_ABI::model {

/// What a predictor says: the index of a variant in the model's list, and whether all inputs are in
/// the region that the model was trained for (outside of it the variant is a guess).
struct decision {
  std::size_t variant;
  bool inside;

  friend bool operator==(const decision&, const decision&) = default;
};

/// A predictor's file, and what model.txt says of it.
struct predictor_source {
  const std::string& file;  ///< its name in messages
  std::string_view text;    ///< its content
  std::string_view classifier;
  std::span<const model_input> inputs;
  std::optional<double> guard;
  std::size_t variants;
};

/// Cache lines of a predictor's tables that are prefetched before a decision: a tree of depth 4 on
/// three inputs. More would keep a core from prefetching what else a call reads. The memory that
/// first_lines() points at has at least as many.
inline constexpr std::size_t lines_ahead = 6;

/// A kind of predictor: immutable, and small, because a predictor keeps it in one cache line with
/// a tag; it shares its tables with its copies. decide() is predictor::decide(), which documents
/// it. `Kind::content` holds the tables of a file (predictor_content below). For an embedded model
/// there is besides `Kind::embedded<Embedded>()`, and `using predictor = Kind` in the type of
/// `Embedded::tables`.
template <typename Kind>
concept predictor_kind = requires(const Kind& kind, const predictor_source& source,
                                  std::span<const double> features, std::span<double> scores) {
  typename Kind::content;
  std::span<const std::string_view>(Kind::classifiers);  // what model.txt calls it
  { Kind::file_ending } -> std::convertible_to<std::string_view>;
  { Kind::read_content(source) } -> std::same_as<typename Kind::content>;
  { Kind::read(source) } -> std::same_as<Kind>;
  { kind.decide(features, scores) } noexcept -> std::same_as<decision>;
  { kind.first_lines() } noexcept -> std::same_as<const void*>;
};

}  // namespace fettle::model
