// program_fusions: which of a program's computations may be fused, side by side or rewritten,
// without the types of the computations; and what the default rule takes of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/error.hpp>
#include <fettle/ndp/program/program_graph.hpp>
#include <fettle/ndp/program/program_step.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

inline constexpr std::size_t most_fusions = 1024;

template <typename Platform>
class program_fusions {
 public:
  [[nodiscard]] const program_graph& graph() const noexcept { return graph_; }

  /// Of a computation or a rewrite, in a fusion.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    const std::size_t count = no_fusion().size();
    for (std::size_t i = 0; i < count; ++i) {
      if (name_of(i) == name) return i;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::string_view name_of(std::size_t index) const {
    const std::size_t nodes = graph_.nodes.size();
    return index < nodes ? graph_.nodes[index].name
                         : std::string_view(graph_.rewrites[index - nodes].name);
  }
  [[nodiscard]] std::size_t index_of(std::string_view name) const {
    const std::optional<std::size_t> found = find(name);
    if (found) return *found;
    throw error("program: no computation is called \"" + std::string(name) + "\"");
  }
  [[nodiscard]] fused_names names_of(const fusion& fused) const {
    fused_names out;
    for (std::size_t i = 0; i < fused.size(); ++i) {
      if (fused[i]) out.push_back(name_of(i));
    }
    return out;
  }

  /// Exactly the computations with these names. Throws, with the reason, where one cannot be fused.
  [[nodiscard]] fusion fusion_of(const std::vector<std::string>& names) const {
    fusion fused = no_fusion();
    for (const std::string& name : names) fused[index_of(name)] = true;
    for (std::size_t i = 0; i < fused.size(); ++i) {
      const std::string why = fused[i] ? obstacle(i, fused) : std::string();
      if (!why.empty()) {
        throw error("program: \"" + std::string(name_of(i)) + "\" cannot be fused: " + why);
      }
    }
    return fused;
  }

  /// Why `index` cannot be fused under `fused`, in which it is; empty where it can.
  [[nodiscard]] std::string obstacle(std::size_t index, const fusion& fused) const {
    const std::size_t nodes = graph_.nodes.size();
    const std::string_view why = index < nodes ? graph_.obstacle(index, fused)
                                               : graph_.obstacle_to_rewrite(index - nodes, fused);
    if (!why.empty()) return std::string(why);
    const fused_names names = names_of(fused);
    if (index >= nodes) {
      return rewritten_[index - nodes].takes(names)
                 ? ""
                 : "it would compute elements of a fused computation more than once";
    }
    for (const std::size_t reader : graph_.readers_of(index)) {
      if (!fused[reader] && !step_of(reader, fused).takes(names)) {
        return "\"" + std::string(graph_.nodes[reader].name) +
               "\" would compute its elements more than once";
      }
    }
    return {};
  }

  /// All readers take what is fused; and for the sizes that it has, the results take no more memory
  /// than without fusion (what rewrites need for themselves is at most some KiB), and no rewrite is
  /// useless.
  [[nodiscard]] bool is_allowed(const fusion& fused, bool for_any_size = false) const {
    const fused_names names = names_of(fused);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const bool works =
          fused[i] ? graph_.obstacle(i, fused).empty() : step_of(i, fused).takes(names);
      if (!works) return false;
    }
    for (std::size_t r = 0; r < graph_.rewrites.size(); ++r) {
      if (!fused[graph_.nodes.size() + r]) continue;
      if (!graph_.obstacle_to_rewrite(r, fused).empty()) return false;
      if (graph_.rewrites[r].is_useless && !for_any_size) return false;
    }
    return for_any_size || graph_.peak_bytes(fused, false) <= peak_bytes_unfused();
  }

  /// All that are allowed, the one without fusion first; at most most_fusions.
  [[nodiscard]] std::vector<fusion> allowed_fusions(bool for_any_size = false) const {
    std::vector<fusion> found{no_fusion()};
    const auto with = [&](std::size_t i) {
      const std::size_t before = found.size();
      for (std::size_t k = 0; k < before && found.size() < most_fusions; ++k) {
        fusion next = found[k];
        next[i] = true;
        if (obstacle(i, next).empty() && is_allowed(next, for_any_size))
          found.push_back(std::move(next));
      }
    };
    const std::size_t nodes = graph_.nodes.size();
    for (std::size_t i = nodes; i-- > 0;) with(i);  // readers before what they read
    for (std::size_t r = 0; r < graph_.rewrites.size(); ++r) with(nodes + r);
    return found;
  }

  [[nodiscard]] std::vector<std::vector<std::string>> names_of_allowed_fusions() const {
    std::vector<std::vector<std::string>> names;
    for (const fusion& fused : allowed_fusions()) {
      const fused_names its = names_of(fused);
      names.emplace_back(its.begin(), its.end());
    }
    return names;
  }

  [[nodiscard]] fusion no_fusion() const {
    return fusion(graph_.nodes.size() + graph_.rewrites.size(), false);
  }
  [[nodiscard]] std::size_t peak_bytes_unfused() const { return graph_.peak_bytes(no_fusion()); }

  /// Fuses single values, and what one computation alone reads, element by element; computes pairs
  /// side by side that read something in common, and on a GPU, where a kernel less counts, others;
  /// and reductions in one pass with the maps that they were added with.
  [[nodiscard]] fusion default_fusion() const {
    fusion fused = fused_by_default();
    // One pass over several computations was added behind the pair that it contains.
    for (std::size_t r = graph_.rewrites.size(); r-- > 0;) {
      const std::size_t bit = graph_.nodes.size() + r;
      const program_rewrite& its = graph_.rewrites[r];
      if (its.first == its.last || !its.is_preferred) continue;
      if (Platform::runs_on_host && !its.is_one_pass &&
          !graph_.reads_in_common(its.first, its.last)) {
        continue;
      }
      fused[bit] = true;
      if (!obstacle(bit, fused).empty() || !is_allowed(fused)) fused[bit] = false;
    }
    return fused;
  }

 private:
  /// All that the rule fuses where that is allowed at once, as every set of many results is not
  /// compiled; else one after the other, where that is allowed.
  [[nodiscard]] fusion fused_by_default() const {
    fusion wanted = no_fusion();
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const std::vector<std::size_t> readers = graph_.readers_of(i);
      wanted[i] =
          graph_.nodes[i].is_single || (readers.size() == 1 && graph_.reads_once(readers[0], i));
    }
    for (std::size_t i = graph_.nodes.size(); i-- > 0;) {
      wanted[i] = wanted[i] && graph_.obstacle(i, wanted).empty();
    }
    if (is_allowed(wanted)) return wanted;
    fusion fused = no_fusion();
    for (std::size_t i = graph_.nodes.size(); i-- > 0;) {
      if (!wanted[i]) continue;
      fused[i] = true;
      if (!obstacle(i, fused).empty() || !is_allowed(fused)) fused[i] = false;
    }
    return fused;
  }

 protected:
  /// What computes `index`.
  [[nodiscard]] const program_step<Platform>& step_of(std::size_t index,
                                                      const fusion& fused) const {
    const program_rewrite* const by = graph_.rewrite_of(index, fused);
    return by == nullptr ? steps_[index]
                         : rewritten_[static_cast<std::size_t>(by - graph_.rewrites.data())];
  }

  program_graph graph_;
  std::vector<program_step<Platform>> steps_;
  std::vector<program_step<Platform>> rewritten_;
};

}  // namespace fettle::ndp::detail
