// program_builder: adds computations to a program: checks them, records what they read and write,
// and makes their steps and rewrites (rewrite.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/program/fusing.hpp>
#include <fettle/ndp/program/kept_values.hpp>
#include <fettle/ndp/program/memory_ranges.hpp>
#include <fettle/ndp/program/one_pass_execution.hpp>
#include <fettle/ndp/program/program_contents.hpp>
#include <fettle/ndp/program/program_graph.hpp>
#include <fettle/ndp/program/program_step.hpp>
#include <fettle/ndp/program/reads.hpp>
#include <fettle/ndp/program/resolve.hpp>
#include <fettle/ndp/program/result.hpp>
#include <fettle/ndp/program/rewrite.hpp>
#include <fettle/ndp/program/rewritten_execution.hpp>
#include <fettle/ndp/schedule/platform_traits.hpp>
#include <fettle/ndp/shape/argument_sizes.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/destination_size.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>
#include <fettle/ndp/shape/expression.hpp>
#include <fettle/ndp/shape/holds_result.hpp>
#include <fettle/ndp/shape/one_pass.hpp>
#include <fettle/ndp/shape/side_by_side.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// Steps are executed by Execute (program_step.hpp).
template <typename Platform, typename Execute>
class program_builder {
 protected:
  template <fixed_string Name>
  [[nodiscard]] static consteval bool check_name() {
    constexpr bool is_named =
        !Name.empty() && Name.view().find_first_of("+|") == std::string_view::npos;
    static_assert(is_named,
                  "program: give each computation a name, p.add<\"name\">(...), without '+' "
                  "and '|', which join names of computations");
    return is_named;
  }

  /// Whether a program takes `E` into a D; a sentence where not.
  template <fixed_string Name, typename E, typename D>
  [[nodiscard]] static consteval bool check_types() {
    if constexpr (!check_name<Name>() || !check_results<E>()) {
      return false;
    } else if constexpr (std::is_same_v<D, no_destination>) {
      return true;
    } else {
      constexpr bool is_sequence = random_access<D> || any_invalid_v<D>;
      static_assert(is_sequence,
                    "program: a destination must be a sequence, also of one value: "
                    "make_sequence(&value, 1)");
      if constexpr (!is_sequence)
        return false;
      else
        return check_destination<E, D>() && check_platform<Platform, E, D>();
    }
  }

  /// What is known of a computation before it is added, perhaps behind another one that is not
  /// added yet. Throws where it cannot be.
  template <fixed_string Name, typename E, typename D>
  [[nodiscard]] program_node checked_node(const E& e, const D& destination,
                                          const program_node* behind = nullptr) const {
    constexpr bool has_destination = !std::is_same_v<D, no_destination>;
    if constexpr (has_destination) {
      check_destination_size<Platform>(named<Name>(), e, destination);
    }
    check_arguments<Platform>(named<Name>(), without_results(e));
    program_node node;
    node.name = Name.view();
    node.expression = to_string<expression_of_t<E>>();
    node.reads = ranges_of(e);
    if constexpr (has_destination) {
      node.writes = ranges_of(destination);
    } else if constexpr (effect_only<E>) {
      if constexpr (requires { e.destination; }) {
        node.writes = ranges_of(e.destination);
      } else {
        node.writes_unseen = true;
      }
    }
    for_each_result(e, [&](const auto& result) {
      using result_type = std::remove_cvref_t<decltype(result)>;
      node.results.push_back(own_->index_of(*result.place, Name.view()));
      if constexpr (reads_once_v<result_type, E>) {
        node.read_once.push_back(node.results.back());
      }
    });
    node.may_hold_addresses = functions_hold_v<E>;
    node.yields_values = yields_values_where_read_v<E>;
    node.is_deterministic = is_deterministic_v<E>;
    for (const program_node& other : own_->graph().nodes) {
      refuse_clash(node, other, has_destination);
    }
    if (behind != nullptr) refuse_clash(node, *behind, has_destination);
    return node;
  }

  /// Throws where one of two computations cannot be added, before either is.
  template <fixed_string First, fixed_string Second, typename E1, typename D1, typename E2,
            typename D2>
  void check_pair(const E1& e1, const D1& destination1, const E2& e2,
                  const D2& destination2) const {
    if constexpr (rules::side_by_side::applies_v<E1, E2> && check_types<First, E1, D1>() &&
                  check_types<Second, E2, D2>()) {
      const program_node first = checked_node<First>(e1, destination1);
      static_cast<void>(checked_node<Second>(e2, destination2, &first));
    }
  }

  template <fixed_string Name, typename E, typename D>
  const result_place& insert(const E& e, const D& destination, std::size_t bytes,
                             bool is_single = false) {
    program_node node = checked_node<Name>(e, destination);
    node.bytes = bytes;
    node.is_single = is_single;
    const result_place& place = own_->add(std::move(node));
    own_->add_step(program_step<Platform>::template of<Execute, Name>(e, destination, place));
    if constexpr (compiles_rewrites_v<Platform> && !effect_only<E>) {
      insert_rewrites<Name>(e, destination, place);
    }
    return place;
  }

  /// The two computations that were added last, side by side.
  template <fixed_string First, fixed_string Second, typename E1, typename D1, typename E2,
            typename D2>
  void insert_pair(const E1& e1, const D1& destination1, const E2& e2, const D2& destination2) {
    constexpr bool applies = rules::side_by_side::applies_v<E1, E2>;
    static_assert(applies,
                  "program: computations that are added together have to be two maps of values, or "
                  "two maps whose generic functions compute values of rows; add others one by one");
    if constexpr (applies) {
      const std::size_t last = own_->graph().nodes.size() - 1;
      if (e1.size() != e2.size()) return;  // then one after the other
      const auto to1 = destination_in(e1, destination1, own_->place(last - 1));
      const auto to2 = destination_in(e2, destination2, own_->place(last));
      using pair =
          pair_destination<std::remove_cvref_t<decltype(to1)>, std::remove_cvref_t<decltype(to2)>>;
      constexpr auto name = joined_name<First, Second, '|'>();
      own_->add_rewrite({std::string(name.view()), last - 1, last}, [&](const auto& room) {
        return program_step<Platform>::template of<Execute, name>(
            rules::side_by_side::apply(e1, e2), pair{to1, to2, e1.size()}, room);
      });
    }
  }

  /// `maps` computations before the last one, as one map into `kept`, and the last one, a reduction
  /// of what they keep, in one pass.
  template <fixed_string Name, typename M, typename Kept, typename R, typename Total>
  void insert_one_pass(const M& map, const Kept& kept, const R& reduction, const Total& total,
                       std::size_t maps) {
    using execution = one_pass_execution<Platform>;
    constexpr bool is_reduction = scalar_reduction<R>;
    static_assert(is_reduction,
                  "program: what is added with the maps before it has to be a reduction to one "
                  "value of what they yield; add other computations by themselves");
    if constexpr (is_reduction) {
      if constexpr (rules::one_pass::applies_v<M, R> && is_flat_destination_v<Total> &&
                    reads_kept_in_place_v<decltype(R::source)> &&
                    requires { platform_traits<Platform>::template takes_one_pass_v<M, R>; }) {
        if (map.size() != reduction.source.size()) return;  // then one after the other
        const std::vector<program_node>& nodes = own_->graph().nodes;
        const std::size_t last = nodes.size() - 1;
        program_rewrite its{std::string(Name.view()), last - maps, last};
        its.is_one_pass = true;
        const std::vector<memory_range> others = ranges_of(reduction);
        for (std::size_t i = its.first; i < last; ++i) {
          if (overlap(others, nodes[i].writes)) its.is_one_pass = false;
        }
        its.is_preferred = prefers_one_pass(map);
        own_->add_rewrite(std::move(its), [&](const auto& room) {
          return program_step<Platform>::template of<execution, Name>(
              one_pass<M, R>{map, reduction}, late_one_pass_destination<Kept, Total>{kept, total},
              room);
        });
      }
    }
  }

  /// The computation that was added last, by each operator rule that applies to it.
  template <fixed_string Name, typename E, typename D>
  void insert_rewrites(const E& e, const D& destination, const result_place& place) {
    const std::size_t last = own_->graph().nodes.size() - 1;
    const auto to = destination_in(e, destination, place);
    constexpr bool is_flat = is_flat_destination_v<std::remove_cvref_t<decltype(to)>>;
    for_each(rules_of_programs{}, [&]<typename Rule>(type_tag<Rule> /*rule*/) {
      using execution = rewritten_execution<Execute, Rule>;
      if constexpr (execution::template applies_v<E> && is_flat) {
        const std::string name = std::string(Name.view()) + ':' + std::string(Rule::rule.name);
        own_->add_rewrite({name, last, last, execution::room(e), tiles_of(tiled_count(e)) == 1},
                          [&](const auto& room) {
                            return program_step<Platform>::template of<execution, Name>(e, to,
                                                                                        room);
                          });
      }
    });
  }

  std::unique_ptr<program_contents<Platform>> own_ = std::make_unique<program_contents<Platform>>();

 private:
  /// By the default rule, also where what it reads is fused into it.
  template <typename M>
  [[nodiscard]] static bool prefers_one_pass(const M& map) {
    bool prefers = true;
    if constexpr (requires { platform_traits<Platform>::prefers_one_pass(map); }) {
      prefers = platform_traits<Platform>::prefers_one_pass(map);
      for_each_result(map, [&](const auto& result) {
        if constexpr (maps_to_reductions_v<std::remove_cvref_t<decltype(result.expression)>>) {
          prefers = prefers && platform_traits<Platform>::prefers_one_pass(result.expression);
        }
      });
    }
    return prefers;
  }

  static void refuse_clash(const program_node& node, const program_node& other,
                           bool has_destination) {
    if (node.name == other.name) {
      throw error("program: \"" + std::string(node.name) +
                  "\" is added twice; give each computation another name");
    }
    if (has_destination && overlap(node.writes, other.writes)) {
      throw error("program: the destination of \"" + std::string(node.name) +
                  "\" overlaps that of \"" + std::string(other.name) +
                  "\"; give each computation another destination");
    }
  }

  /// `e` with sequences of the results' sizes, which may be asked for their sizes alone.
  template <typename E>
  [[nodiscard]] static auto without_results(const E& e) {
    if constexpr (holds_result_v<E>) {
      return sizes_only{};
    } else {
      return e;
    }
  }
  struct sizes_only {};
};

}  // namespace fettle::ndp::detail
