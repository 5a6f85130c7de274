// The lattice of schedules: the paper's figure 2(a), and single operators and pairs of them against
// a second opinion. Triples are in schedule_triples_test.cpp.
#include <cstddef>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/type_list.hpp>
#include <fettle/ndp/base/op.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/schedule/lattice.hpp>
#include <fettle/ndp/schedule/platform.hpp>

#include "ndp/schedule/reference.hpp"
#include "support/catch.hpp"

namespace op = fettle::ndp::op;
namespace platform = fettle::ndp::platform;
namespace schedule = fettle::ndp::schedule;
using fettle::type_list;
using fettle::ndp::expression;
using schedule::cooperative;
using schedule::flattened;
using schedule::independent;
using schedule::sequential;

using spmv = expression<op::map, op::reduce>;

// Figure 2(a): SpMV's strongest schedule and what becomes of it, and Fettle's flattened.
static_assert(std::is_same_v<schedule::strongest_t<spmv>, independent<cooperative<>>>);
static_assert(
    std::is_same_v<schedule::weaker_t<spmv>,
                   type_list<independent<cooperative<>>, independent<sequential<>>,
                             sequential<cooperative<>>, flattened<>, sequential<sequential<>>>>);
// Its arrows.
static_assert(schedule::is_weaker_v<independent<sequential<>>, independent<cooperative<>>>);
static_assert(schedule::is_weaker_v<sequential<cooperative<>>, independent<cooperative<>>>);
static_assert(schedule::is_weaker_v<sequential<sequential<>>, independent<sequential<>>>);
static_assert(schedule::is_weaker_v<sequential<sequential<>>, sequential<cooperative<>>>);
static_assert(schedule::is_weaker_v<sequential<sequential<>>, independent<cooperative<>>>);
static_assert(!schedule::is_weaker_v<sequential<cooperative<>>, independent<sequential<>>>);
static_assert(!schedule::is_weaker_v<independent<sequential<>>, sequential<cooperative<>>>);
static_assert(!schedule::is_weaker_v<independent<cooperative<>>, sequential<sequential<>>>);
static_assert(!schedule::is_weaker_v<independent<cooperative<>>, independent<cooperative<>>>);
static_assert(!schedule::is_weaker_v<cooperative<>, independent<>>);
static_assert(!schedule::is_weaker_v<independent<>, cooperative<>>);

// Levels left out are sequential.
static_assert(schedule::is_valid_v<independent<>, spmv>);
static_assert(schedule::is_valid_v<independent<>, expression<op::map, op::map, op::scan>>);
static_assert(!schedule::is_valid_v<independent<cooperative<sequential<>>>, spmv>);
static_assert(!schedule::is_valid_v<int, spmv> && !schedule::is_valid_v<independent<>, int>);

// CUDA has two parallel levels, OpenMP takes all; both have one flattened kernel.
using three = expression<op::map, op::map, op::reduce>;
static_assert(std::is_same_v<schedule::valid_t<spmv, platform::cuda>, schedule::weaker_t<spmv>>);
static_assert(std::is_same_v<schedule::valid_t<spmv, platform::openmp>, schedule::weaker_t<spmv>>);
static_assert(
    std::is_same_v<
        schedule::valid_t<three, platform::cuda>,
        type_list<independent<independent<sequential<>>>, independent<sequential<sequential<>>>,
                  sequential<independent<sequential<>>>, sequential<sequential<sequential<>>>>>);
static_assert(schedule::limit_v<independent<flattened<>>, platform::openmp> ==
              schedule::limit::flattened_not_outermost);
static_assert(schedule::limit_v<flattened<independent<>>, platform::openmp> ==
              schedule::limit::parallel_below_flattened);
static_assert(schedule::limit_v<sequential<independent<cooperative<>>>, platform::cuda> ==
              schedule::limit::parallel_below_level_2);
static_assert(schedule::limit_v<sequential<independent<cooperative<>>>, platform::openmp> ==
              schedule::limit::none);

namespace {

namespace reference = schedule_reference;
using reference::names;
using reference::operator_at;
using reference::operator_count;
using reference::operators;

template <std::size_t... Numbers>
std::vector<reference::entry> pairs(std::index_sequence<Numbers...> /*all*/) {
  return {reference::entry_of<
      expression<operator_at<Numbers / operator_count>, operator_at<Numbers>>>()...};
}

// A schedule of the text.
schedule::nodes nodes_of(const std::string& text) {
  schedule::nodes out;
  for (const std::string& word : reference::split_text(text)) {
    for (const schedule::kind node : {schedule::kind::independent, schedule::kind::cooperative,
                                      schedule::kind::sequential, schedule::kind::flattened}) {
      if (word == schedule::to_string(node)) out.push_back(node);
    }
  }
  return out;
}

// Everything that the rewrite rules make of a schedule, by replacing words.
std::set<std::string> weaker_texts(const std::string& strong) {
  std::set<std::string> out;
  const names words = reference::split_text(strong);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::vector<names> replacements;
    if (words[i] == "independent" || words[i] == "cooperative") replacements = {{"sequential"}};
    if (words[i] == "flattened") replacements = {{"sequential", "sequential"}};
    const bool pair =
        words[i] == "independent" && i + 1 < words.size() && words[i + 1] == "cooperative";
    if (pair) replacements.push_back({"flattened"});
    for (const names& replacement : replacements) {
      const std::size_t used = replacement.front() == "flattened" ? 2 : 1;
      names next(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(i));
      next.insert(next.end(), replacement.begin(), replacement.end());
      next.insert(next.end(), words.begin() + static_cast<std::ptrdiff_t>(i + used), words.end());
      const std::string text = reference::joined(next);
      if (!out.insert(text).second) continue;
      out.merge(weaker_texts(text));
    }
  }
  return out;
}

// All sequences of 1 to `longest` schedules.
names all_texts(std::size_t longest) {
  names out;
  names last = {""};
  for (std::size_t length = 1; length <= longest; ++length) {
    names next;
    for (const std::string& begin : last) {
      for (const char* word : {"independent", "cooperative", "sequential", "flattened"}) {
        next.push_back(begin + (begin.empty() ? "" : ">") + word);
      }
    }
    out.insert(out.end(), next.begin(), next.end());
    last = next;
  }
  return out;
}

}  // namespace

TEST_CASE("the schedules of every operator and every pair of operators") {
  std::size_t seen = 0;
  fettle::for_each(operators{}, [&]<typename Op>(fettle::type_tag<Op>) {
    reference::check({std::string(Op::name)}, reference::entry_of<expression<Op>>());
    ++seen;
  });
  CHECK(seen == 18);
  const auto all = pairs(std::make_index_sequence<operator_count * operator_count>{});
  CHECK(all.size() == 18 * 18);
  for (std::size_t i = 0; i < all.size(); ++i) {
    reference::check({reference::name_of(i / operator_count), reference::name_of(i)}, all[i]);
  }
}

TEST_CASE("four levels and more") {
  reference::check({"map", "map", "map", "reduce"},
                   reference::entry_of<expression<op::map, op::map, op::map, op::reduce>>());
  reference::check({"split", "nest", "map", "scan"},
                   reference::entry_of<expression<op::split, op::nest, op::map, op::scan>>());
  reference::check({"map", "reduce", "map", "scan", "map", "reduce"},
                   reference::entry_of<
                       expression<op::map, op::reduce, op::map, op::scan, op::map, op::reduce>>());
}

TEST_CASE("the strength relation is what the rewrite rules reach") {
  const names all = all_texts(4);
  int related = 0;
  for (const std::string& strong : all) {
    if (nodes_of(strong).levels() > 4) continue;
    const std::set<std::string> reached = weaker_texts(strong);
    for (const std::string& weak : all) {
      if (nodes_of(weak).levels() != nodes_of(strong).levels()) continue;
      const bool expected = reached.count(weak) > 0;
      if (expected) ++related;
      if (schedule::is_weaker(nodes_of(weak), nodes_of(strong)) != expected) {
        FAIL_CHECK(weak << " and " << strong);
      }
    }
  }
  CHECK(related > 100);
}

TEST_CASE("levels that are left out count as sequential in the strength relation") {
  const auto weaker = [](const char* weak, const char* strong) {
    return schedule::is_weaker(nodes_of(weak), nodes_of(strong));
  };
  CHECK(weaker("independent", "independent>cooperative"));
  CHECK(weaker("sequential", "flattened"));
  CHECK(weaker("flattened", "independent>cooperative"));
  CHECK_FALSE(weaker("independent", "independent>sequential"));  // they are the same
  CHECK_FALSE(weaker("independent", "flattened"));
}

TEST_CASE("a schedule is valid exactly if it is one of the set, with sequential levels added") {
  const auto check_all = []<typename Expression>(fettle::type_tag<Expression>) {
    const schedule::expression_levels& levels = schedule::levels_v<Expression>;
    const std::set<std::string> valid =
        reference::expected_schedules(reference::split_text(fettle::ndp::to_string<Expression>()));
    std::size_t exact = 0;
    for (const std::string& text : all_texts(static_cast<std::size_t>(levels.count) + 1)) {
      const schedule::nodes nodes = nodes_of(text);
      std::string whole = text;
      for (int i = nodes.levels(); i < levels.count; ++i) whole += ">sequential";
      const bool expected = valid.count(whole) > 0;
      if (whole == text && expected) ++exact;
      const schedule::violation found = schedule::first_violation(nodes, levels);
      if (static_cast<bool>(found) == expected) {
        FAIL_CHECK(fettle::ndp::to_string<Expression>() << " by " << text);
      }
    }
    CHECK(exact == valid.size());
  };
  check_all(fettle::type_tag<expression<op::map>>{});
  check_all(fettle::type_tag<expression<op::map, op::reduce>>{});
  check_all(fettle::type_tag<expression<op::map, op::reduce_by_key>>{});
  check_all(fettle::type_tag<expression<op::split, op::scan>>{});
  check_all(fettle::type_tag<expression<op::map, op::map, op::scan>>{});
  check_all(fettle::type_tag<expression<op::reduce, op::map, op::transpose>>{});
}

TEST_CASE("the first violation says what is wrong and what to do") {
  const auto sentence = []<typename S>(S /*schedule*/, auto expression) {
    return schedule::to_string(schedule::first_violation<S, decltype(expression)>());
  };
  CHECK(sentence(independent<independent<>>{}, spmv{}) ==
        "reduce at level 2 cannot be independent: use cooperative or sequential");
  CHECK(sentence(cooperative<independent<>>{}, spmv{}) ==
        "map at level 1 cannot be cooperative: use independent or sequential");
  CHECK(sentence(independent<flattened<>>{}, three{}).empty());
  CHECK(sentence(flattened<>{}, three{}) ==
        "map at level 1 cannot be flattened: use independent or sequential (flattened is for a map "
        "directly followed by reduce or scan)");
  CHECK(sentence(independent<cooperative<sequential<>>>{}, spmv{}) ==
        "the expression has no level 3 that could be sequential: leave it out");
  CHECK(sentence(independent<independent<cooperative<>>>{}, expression<op::split, op::map>{}) ==
        "map at level 3 cannot be cooperative: use independent or sequential");
  CHECK(sentence(independent<cooperative<>>{}, expression<op::split>{}) ==
        "split at level 2 cannot be cooperative: use independent or sequential");
  CHECK(sentence(independent<cooperative<>>{}, spmv{}).empty());
  constexpr schedule::violation found =
      schedule::first_violation<independent<independent<>>, spmv>();
  static_assert(found ==
                schedule::violation{2, "reduce", "independent", "cooperative or sequential"});
}
