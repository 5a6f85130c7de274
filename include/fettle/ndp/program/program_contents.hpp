// program_contents: a program without the types of its computations: what they read and write, what
// is fused, and the memory of their results.
//
// A plan says what is fused and where each result lies; it holds until a computation is added or
// another fusion is chosen. The first execution under a plan allocates.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/program/program_fusions.hpp>
#include <fettle/ndp/program/program_graph.hpp>
#include <fettle/ndp/program/program_memory.hpp>
#include <fettle/ndp/program/program_step.hpp>
#include <fettle/ndp/program/result.hpp>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

/// Who chose what is fused.
inline constexpr std::string_view by_rule = "by the default rule";

template <typename Platform>
class program_contents : public program_fusions<Platform> {
  using base = program_fusions<Platform>;
  using base::graph_;
  using base::rewritten_;
  using base::step_of;
  using base::steps_;

 public:
  using base::default_fusion;
  using base::find;
  using base::index_of;
  using base::names_of;

  /// The place of the result of a computation that is added.
  result_place& add(program_node node) {
    places_.push_back({node.name, this, nullptr, false});
    graph_.nodes.push_back(std::move(node));
    forget_plan();
    return places_.back();
  }
  [[nodiscard]] const result_place& place(std::size_t index) const { return places_[index]; }
  void add_step(program_step<Platform> step) { steps_.push_back(std::move(step)); }
  /// Another way to compute what was added last; make(place) makes its step, with the place of the
  /// memory that it needs for itself.
  template <typename Make>
  void add_rewrite(program_rewrite its, const Make& make) {
    graph_.rewrites.push_back(std::move(its));
    rooms_.push_back({"", this});
    rewritten_.push_back(make(rooms_.back()));
    forget_plan();
  }

  /// Takes back all but the first `count` computations.
  void keep_first(std::size_t count) {
    while (!graph_.rewrites.empty() && graph_.rewrites.back().last >= count) {
      graph_.rewrites.pop_back();
      rewritten_.pop_back();
      rooms_.pop_back();
    }
    while (graph_.nodes.size() > count) {
      graph_.nodes.pop_back();
      places_.pop_back();
    }
    while (steps_.size() > count) steps_.pop_back();
    forget_plan();
  }

  [[nodiscard]] std::size_t index_of(const result_place& place, std::string_view reader) const {
    if (place.program != this) {
      throw error("program: \"" + std::string(reader) + "\" reads \"" + std::string(place.name) +
                  "\", which is a result of another program: give it a destination there, and read "
                  "that");
    }
    return index_of(place.name);
  }

  /// As planned, or as the default rule would.
  [[nodiscard]] fusion fused_now() const { return is_planned_ ? fused_ : default_fusion(); }
  /// What is fused from now on, and by whose choice: for explain(p).
  void plan(fusion fused, std::string choice) {
    forget_plan();
    bytes_ = graph_.place_results(fused, offsets_);
    const fused_names names = names_of(fused);
    for (program_step<Platform>& step : steps_) step.fuse(names);
    for (program_step<Platform>& step : rewritten_) step.fuse(names);
    fused_ = std::move(fused);
    choice_ = std::move(choice);
    is_planned_ = true;
  }
  [[nodiscard]] bool is_planned() const noexcept { return is_planned_; }
  [[nodiscard]] std::string_view choice() const noexcept { return choice_; }

#ifdef FETTLE_NDP_TRAINING
  /// Copies of the user's memory that it writes to, and where `with_results` of the results for the
  /// user.
  [[nodiscard]] captured outputs(index_t elements, bool with_results, const Platform& on) const {
    captured all(elements);
    for (const program_step<Platform>& step : steps_) step.capture(all, on);
    for (const program_step<Platform>& step : steps_) {
      if (with_results) step.capture_result(all, on);
    }
    return all;
  }
  /// Puts the user's memory back.
  void restore(const captured& outputs, const Platform& on) const {
    std::size_t index = 0;
    for (const program_step<Platform>& step : steps_) step.restore(outputs, index, on);
  }
#endif

  void execute(const Platform& on) {
    if (!is_planned_) plan(default_fusion(), std::string(by_rule));
    if (!memory_) allocate(on);
    start_(on, computation{"program"}, [&](const Platform& here) { run_all(here); });
    for (result_place& place : places_) place.host_reads = Platform::runs_on_host;
  }

 private:
  using support = program_support<Platform>;

  void forget_plan() {
    is_planned_ = false;
    choice_ = by_rule;
    memory_.reset();
    start_ = {};
    for (result_place& place : places_) {
      place.data = nullptr;
      place.is_fused = false;
    }
  }

  void allocate(const Platform& on) {
    memory_ = std::make_unique<typename support::memory>(on, computation{"program"}, bytes_,
                                                         results_in_memory());
    auto* const begin = static_cast<std::byte*>(memory_->data());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const bool in_memory = graph_.nodes[i].bytes > 0 && !fused_[i];
      places_[i].data = in_memory ? begin + offsets_[i] : nullptr;
      places_[i].is_fused = fused_[i];
      places_[i].is_read = !graph_.readers_of(i).empty();
    }
    for (std::size_t r = 0; r < rooms_.size(); ++r) {
      rooms_[r].data = begin + offsets_[places_.size() + r];
    }
  }

  [[nodiscard]] std::vector<result_range> results_in_memory() const {
    std::vector<result_range> found;
    for (std::size_t i = 0; i < places_.size(); ++i) {  // behind them lie the rewrites' rooms
      if (graph_.nodes[i].bytes > 0 && !fused_[i]) {
        found.push_back({offsets_[i], graph_.nodes[i].bytes});
      }
    }
    return found;
  }

  void run_all(const Platform& on) const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (fused_[i]) continue;
      const program_rewrite* const by = graph_.rewrite_of(i, fused_);
      if (by != nullptr && by->first != i) continue;
      try {
        step_of(i, fused_).run(on);
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
      const program_node& node = graph_.nodes[i];
      if (node.writes.empty() && !node.writes_unseen) continue;
      out.append(out.empty() ? "" : ", ").append(node.name);
    }
    return out;
  }

  std::deque<result_place> places_;
  std::deque<result_place> rooms_;  // of the rewrites
  fusion fused_;
  std::vector<std::size_t> offsets_;
  std::size_t bytes_ = 0;
  bool is_planned_ = false;
  std::string choice_{by_rule};
  std::unique_ptr<typename support::memory> memory_;
  typename support::start start_;
};

}  // namespace fettle::ndp::detail
