// parameter_list: names of parameters, and what a platform is asked about each nesting level in
// order to list them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fettle/core/abi.hpp>
#include <fettle/ndp/schedule/schedule.hpp>

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

}  // namespace fettle::ndp
