// A shard: candidates, compiled from the program's own source into a shared object, which the
// program in training loads. FETTLE_NDP_SHARD is defined in such a build.
//
// Every instantiation of execute<"name"> lists its candidates by static initialisation, so when the
// shared object is opened; nothing else of the program is compiled.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/fixed_string.hpp>
#include <fettle/core/type_name.hpp>
#include <fettle/ndp/tuned/call.hpp>
#include <fettle/ndp/tuned/candidate.hpp>
#include <fettle/ndp/tuned/shard_table.hpp>

namespace fettle::inline FETTLE_ABI::ndp::inline FETTLE_NDP_ABI::detail {

struct shard_contents {
  std::deque<std::string> names;  // where the entries' texts are
  std::vector<fettle_ndp_shard_entry> entries;
  fettle_ndp_shard table{};
};

[[nodiscard]] inline shard_contents& this_shard() {
  static shard_contents contents;
  return contents;
}

template <fixed_string Name, typename E, typename D, typename Platform>
bool list_candidates() {
  using tuned = tuned_computation<Name, Platform>;
  tuned::template check<E>();
  for_each_implementation<Name, E, D, Platform>(
      [](const erased_implementation& its) {
        shard_contents& shard = this_shard();
        shard.names.push_back(its.name);
        shard.entries.push_back({Name.characters, Platform::name.data(), type_name<E>(),
                                 type_name<D>(), shard.names.back().c_str(), its.call, its.policy,
                                 its.condition, its.is_approximate});
      },
      typename tuned::candidates{});
  return true;
}

template <fixed_string Name, typename E, typename D, typename Platform>
struct shard_entry {
  static inline const bool is_listed = list_candidates<Name, E, D, Platform>();

  static bool require() { return is_listed; }
};

}  // namespace fettle::ndp::detail

/// The one symbol of a shard that can be seen from outside. No static in it: that would be one for
/// all shards of a process.
extern "C" __attribute__((used, visibility("default"))) inline const fettle_ndp_shard*
fettle_ndp_shard_table() {
  fettle::ndp::detail::shard_contents& shard = fettle::ndp::detail::this_shard();
  shard.table = {fettle_ndp_shard::current_version, shard.entries.size(), shard.entries.data()};
  return &shard.table;
}
