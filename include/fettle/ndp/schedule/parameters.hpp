// Which parameters a (expression, schedule) pair has on a platform: Get-Parameters, the paper's
// algorithm 1.
//
// The union, over the nesting levels, of what the level's operator under its schedule can be tuned
// by, after the platform's global parameters. Names are the paper's (table IV). A tuner needs to
// try no other parameter: the rest have no effect on this implementation.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/base/per_level.hpp>
#include <fettle/ndp/schedule/lookup.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/schedule/schedule.hpp>
#include <fettle/ndp/schedule/violation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

/// A parameter of the whole computation (level 0), or of a nesting level, which counts from 1.
struct parameter {
  std::string_view name;
  int level = 0;

  [[nodiscard]] friend constexpr bool operator==(const parameter&, const parameter&) = default;
};

/// "block_size_x"; "grain_size_1" as in the paper's table V.
[[nodiscard]] inline std::string to_string(const parameter& p) {
  std::string out(p.name);
  if (p.level > 0) out += "_" + std::to_string(p.level);
  return out;
}

/// Parameters in their order, each once.
class parameter_list {
 public:
  constexpr void insert(const parameter& p) {
    if (!contains(p)) entries_[size_++] = p;
  }
  [[nodiscard]] constexpr bool contains(const parameter& wanted) const noexcept {
    for (const parameter& p : *this) {
      if (p == wanted) return true;
    }
    return false;
  }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr const parameter* begin() const noexcept { return entries_.data(); }
  [[nodiscard]] constexpr const parameter* end() const noexcept { return entries_.data() + size_; }

 private:
  std::array<parameter, 32> entries_{};
  std::size_t size_ = 0;
};

/// One level as parameters are looked up for it.
struct scheduled_level {
  std::string_view operator_name;
  schedule::kind node;
  int level;                          // counts from 1
  bool is_innermost;                  // no level below it
  bool is_sequential_below;           // no parallel level below it
  std::string_view operator_below{};  // empty where it is the innermost
};

/// A platform's parameter sets. Each platform specialises it in its parameters.hpp, with
///   static constexpr void global(parameter_list&)
///   static constexpr void local(parameter_list&, const scheduled_level&)
template <platform_like Platform>
struct parameter_sets {
  static_assert(sizeof(Platform) == 0,
                "This platform's parameters are not known here: include its parameters.hpp, as "
                "<fettle/ndp/openmp/policy/parameters.hpp>");
};

/// The parameters of Expression under S on Platform. Levels below the third share its parameters
/// and have none of their own.
template <expression_sequence Expression, platform_like Platform, schedule::schedule_like S>
[[nodiscard]] constexpr parameter_list get_parameters() {
  schedule::require_valid<S, Expression>();
  parameter_list out;
  parameter_sets<Platform>::global(out);
  const schedule::expression_levels& levels = schedule::levels_v<Expression>;
  const schedule::nodes& nodes = schedule::nodes_v<S>;
  for (int level = 1; level <= levels.count && level <= per_level<int>::count;) {
    const schedule::kind node = nodes.at_level(level);
    const int below = level + schedule::levels_covered(node);
    bool is_sequential_below = true;
    for (int i = below; i <= levels.count; ++i) {
      if (nodes.at_level(i) != schedule::kind::sequential) is_sequential_below = false;
    }
    const bool is_innermost = below > levels.count;
    parameter_sets<Platform>::local(
        out, {levels[level].operator_name, node, level, is_innermost, is_sequential_below,
              is_innermost ? std::string_view{} : levels[below].operator_name});
    level = below;
  }
  return out;
}

}  // namespace fettle::ndp
