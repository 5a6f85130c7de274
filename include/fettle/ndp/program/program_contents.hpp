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
#include <fettle/ndp/program/program_graph.hpp>
#include <fettle/ndp/program/program_memory.hpp>
#include <fettle/ndp/program/program_step.hpp>
#include <fettle/ndp/program/result.hpp>
#include <fettle/ndp/schedule/computation.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

inline constexpr std::size_t most_fusions = 1024;

template <typename Platform>
class program_contents {
 public:
  [[nodiscard]] const program_graph& graph() const noexcept { return graph_; }

  /// The place of the result of a computation that is added.
  result_place& add(program_node node) {
    for (const program_node& other : graph_.nodes) {
      if (other.name == node.name) {
        throw error("program: \"" + std::string(node.name) +
                    "\" is added twice; give each computation a name of its own");
      }
    }
    places_.push_back({node.name, this, nullptr, false});
    graph_.nodes.push_back(std::move(node));
    forget_plan();
    return places_.back();
  }
  void add_step(program_step<Platform> step) { steps_.push_back(std::move(step)); }

  [[nodiscard]] std::size_t index_of(std::string_view name) const {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (graph_.nodes[i].name == name) return i;
    }
    throw error("program: no computation is called \"" + std::string(name) + "\"");
  }
  [[nodiscard]] std::size_t index_of(const result_place& place, std::string_view reader) const {
    if (place.program != this) {
      throw error("program: \"" + std::string(reader) + "\" reads \"" + std::string(place.name) +
                  "\", which is a result of another program: give it a destination there, and read "
                  "that");
    }
    return index_of(place.name);
  }

  [[nodiscard]] fused_names names_of(const fusion& fused) const {
    fused_names out;
    for (std::size_t i = 0; i < fused.size(); ++i) {
      if (fused[i]) out.push_back(graph_.nodes[i].name);
    }
    return out;
  }

  /// Why `index` cannot be fused under `fused`, in which it is; empty where it can.
  [[nodiscard]] std::string obstacle(std::size_t index, const fusion& fused) const {
    const std::string_view why = graph_.obstacle(index, fused);
    if (!why.empty()) return std::string(why);
    const fused_names names = names_of(fused);
    for (const std::size_t reader : graph_.readers_of(index)) {
      if (!fused[reader] && !steps_[reader].takes(names)) {
        return "\"" + std::string(graph_.nodes[reader].name) +
               "\" would compute its elements more than once";
      }
    }
    return {};
  }

  /// All readers take what is fused, and the memory is no more than without fusion.
  [[nodiscard]] bool is_allowed(const fusion& fused) const {
    const fused_names names = names_of(fused);
    for (std::size_t i = 0; i < fused.size(); ++i) {
      if (fused[i] ? !graph_.obstacle(i, fused).empty() : !steps_[i].takes(names)) return false;
    }
    return graph_.peak_bytes(fused) <= peak_bytes_unfused();
  }

  /// All that are allowed, the one without fusion first; at most most_fusions.
  [[nodiscard]] std::vector<fusion> allowed_fusions() const {
    std::vector<fusion> found{no_fusion()};
    for (std::size_t i = graph_.nodes.size(); i-- > 0;) {  // readers before what they read
      const std::size_t before = found.size();
      for (std::size_t k = 0; k < before && found.size() < most_fusions; ++k) {
        fusion next = found[k];
        next[i] = true;
        if (obstacle(i, next).empty() && is_allowed(next)) found.push_back(std::move(next));
      }
    }
    return found;
  }

  /// As planned, or as the default rule would.
  [[nodiscard]] fusion fused_now() const { return is_planned_ ? fused_ : default_fusion(); }
  [[nodiscard]] fusion no_fusion() const { return fusion(graph_.nodes.size(), false); }
  [[nodiscard]] std::size_t peak_bytes_unfused() const { return graph_.peak_bytes(no_fusion()); }

  void plan(fusion fused) {
    forget_plan();
    bytes_ = graph_.place_results(fused, offsets_);
    const fused_names names = names_of(fused);
    for (program_step<Platform>& step : steps_) step.fuse(names);
    fused_ = std::move(fused);
    is_planned_ = true;
  }

  void execute(const Platform& on) {
    if (!is_planned_) plan(default_fusion());
    if (!memory_) allocate(on);
    start_(on, computation{"program"}, [&](const Platform& here) { run_all(here); });
    for (result_place& place : places_) place.host_reads = Platform::runs_on_host;
  }

 private:
  using support = program_support<Platform>;

  /// Fuses single values, and what one computation alone reads, element by element.
  [[nodiscard]] fusion default_fusion() const {
    fusion fused = no_fusion();
    for (std::size_t i = fused.size(); i-- > 0;) {
      const std::vector<std::size_t> readers = graph_.readers_of(i);
      const bool is_read_once = readers.size() == 1 && graph_.reads_once(readers[0], i);
      if (!graph_.nodes[i].is_single && !is_read_once) continue;
      fused[i] = true;
      if (!obstacle(i, fused).empty() || !is_allowed(fused)) fused[i] = false;
    }
    return fused;
  }

  void forget_plan() {
    is_planned_ = false;
    memory_.reset();
    start_ = {};
    for (result_place& place : places_) {
      place.data = nullptr;
      place.is_fused = false;
    }
  }

  void allocate(const Platform& on) {
    memory_ = std::make_unique<typename support::memory>(on, computation{"program"}, bytes_);
    auto* const begin = static_cast<std::byte*>(memory_->data());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const bool in_memory = graph_.nodes[i].bytes > 0 && !fused_[i];
      places_[i].data = in_memory ? begin + offsets_[i] : nullptr;
      places_[i].is_fused = fused_[i];
      places_[i].is_read = !graph_.readers_of(i).empty();
    }
  }

  void run_all(const Platform& on) const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (fused_[i]) continue;
      try {
        steps_[i].run(on);
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

  program_graph graph_;
  std::vector<program_step<Platform>> steps_;
  std::deque<result_place> places_;
  fusion fused_;
  std::vector<std::size_t> offsets_;
  std::size_t bytes_ = 0;
  bool is_planned_ = false;
  std::unique_ptr<typename support::memory> memory_;
  typename support::start start_;
};

}  // namespace fettle::ndp::detail
