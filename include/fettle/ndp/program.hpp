// program: several computations that are executed together; what only later ones read needs no
// destination.
//
//   ndp::program p;
//   auto scores = p.add<"scores">(map(f, x));                    in memory of the program, or fused
//   p.add<"norm">(reduce(plus{}, map(g, scores)), norm);         into a destination
//   p.execute(platform::openmp{});                               any number of times
//   p.execute<"norm_of_scores">(platform::openmp{});             the same, as it was tuned
//
// A result is a sequence: operators of later computations read it. (What function objects hold, the
// program cannot see: give results as arguments.) A computation whose result has no destination may
// be fused into those that read it; explain(p) says which are, and why others are not. Intermediate
// results share one allocation. On CUDA all of it is one graph launch.
//
// The sequences that expressions and destinations refer to have to stay where they are, and as long
// as they were, between executions: a program that is executed after one of them was freed reads or
// writes freed memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/ndp/base/tuple.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/program/program_builder.hpp>
#include <fettle/ndp/program/program_contents.hpp>
#include <fettle/ndp/program/program_graph.hpp>
#include <fettle/ndp/program/program_pass.hpp>
#include <fettle/ndp/program/program_step.hpp>
#include <fettle/ndp/program/program_text.hpp>
#include <fettle/ndp/program/program_timing.hpp>
#include <fettle/ndp/program/result.hpp>
#include <fettle/ndp/program/tuned_program.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>

#ifdef FETTLE_INTROSPECT
#include <fettle/ndp/introspect_fusions.hpp>
#endif

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

/// How a program's steps are executed.
struct step_execution {
  template <typename E>
  static constexpr bool applies_v = true;

  template <fixed_string Name, typename... Arguments>
  static void run(const Arguments&... arguments) {
#ifdef FETTLE_INTROSPECT
    part_of_program<Name, Arguments...>::report();
#endif
    ndp::execute<Name>(arguments...);
  }
};

}  // namespace detail

/// A program for one platform; `ndp::program` is that for the preferred one. Not thread-safe.
template <platform_like Platform>
class basic_program : detail::program_builder<Platform, detail::step_execution> {
  using builder = detail::program_builder<Platform, detail::step_execution>;
  using builder::own_;

 public:
  /// Adds a computation whose result later ones read: a map, a reduce, a map > reduce, a scan, a
  /// reduce_by_index, or a map > map. Where none reads it, it is kept for the program's user.
  /// Throws what execute throws for arguments whose sizes do not fit together, and for a name that
  /// another computation has.
  template <fixed_string Name, typename E>
    requires(!detail::platform_or_schedule<E>)
  auto add(const E& e) {
    if constexpr (!builder::template check_types<Name, E, no_destination>()) {
      return;
    } else if constexpr (detail::effect_only<E>) {
      this->template insert<Name>(e, no_destination{}, 0);
    } else {
      constexpr bool known = requires { typename detail::result_value_t<E>; } && !returns_count<E>;
      static_assert(known,
                    "program: how many results this computation has is not known before it runs: "
                    "give add() a destination, counted(destination, n)");
      if constexpr (known) {
        using value = detail::result_value_t<E>;
        static_assert(std::is_trivially_copyable_v<value>,
                      "program: a result in the program's memory has to be trivially copyable; "
                      "give add() a destination");
        const index_t count = detail::result_of<E>::count(e);
        const auto values = static_cast<std::size_t>(std::max<index_t>(1, count));
        const auto& place =
            this->template insert<Name>(e, no_destination{}, values * sizeof(value), count == 1);
        return program_result<result_name<Name>, E>{e, &place, count};
      }
    }
  }

  /// ... into a destination, which it returns: later computations read it there. Throws for one
  /// that is too short, or that shares memory with another computation's.
  template <fixed_string Name, typename E, typename D>
    requires(!detail::platform_or_schedule<D>)
  D add(const E& e, const D& destination) {
    if constexpr (builder::template check_types<Name, E, D>()) {
      constexpr bool is_quiet = !returns_count<E> || is_counted_v<D>;
      static_assert(is_quiet,
                    "program: this computation returns how many results it has, for which a "
                    "program would wait; give a destination that takes the number, "
                    "counted(destination, n)");
      if constexpr (is_quiet) {
        this->template insert<Name>(e, destination, 0);
      }
    }
    return destination;
  }

  /// Adds two computations, as one by one, that may be computed side by side: two maps, or two maps
  /// of rows by generic functions (rules::side_by_side), each into a destination. Chosen like a
  /// fusion, by the name "first|second"; by the default rule where both read something in common,
  /// and on a GPU. Where one of them cannot be added, neither is.
  template <fixed_string First, fixed_string Second, typename E1, typename D1, typename E2,
            typename D2>
    requires(!detail::has_reduction_maker_v<E1, D1, E2, D2>)
  void add(const E1& e1, const D1& destination1, const E2& e2, const D2& destination2) {
    this->template check_pair<First, Second>(e1, destination1, e2, destination2);
    add<First>(e1, destination1);
    add<Second>(e2, destination2);
    this->template insert_pair<First, Second>(e1, destination1, e2, destination2);
  }
  /// ... into the program's memory; returns a tuple of both results.
  template <fixed_string First, fixed_string Second, typename E1, typename E2>
    requires(!detail::platform_or_schedule<E1> && !detail::has_reduction_maker_v<E1, E2>)
  auto add(const E1& e1, const E2& e2) {
    this->template check_pair<First, Second>(e1, no_destination{}, e2, no_destination{});
    const auto first = add<First>(e1);
    const auto second = add<Second>(e2);
    this->template insert_pair<First, Second>(e1, no_destination{}, e2, no_destination{});
    return make_tuple(first, second);
  }

  /// Adds one map or two, as above, and a reduction of what they yield, as one by one; all may be
  /// computed in one pass (rules::one_pass), which is chosen like a fusion, by the name
  /// "first|second|total". reduction_of(values ...) makes the reduction of what each map yields:
  ///   add<"q", "total">(e, reduction_of)                     all into the program's memory
  ///   add<"q", "total">(e, to, reduction_of)                 the map into a destination
  ///   add<"x", "r", "total">(e1, to1, e2, to2, reduction_of)
  /// and a last argument is the reduction's destination. reduction_of is called for different types
  /// of values. Returns the results that are in the program's memory, several as a tuple.
  template <fixed_string... Names, typename... Arguments>
    requires(sizeof...(Names) > 1 && detail::has_reduction_maker_v<Arguments...>)
  auto add(const Arguments&... arguments) {
    const std::size_t before = own_->graph().nodes.size();
    try {
      return detail::program_pass::add<Names...>(*this, arguments...);
    } catch (...) {
      own_->keep_first(before);
      throw;
    }
  }

  /// Without a name it is an error.
  template <typename... Arguments>
  void add(const Arguments&... /*arguments*/) {
    static_assert(sizeof...(Arguments) < 0,
                  "program: a computation needs a name: add<\"name\">(e)");
  }

  /// Runs all computations. The first execution chooses what is fused, by a rule or as tune() found
  /// out, and allocates. Where a computation fails, the error says which have written already.
  void execute(const Platform& on = {}) { own_->execute(on); }
  /// ... of a program with a name, which `fettle ndp tune` tunes: what is fused is chosen by a
  /// model, unless fuse() or tune() said it.
  template <fixed_string Name>
  void execute(const Platform& on = {}) {
    static_cast<void>(builder::template check_name<Name>());
#if defined(FETTLE_INTROSPECT)
    detail::introspected_fusions<Name, Platform>::end_program(*own_);
#else
    if constexpr (detail::program_has_choice<Name, Platform>()) {
      detail::program_function<Name, Platform>::execute(*own_, on);
    } else {
      execute(on);
    }
#endif
  }
  template <platform_like Other>
    requires(!std::is_same_v<Other, Platform>)
  void execute(const Other& /*on*/) {
    static_assert(sizeof(Other) == 0,
                  "program: ndp::program runs on the preferred platform (CUDA where nvcc compiles "
                  "the file, OpenMP elsewhere); for another one write "
                  "ndp::basic_program<ndp::platform::tbb>");
  }

  /// Fuses exactly the computations with these names. Throws, with the reason, where one cannot be.
  void fuse(const std::vector<std::string>& names) {
    own_->plan(own_->fusion_of(names), "by fuse()");
  }

  /// Takes the fastest of fusions(), measured on the memory as it is, by `repetitions` executions
  /// of each: a program that updates what it reads is that many iterations further on. What is
  /// fused by the rule stays unless another fusion is faster by more than 2 %.
  void tune(const Platform& on = {}, int repetitions = 5) {
    detail::plan_fastest_fusion(*own_, on, repetitions);
  }

  /// All fusions that are allowed, each as the names of the computations that are fused; the first
  /// fuses none. At most 1024.
  [[nodiscard]] std::vector<std::vector<std::string>> fusions() const {
    return own_->names_of_allowed_fusions();
  }

  /// Bytes of the intermediate results, under what is fused and where nothing is. The first is
  /// never more.
  [[nodiscard]] std::size_t peak_bytes() const {
    return own_->graph().peak_bytes(own_->fused_now());
  }
  [[nodiscard]] std::size_t peak_bytes_unfused() const { return own_->peak_bytes_unfused(); }

  /// Where a result lies that no later computation reads, after execute().
  template <typename Name, typename E>
  [[nodiscard]] auto result(const program_result<Name, E>& of) const {
    using value = typename program_result<Name, E>::value_type;
    const std::size_t index = own_->index_of(*of.place, Name::value.view());
    if (of.place->data == nullptr) detail::throw_not_computed(*of.place);
    if (!own_->graph().readers_of(index).empty()) detail::throw_overwritten(*of.place);
    return sequence<const value>(static_cast<const value*>(of.place->data), of.count);
  }

  /// See explain(p).
  [[nodiscard]] std::string explanation() const { return detail::text_of(*own_); }

 private:
  friend struct detail::program_pass;
};

/// On CUDA in files that nvcc compiles, on OpenMP elsewhere.
using program = basic_program<platform::preferred>;

/// What a program consists of, what is fused, why the rest is not, and the memory that it takes.
template <platform_like Platform>
[[nodiscard]] std::string explain(const basic_program<Platform>& p) {
  return p.explanation();
}

}  // namespace fettle::ndp
