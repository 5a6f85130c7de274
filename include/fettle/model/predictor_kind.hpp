// predictor_kind: what a kind of predictor provides. predictor_kinds.hpp lists the kinds.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

namespace detail {

// A lambda in a concept is refused by nvcc.
struct any_table_visitor {
  template <typename Table>
  void operator()(const char* name, const Table& table) const;
};

}  // namespace detail

/// The tables of a predictor's file. The tuner reads them by `content.visit_tables(visitor)`, which
/// calls `visitor(name, table)` for each: a number, or a std::vector of numbers or of structs with
/// members(), a std::tuple of numbers. An embedded model has the same tables in the same order, in
/// a struct `Content::constants` whose template arguments are shape().
template <typename Content>
concept predictor_content = requires(const Content& content) {
  { Content::constants } -> std::convertible_to<std::string_view>;
  { content.shape() } -> std::same_as<std::vector<std::size_t>>;
  content.visit_tables(detail::any_table_visitor{});
};

/// A kind of predictor: immutable, and small, because a predictor keeps it in one cache line with
/// a tag; it shares its tables with its copies. decide() is predictor::decide(), which documents
/// it. For an embedded model there is besides `Kind::embedded<Embedded>()`, and
/// `using predictor = Kind` in the type of `Embedded::tables`.
template <typename Kind>
concept predictor_kind =
    predictor_content<typename Kind::content> &&
    requires(const Kind& kind, const predictor_source& source, std::span<const double> features,
             std::span<double> scores) {
      std::span<const std::string_view>(Kind::classifiers);  // what model.txt calls it
      { Kind::file_ending } -> std::convertible_to<std::string_view>;
      { Kind::read_content(source) } -> std::same_as<typename Kind::content>;
      { Kind::read(source) } -> std::same_as<Kind>;
      { kind.decide(features, scores) } noexcept -> std::same_as<decision>;
      { kind.first_lines() } noexcept -> std::same_as<const void*>;
    };

}  // namespace fettle::model
