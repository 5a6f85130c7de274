// program: several computations that are executed together; what only later ones read needs no
// destination.
//
//   ndp::program p;
//   auto scores = p.add<"scores">(map(f, x));                    in memory of the program, or fused
//   p.add<"norm">(reduce(plus{}, map(g, scores)), norm);         into a destination
//   p.execute(platform::openmp{});                               any number of times
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
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/ndp/execute.hpp>
#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/program/fusing.hpp>
#include <fettle/ndp/program/memory_plan.hpp>
#include <fettle/ndp/program/program_graph.hpp>
#include <fettle/ndp/program/program_memory.hpp>
#include <fettle/ndp/program/resolve.hpp>
#include <fettle/ndp/program/result.hpp>
#include <fettle/ndp/schedule/platform.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>
#include <fettle/ndp/sequence/leaves.hpp>
#include <fettle/ndp/shape/destination.hpp>
#include <fettle/ndp/shape/execute_checks.hpp>
#include <fettle/ndp/shape/expression.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI {

namespace detail {

template <typename S>
[[nodiscard]] std::vector<memory_range> ranges_of(const S& s) {
  std::vector<memory_range> out;
  for_each_leaf(s, [&](const auto& leaf) {
    const auto begin = reinterpret_cast<std::uintptr_t>(leaf.data());
    const auto bytes = static_cast<std::uintptr_t>(leaf.size()) * sizeof(*leaf.data());
    if (bytes > 0) out.push_back({begin, begin + bytes});
  });
  return out;
}

/// One computation of a program, of whatever type.
template <typename Platform>
class program_step {
 public:
  program_step() = default;
  program_step(const program_step&) = delete;
  program_step& operator=(const program_step&) = delete;
  virtual ~program_step() = default;

  /// Whether the expression compiles with those results fused into it whose names are marked.
  [[nodiscard]] virtual bool takes(const std::vector<std::string_view>& fused) const = 0;
  /// From now on run() computes them where it reads them.
  virtual void fuse(const std::vector<std::string_view>& fused) = 0;
  virtual void run(const Platform& on) const = 0;
};

template <fixed_string Name, typename E, typename D, typename Platform>
class program_step_of final : public program_step<Platform> {
 public:
  program_step_of(const E& e, const D& destination, const result_place& place)
      : e_(e), destination_(destination), place_(place) {}

  [[nodiscard]] bool takes(const std::vector<std::string_view>& fused) const override {
    const unsigned wanted = mask_of(fused);
    bool valid = false;
    for_masks([&]<unsigned Mask>(std::integral_constant<unsigned, Mask> /*mask*/) {
      if (Mask == wanted) valid = mask_is_valid<E, results, Mask>();
    });
    return valid;
  }

  void fuse(const std::vector<std::string_view>& fused) override { mask_ = mask_of(fused); }

  void run(const Platform& on) const override {
    for_masks([&]<unsigned Mask>(std::integral_constant<unsigned, Mask> /*mask*/) {
      if constexpr (mask_is_valid<E, results, Mask>()) {
        if (Mask != mask_) return;
        constexpr auto name = name_with<Name, Mask, 0>(results{});
        const auto e = resolve(e_, fuse_results<results, Mask>{});
        if constexpr (!std::is_same_v<D, no_destination>) {
          ndp::execute<name>(e, destination_, on);
        } else if constexpr (effect_only<E>) {
          ndp::execute<name>(e, on);
        } else {
          using value = result_value_t<E>;
          ndp::execute<name>(
              e, sequence<value>(static_cast<value*>(place_.data), result_of<E>::count(e_)), on);
        }
      }
    });
  }

 private:
  using results = typename fusible_results<E>::type;
  static constexpr std::size_t count = list_size_v<results>;

  template <typename Visit>
  static void for_masks(const Visit& visit) {
    [&]<std::size_t... Is>(std::index_sequence<Is...> /*masks*/) {
      (visit(std::integral_constant<unsigned, mask_at(count, unsigned{Is})>{}), ...);
    }(std::make_index_sequence<masks_of(count)>{});
  }

  [[nodiscard]] static unsigned mask_of(const std::vector<std::string_view>& fused) {
    unsigned mask = 0;
    [&]<typename... Results>(type_list<Results...> /*all*/) {
      unsigned bit = 1;
      ((mask |=
        std::find(fused.begin(), fused.end(), Results::name.view()) != fused.end() ? bit : 0,
        bit <<= 1),
       ...);
    }(results{});
    return reached_mask<E>(results{}, mask);
  }

  E e_;
  D destination_;
  const result_place& place_;
  unsigned mask_ = 0;
};

}  // namespace detail

/// A program for one platform; `ndp::program` is that for the preferred one. Not thread-safe.
template <platform_like Platform>
class basic_program {
 public:
  basic_program() : own_(std::make_unique<contents>()) {}

  /// Adds a computation whose result later ones read: a map, a reduce, a map > reduce, a scan, a
  /// reduce_by_index, or a map > map. Where none reads it, it is kept for the program's user.
  /// Throws what execute throws for arguments whose sizes do not fit together, and for a name that
  /// another computation has.
  template <fixed_string Name, typename E>
    requires(!detail::platform_or_schedule<E>)
  auto add(const E& e) {
    if constexpr (!check_name<Name>() || !detail::check_results<E>()) {
      return;
    } else if constexpr (detail::effect_only<E>) {
      insert<Name>(e, no_destination{}, 0);
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
        const auto& place =
            insert<Name>(e, no_destination{},
                         std::max<std::size_t>(1, static_cast<std::size_t>(count)) * sizeof(value));
        own_->graph.nodes.back().is_single = count == 1;
        return program_result<result_name<Name>, E>{e, &place, count};
      }
    }
  }

  /// ... into a destination, which it returns: later computations read it there. Throws for one
  /// that is too short, or that shares memory with another computation's.
  template <fixed_string Name, typename E, typename D>
    requires(!detail::platform_or_schedule<D>)
  D add(const E& e, const D& destination) {
    if constexpr (check_name<Name>() && detail::check_results<E>() &&
                  detail::check_destination<E, D>() && detail::check_platform<Platform, E, D>()) {
      constexpr bool is_quiet = !returns_count<E> || is_counted_v<D>;
      static_assert(is_quiet,
                    "program: this computation returns how many results it has, for which a "
                    "program would wait; give a destination that takes the number, "
                    "counted(destination, n)");
      if constexpr (is_quiet) {
        detail::check_destination_size<Platform>(detail::named<Name>(), e, destination);
        refuse_shared_destination<Name>(detail::ranges_of(destination));
        insert<Name>(e, destination, 0);
      }
    }
    return destination;
  }

  /// Runs all computations. The first execution chooses what is fused, by a rule or as tune() found
  /// out, and allocates. Where a computation fails, the error says which have written already.
  void execute(const Platform& on = {}) {
    contents& all = *own_;
    if (!all.is_planned) plan(default_fusion());
    if (!all.memory) allocate(on);
    const computation named{"program"};
    all.start(on, named, [&](const Platform& here) { run_all(here); });
    for (detail::result_place& place : all.places) place.host_reads = Platform::runs_on_host;
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
    detail::fusion fused(own_->graph.nodes.size(), false);
    for (const std::string& name : names) fused[index_of(name)] = true;
    for (std::size_t i = 0; i < fused.size(); ++i) {
      if (!fused[i]) continue;
      const std::string why = obstacle(i, fused);
      if (!why.empty()) {
        throw error("program: \"" + std::string(own_->graph.nodes[i].name) +
                    "\" cannot be fused: " + why);
      }
    }
    plan(fused);
  }

  /// Takes the fastest of fusions(), measured on the memory as it is, by `repetitions` executions
  /// of each: a program that updates what it reads is that many iterations further on. What is
  /// fused by the rule stays unless another fusion is faster by more than 2 %.
  void tune(const Platform& on = {}, int repetitions = 5) {
    const std::vector<std::string_view> chosen = names_of(fused_now());
    std::vector<std::string> best(chosen.begin(), chosen.end());
    double least = seconds_with(best, on, repetitions) * 0.98;
    for (const std::vector<std::string>& names : fusions()) {
      if (names == best) continue;
      const double seconds = seconds_with(names, on, repetitions);
      if (seconds >= least) continue;
      least = seconds;
      best = names;
    }
    fuse(best);
  }

  /// All fusions that are allowed, each as the names of the computations that are fused; the first
  /// fuses none. At most 1024.
  [[nodiscard]] std::vector<std::vector<std::string>> fusions() const {
    const detail::program_graph& graph = own_->graph;
    const std::size_t count = graph.nodes.size();
    std::vector<detail::fusion> found{detail::fusion(count, false)};
    for (std::size_t i = count; i-- > 0;) {  // readers before what they read
      const std::size_t before = found.size();
      for (std::size_t k = 0; k < before && found.size() < most_fusions; ++k) {
        detail::fusion next = found[k];
        next[i] = true;
        if (obstacle(i, next).empty() && is_allowed(next)) found.push_back(std::move(next));
      }
    }
    std::vector<std::vector<std::string>> names;
    for (const detail::fusion& its : found) {
      names.emplace_back();
      for (std::size_t i = 0; i < count; ++i) {
        if (its[i]) names.back().emplace_back(graph.nodes[i].name);
      }
    }
    return names;
  }

  /// Bytes of the intermediate results, under what is fused and where nothing is. The first is
  /// never more.
  [[nodiscard]] std::size_t peak_bytes() const { return own_->graph.peak_bytes(fused_now()); }
  [[nodiscard]] std::size_t peak_bytes_unfused() const {
    return own_->graph.peak_bytes(detail::fusion(own_->graph.nodes.size(), false));
  }

  /// Where a result lies that no later computation reads, after execute().
  template <typename Name, typename E>
  [[nodiscard]] auto result(const program_result<Name, E>& of) const {
    using value = typename program_result<Name, E>::value_type;
    const std::size_t index = index_of_place(*of.place, Name::value.view());
    if (of.place->data == nullptr) detail::throw_not_computed(*of.place);
    if (!own_->graph.readers_of(index).empty()) detail::throw_overwritten(*of.place);
    return sequence<const value>(static_cast<const value*>(of.place->data), of.count);
  }

  /// See explain(p).
  [[nodiscard]] std::string explanation() const;

 private:
  static constexpr std::size_t most_fusions = 1024;

  template <fixed_string Name>
  [[nodiscard]] static consteval bool check_name() {
    constexpr bool is_named = !Name.empty();
    static_assert(is_named, "program: give each computation a name: p.add<\"name\">(...)");
    return is_named;
  }

  struct contents {
    detail::program_graph graph;
    std::vector<std::unique_ptr<detail::program_step<Platform>>> steps;
    std::deque<detail::result_place> places;
    detail::fusion fused;
    std::vector<std::size_t> offsets;
    std::size_t bytes = 0;
    bool is_planned = false;
    std::unique_ptr<typename detail::program_support<Platform>::memory> memory;
    typename detail::program_support<Platform>::start start;
  };

  /// Of an execution with these fused; the least of several, after two that are not counted.
  [[nodiscard]] double seconds_with(const std::vector<std::string>& names, const Platform& on,
                                    int repetitions) {
    fuse(names);
    execute(on);
    execute(on);
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repetitions; ++i) {
      double seconds = 0;
      if constexpr (platform_traits<Platform>::times_calls) {
        seconds = platform_traits<Platform>::seconds(on, false, [&] { execute(on); });
      } else {
        const timer its;
        execute(on);
        seconds = its.seconds();
      }
      least = seconds < least ? seconds : least;
    }
    return least;
  }

  [[nodiscard]] std::size_t index_of(std::string_view name) const {
    const auto& nodes = own_->graph.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].name == name) return i;
    }
    throw error("program: no computation is called \"" + std::string(name) + "\"");
  }

  [[nodiscard]] std::size_t index_of_place(const detail::result_place& place,
                                           std::string_view reader) const {
    if (place.program != own_.get()) {
      throw error("program: \"" + std::string(reader) + "\" reads \"" + std::string(place.name) +
                  "\", which is a result of another program: give it a destination there, and read "
                  "that");
    }
    return index_of(place.name);
  }

  template <fixed_string Name, typename E, typename D>
  const detail::result_place& insert(const E& e, const D& destination, std::size_t bytes) {
    contents& all = *own_;
    for (const detail::program_node& other : all.graph.nodes) {
      if (other.name == Name.view()) {
        throw error("program: \"" + std::string(Name.view()) +
                    "\" is added twice; give each computation a name of its own");
      }
    }
    detail::check_arguments<Platform>(detail::named<Name>(), without_results(e));
    detail::program_node node;
    node.name = Name.view();
    node.expression = to_string<expression_of_t<E>>();
    node.bytes = bytes;
    node.reads = detail::ranges_of(e);
    if constexpr (!std::is_same_v<D, no_destination>) {
      node.writes = detail::ranges_of(destination);
    } else if constexpr (detail::effect_only<E>) {
      if constexpr (requires { e.destination; }) {
        node.writes = detail::ranges_of(e.destination);
      } else {
        node.writes_unseen = true;
      }
    }
    detail::for_each_result(e, [&](const auto& result) {
      using result_type = std::remove_cvref_t<decltype(result)>;
      node.results.push_back(index_of_place(*result.place, Name.view()));
      if constexpr (detail::reads_once_v<result_type, E>) {
        node.read_once.push_back(node.results.back());
      }
    });
    node.may_hold_addresses = detail::functions_hold_v<E>;
    node.yields_values = detail::yields_values_where_read_v<E>;
    node.is_deterministic = detail::is_deterministic_v<E>;
    all.places.push_back({Name.view(), own_.get(), nullptr, false});
    all.steps.push_back(std::make_unique<detail::program_step_of<Name, E, D, Platform>>(
        e, destination, all.places.back()));
    all.graph.nodes.push_back(std::move(node));
    forget_plan();
    return all.places.back();
  }

  /// `e` with sequences of the results' sizes, which may be asked for their sizes alone.
  template <typename E>
  [[nodiscard]] static auto without_results(const E& e) {
    if constexpr (detail::holds_result_v<E>) {
      return sizes_only{};
    } else {
      return e;
    }
  }
  struct sizes_only {};

  template <fixed_string Name>
  void refuse_shared_destination(const std::vector<detail::memory_range>& writes) const {
    for (const detail::program_node& other : own_->graph.nodes) {
      if (!detail::overlap(writes, other.writes)) continue;
      throw error("program: the destination of \"" + std::string(Name.view()) +
                  "\" overlaps that of \"" + std::string(other.name) +
                  "\"; give each computation a destination of its own");
    }
  }

  void forget_plan() {
    own_->is_planned = false;
    own_->memory.reset();
    own_->start = {};
    for (detail::result_place& place : own_->places) {
      place.data = nullptr;
      place.is_fused = false;
    }
  }

  void plan(detail::fusion fused) {
    forget_plan();
    own_->bytes = own_->graph.place_results(fused, own_->offsets);
    const std::vector<std::string_view> names = names_of(fused);
    for (const auto& step : own_->steps) step->fuse(names);
    own_->fused = std::move(fused);
    own_->is_planned = true;
  }

  void allocate(const Platform& on) {
    contents& all = *own_;
    all.memory = std::make_unique<typename detail::program_support<Platform>::memory>(
        on, computation{"program"}, all.bytes);
    auto* const begin = static_cast<std::byte*>(all.memory->data());
    for (std::size_t i = 0; i < all.places.size(); ++i) {
      const bool in_memory = all.graph.nodes[i].bytes > 0 && !all.fused[i];
      all.places[i].data = in_memory ? begin + all.offsets[i] : nullptr;
      all.places[i].is_fused = all.fused[i];
      all.places[i].is_read = !all.graph.readers_of(i).empty();
    }
  }

  [[nodiscard]] std::vector<std::string_view> names_of(const detail::fusion& fused) const {
    std::vector<std::string_view> out;
    for (std::size_t i = 0; i < fused.size(); ++i) {
      if (fused[i]) out.push_back(own_->graph.nodes[i].name);
    }
    return out;
  }

  void run_all(const Platform& on) const {
    const contents& all = *own_;
    for (std::size_t i = 0; i < all.steps.size(); ++i) {
      if (all.fused[i]) continue;
      try {
        all.steps[i]->run(on);
      } catch (const error& found) {
        const std::string written = written_before(i);
        if (written.empty()) throw;
        throw error(std::string(found.what()) +
                    " (in a program, which has written before: " + written + ")");
      }
    }
  }

  /// The computations before `index` that wrote to memory of the program's user.
  [[nodiscard]] std::string written_before(std::size_t index) const {
    std::string out;
    for (std::size_t i = 0; i < index; ++i) {
      const detail::program_node& node = own_->graph.nodes[i];
      if (node.writes.empty() && !node.writes_unseen) continue;
      out.append(out.empty() ? "" : ", ").append(node.name);
    }
    return out;
  }

  /// Why `index` cannot be fused under `fused`; empty where it can.
  [[nodiscard]] std::string obstacle(std::size_t index, const detail::fusion& fused) const {
    const std::string_view why = own_->graph.obstacle(index, fused);
    if (!why.empty()) return std::string(why);
    const std::vector<std::string_view> names = names_of(fused);
    for (const std::size_t reader : own_->graph.readers_of(index)) {
      if (!fused[reader] && !own_->steps[reader]->takes(names)) {
        return "\"" + std::string(own_->graph.nodes[reader].name) +
               "\" would compute its elements more than once";
      }
    }
    return {};
  }

  /// All readers take what is fused, and the memory is no more than without fusion.
  [[nodiscard]] bool is_allowed(const detail::fusion& fused) const {
    const std::vector<std::string_view> names = names_of(fused);
    for (std::size_t i = 0; i < fused.size(); ++i) {
      if (fused[i] ? !own_->graph.obstacle(i, fused).empty() : !own_->steps[i]->takes(names)) {
        return false;
      }
    }
    return own_->graph.peak_bytes(fused) <= peak_bytes_unfused();
  }

  /// Fuses single values, and what one computation alone reads, element by element.
  [[nodiscard]] detail::fusion default_fusion() const {
    const detail::program_graph& graph = own_->graph;
    detail::fusion fused(graph.nodes.size(), false);
    for (std::size_t i = fused.size(); i-- > 0;) {
      const std::vector<std::size_t> readers = graph.readers_of(i);
      if (!graph.nodes[i].is_single && !(readers.size() == 1 && graph.reads_once(readers[0], i))) {
        continue;
      }
      fused[i] = true;
      if (!obstacle(i, fused).empty() || !is_allowed(fused)) fused[i] = false;
    }
    return fused;
  }

  [[nodiscard]] detail::fusion fused_now() const {
    return own_->is_planned ? own_->fused : default_fusion();
  }

  std::unique_ptr<contents> own_;
};

/// On CUDA in files that nvcc compiles, on OpenMP elsewhere.
using program = basic_program<platform::preferred>;

template <platform_like Platform>
std::string basic_program<Platform>::explanation() const {
  const detail::program_graph& graph = own_->graph;
  const detail::fusion fused = fused_now();
  std::vector<std::size_t> offsets;
  const std::size_t peak = graph.place_results(fused, offsets);
  std::string text =
      "program on " + std::string(Platform::name) + ": " + std::to_string(graph.nodes.size()) +
      " computations, " + std::to_string(std::count(fused.begin(), fused.end(), true)) +
      " of them fused, " + std::to_string(peak) + " bytes of intermediate results (" +
      std::to_string(peak_bytes_unfused()) + " without fusion)\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const detail::program_node& node = graph.nodes[i];
    text.append("  ").append(node.name).append(": ").append(node.expression);
    for (std::size_t k = 0; k < node.results.size(); ++k) {
      text.append(k == 0 ? " of " : ", ").append(graph.nodes[node.results[k]].name);
    }
    if (fused[i]) {
      text += "; fused into";
      for (const std::size_t reader : graph.readers_of(i)) {
        text.append(" ").append(graph.nodes[reader].name);
      }
    } else if (node.bytes == 0) {
      text += "; into its destination";
    } else {
      detail::fusion with = fused;
      with[i] = true;
      std::string why = obstacle(i, with);
      if (why.empty() && !is_allowed(with)) why = "it would take more memory";
      text.append("; ").append(std::to_string(node.bytes)).append(" bytes at ");
      text.append(std::to_string(offsets[i]));
      text.append(why.empty() ? ", could be fused" : ", not fused: ").append(why);
    }
    text += '\n';
  }
  return text;
}

/// What a program consists of, what is fused, why the rest is not, and the memory that it takes.
template <platform_like Platform>
[[nodiscard]] std::string explain(const basic_program<Platform>& p) {
  return p.explanation();
}

}  // namespace fettle::ndp
