// The online search of one tuned function: a search for each variant with parameters and each kind
// of input, driven by the program's own calls.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/machine/description.hpp>
#include <fettle/measure/timer.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/online/online_cache.hpp>
#include <fettle/variant/online/online_calls.hpp>
#include <fettle/variant/online/online_key.hpp>
#include <fettle/variant/online/online_search.hpp>
#include <fettle/variant/registration/context.hpp>
#include <fettle/variant/registration/held_warnings.hpp>
#include <fettle/variant/registration/registered.hpp>
#include <fettle/variant/registration/registry.hpp>
#include <fettle/variant/registration/variant_tables.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Everything that it refers to has to outlive it. call() and best() are thread-safe.
template <typename Result, typename... Args>
class online_tuner final : public online_calls<Result, Args...> {
 public:
  online_tuner(online_search options, online_key<Args...> key, const registered& all,
               context& shared)
      : options_(std::move(options)),
        key_of_(std::move(key)),
        names_(all.names),
        tables_(all.callables),
        context_(shared) {
    if (options_.measurements == 0) names_.complain("search_online needs at least 1 measurement");
  }

  /// Runs a variant at the best point known for the input, or at one that is tried out.
  Result call(std::size_t variant, Args&&... args) override {
    search* const mine = is_searched(variant) ? search_of(variant, args...) : nullptr;
    if (mine == nullptr) return run(tables_.variants[variant], static_cast<Args&&>(args)...);
    if (mine->settled.load(std::memory_order_acquire)) [[likely]] {
      return run(mine->best, static_cast<Args&&>(args)...);
    }
    std::optional<trial> attempt = begin(*mine);
    if (!attempt) return call_best(*mine, static_cast<Args&&>(args)...);
    return measured(*mine, *attempt, static_cast<Args&&>(args)...);
  }

  /// The name of the best point known for the input. Changes nothing.
  std::string best(std::size_t variant, observed<Args>... args) override {
    search* const mine = is_searched(variant) ? search_of(variant, args...) : nullptr;
    if (mine == nullptr) return names_.variants[variant];
    const std::scoped_lock lock(mine->mutex);
    const registry::family& family = names_.families[variant];
    return family.name + " " + family.space.text_of(mine->strategy.best());
  }

 private:
  struct search {
    search(std::size_t of, std::uint64_t kind, const parameter_space& space,
           const online_search& options)
        : family(of), key(kind), strategy(space, options) {}

    std::size_t family;
    std::uint64_t key;
    std::mutex mutex;  // of the strategy
    point_search strategy;
    any_call best;  // set before `settled`, never changed then
    std::atomic<bool> settled{false};
  };
  struct trial {
    parameter_values point;
    any_call variant;
  };

  static Result run(const any_call& variant, Args&&... args) {
    return erased_variant<Result, Args...>::call(variant, static_cast<Args&&>(args)...);
  }

  // Only what the model has selected at its defaults: FETTLE_FORCE and points of models stay.
  bool is_searched(std::size_t variant) const {
    return variant < names_.families.size() && !names_.families[variant].space.empty();
  }

  /// Null where a feature, or the key, throws.
  search* search_of(std::size_t variant, observed<Args>... args) {
    std::pair<std::size_t, std::uint64_t> searched(variant, 0);
    try {
      searched.second = key_of_(args...);
    } catch (const std::exception& problem) {
      context_.warn_once(std::string(names_.settings.name) + ": what tells inputs apart threw: " +
                         problem.what() + "; parameters keep their defaults");
      return nullptr;
    }
    {
      const std::shared_lock lock(mutex_);
      if (is_read_) {
        const auto found = searches_.find(searched);
        if (found != searches_.end()) return found->second.get();
      }
    }
    const held_warnings held;
    const std::scoped_lock lock(mutex_);
    if (!is_read_) read_cache();
    std::unique_ptr<search>& mine = searches_[searched];
    if (mine == nullptr) mine = make_search(searched.first, searched.second);
    return mine.get();
  }

  std::unique_ptr<search> make_search(std::size_t variant, std::uint64_t key) const {
    return std::make_unique<search>(variant, key, names_.families[variant].space, options_);
  }

  void read_cache() {
    is_read_ = true;
    cache_.emplace(options_.cache, names_.settings.name, describe_machine().processor);
    try {
      for (const cached_point& known : cache_->read()) settle(known);
    } catch (const error& problem) {
      cache_.emplace(std::string(), names_.settings.name, std::string());
      context_.warn_once(std::string(names_.settings.name) + ": " + problem.what());
    }
  }

  void settle(const cached_point& known) {
    for (std::size_t k = 0; k < names_.families.size(); ++k) {
      const registry::family& family = names_.families[k];
      if (family.name != known.variant || family.space.empty()) continue;
      if (const auto values = family.space.parse(known.values)) {
        std::unique_ptr<search>& mine = searches_[{k, known.key}];
        mine = make_search(k, known.key);
        mine->strategy.adopt(*values, known.cost);
        mine->best = tables_.points[k](*values);
        mine->settled.store(true, std::memory_order_release);
      }
    }
  }

  std::optional<trial> begin(search& mine) {
    const held_warnings held;
    const std::scoped_lock lock(mine.mutex);
    std::optional<parameter_values> point = mine.strategy.ask();
    if (!point) {
      conclude(mine);
      return std::nullopt;
    }
    try {
      auto variant = tables_.points[mine.family](*point);
      return trial{*std::move(point), std::move(variant)};
    } catch (const std::exception& problem) {  // a point that does not compile
      context_.warn_once(std::string(names_.settings.name) + ": " + problem.what());
      mine.strategy.tell(*point, std::numeric_limits<double>::infinity());
      conclude(mine);
      return std::nullopt;
    }
  }

  Result call_best(search& mine, Args&&... args) {
    const any_call variant = [&] {
      const std::scoped_lock lock(mine.mutex);
      return tables_.points[mine.family](mine.strategy.best());
    }();
    return run(variant, static_cast<Args&&>(args)...);
  }

  Result measured(search& mine, const trial& attempt, Args&&... args) {
    struct report {
      online_tuner& tuner;
      search& mine;
      const parameter_values& point;
      double cost = std::numeric_limits<double>::infinity();  // where the variant throws
      ~report() { tuner.tell(mine, point, cost); }
    } measured_run{*this, mine, attempt.point};
    const timer clock;
    if constexpr (std::is_void_v<Result>) {
      run(attempt.variant, static_cast<Args&&>(args)...);
      measured_run.cost = clock.seconds();
    } else {
      Result value = run(attempt.variant, static_cast<Args&&>(args)...);
      measured_run.cost = clock.seconds();
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<Result>>) {
        if (tables_.returns_metric[mine.family])
          measured_run.cost = cost_of(static_cast<double>(value));
      }
      return value;
    }
  }

  double cost_of(double metric) const {
    // As in training, a metric below 0 is a failure.
    if (!is_finite(metric) || metric < 0) return std::numeric_limits<double>::infinity();
    return names_.settings.larger_is_better ? -metric : metric;
  }

  void tell(search& mine, const parameter_values& point, double cost) noexcept {
    try {
      const held_warnings held;
      const std::scoped_lock lock(mine.mutex);
      mine.strategy.tell(point, cost);
      conclude(mine);
    } catch (...) {  // no memory: what is known stays
    }
  }

  /// Keeps the best point of a search that is finished. With its mutex.
  void conclude(search& mine) {
    if (!mine.strategy.is_finished() || mine.settled.load(std::memory_order_relaxed)) return;
    mine.best = tables_.points[mine.family](mine.strategy.best());
    mine.settled.store(true, std::memory_order_release);
    const registry::family& family = names_.families[mine.family];
    const cached_point line{family.name, mine.key, family.space.text_of(mine.strategy.best()),
                            mine.strategy.best_cost()};
    if (!is_finite(line.cost)) return;
    try {
      if (cache_->append(line)) return;
    } catch (const error& problem) {
      context_.warn_once(std::string(names_.settings.name) + ": " + problem.what());
      return;
    }
    context_.warn_once(std::string(names_.settings.name) + ": cannot write '" + options_.cache +
                       "', the cache of search_online; points are searched again next time");
  }

  online_search options_;
  online_key<Args...> key_of_;
  const registry& names_;
  const variant_tables& tables_;
  context& context_;

  std::shared_mutex mutex_;  // of the map; searches stay where they are
  bool is_read_ = false;
  std::optional<online_cache> cache_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::unique_ptr<search>> searches_;
};

}  // namespace fettle::detail
