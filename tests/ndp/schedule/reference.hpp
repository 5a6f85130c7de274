// Schedules by a second opinion: sets of texts that are put together at run time from the
// operators' names, with nothing of the library in between; and what the library says, to be held
// against it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/schedule/lattice.hpp>
#include <fettle/ndp/schedule/platform.hpp>

#include "support/catch.hpp"

namespace schedule_reference {

namespace op = fettle::ndp::op;
namespace platform = fettle::ndp::platform;
namespace schedule = fettle::ndp::schedule;
using fettle::type_list;

using operators =
    type_list<op::map, op::gather, op::scatter, op::range, op::replicate, op::zip, op::join,
              op::striding, op::reverse, op::split, op::cyclic, op::nest, op::windows,
              op::transpose, op::reduce, op::reduce_by_key, op::scan, op::inclusive_scan>;
inline constexpr std::size_t operator_count = operators::size;

using names = std::vector<std::string>;

inline names split_text(std::string_view text) {
  names out;
  std::istringstream in{std::string(text)};
  for (std::string word; std::getline(in, word, '>');) out.push_back(word);
  return out;
}

inline std::string joined(const names& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ">") + word;
  return out;
}

// The second opinion.

inline bool is_one_of(const std::string& name, const names& all) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

inline names levels_of(const names& expression) {
  names out;
  for (const std::string& name : expression) {
    out.push_back(name);
    if (is_one_of(name, {"split", "cyclic", "nest", "windows", "transpose"})) out.push_back(name);
  }
  return out;
}

inline void add_schedules(const names& levels, std::size_t at, names chosen,
                          std::set<std::string>& out) {
  if (at == levels.size()) {
    out.insert(joined(chosen));
    return;
  }
  const bool combines =
      is_one_of(levels[at], {"reduce", "reduce_by_key", "scan", "inclusive_scan"});
  for (const char* choice : {combines ? "cooperative" : "independent", "sequential"}) {
    chosen.emplace_back(choice);
    add_schedules(levels, at + 1, chosen, out);
    chosen.pop_back();
  }
  if (levels[at] == "map" && at + 1 < levels.size() &&
      is_one_of(levels[at + 1], {"reduce", "scan", "inclusive_scan"})) {
    chosen.emplace_back("flattened");
    add_schedules(levels, at + 2, chosen, out);
  }
}

inline std::set<std::string> expected_schedules(const names& expression) {
  std::set<std::string> out;
  add_schedules(levels_of(expression), 0, {}, out);
  return out;
}

inline bool can_be_implemented(const std::string& text, bool on_cuda) {
  const names words = split_text(text);
  std::size_t level = 1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool parallel = words[i] != "sequential";
    if (words[i] == "flattened" && i > 0) return false;
    if (i > 0 && words[0] == "flattened" && parallel) return false;
    if (on_cuda && level > 2 && parallel) return false;
    level += words[i] == "flattened" ? 2U : 1U;
  }
  return true;
}

inline std::set<std::string> implementable(const std::set<std::string>& all, bool on_cuda) {
  std::set<std::string> out;
  for (const std::string& text : all) {
    if (can_be_implemented(text, on_cuda)) out.insert(text);
  }
  return out;
}

// The library's opinion.

template <typename... Schedules>
names texts(type_list<Schedules...> /*list*/) {
  return {std::string(schedule::to_string<Schedules>())...};
}

// What the library says of one expression. Functions, which many expressions share.
struct entry {
  names (*weaker)();
  names (*on_cuda)();
  names (*on_openmp)();
};

template <typename List>
names texts_of() {
  return texts(List{});
}

template <typename Expression>
constexpr entry entry_of() {
  return {&texts_of<schedule::weaker_t<Expression>>,
          &texts_of<schedule::valid_t<Expression, platform::cuda>>,
          &texts_of<schedule::valid_t<Expression, platform::openmp>>};
}

/// The operator whose place in `operators` is the last digit of `Number`.
template <std::size_t Number>
using operator_at = fettle::type_at_t<operators, Number % operator_count>;

inline std::string name_of(std::size_t number) {
  static const names all = [] {
    names out;
    fettle::for_each(operators{},
                     [&]<typename Op>(fettle::type_tag<Op>) { out.emplace_back(Op::name); });
    return out;
  }();
  return all[number % operator_count];
}

inline void check(const names& expression, const entry& its) {
  CAPTURE(joined(expression));
  const std::set<std::string> expected = expected_schedules(expression);
  const auto set_of = [](const names& list) {
    const std::set<std::string> out(list.begin(), list.end());
    CHECK(out.size() == list.size());  // no schedule twice
    return out;
  };
  const names weaker = its.weaker();
  CHECK(set_of(weaker) == expected);
  CHECK(set_of(its.on_cuda()) == implementable(expected, true));
  CHECK(set_of(its.on_openmp()) == implementable(expected, false));
  CHECK(weaker.front().find("sequential") == std::string::npos);  // the strongest comes first
  CHECK(weaker.front().find("flattened") == std::string::npos);
  CHECK(weaker.back().find("independent") == std::string::npos);  // and all sequential last
  CHECK(weaker.back().find("cooperative") == std::string::npos);
}

}  // namespace schedule_reference
