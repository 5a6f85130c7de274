// hash_probes in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "hash_probes.hpp"

namespace suite {
template <>
struct fettle_expression<hash_probes> {
  using entry = hash_probes::entry;

  struct probe {
    view<const entry> table;
    FETTLE_HOST_DEVICE std::int32_t operator()(std::uint32_t key) const {
      std::uint32_t at = hash_probes::home(key, table.size());
      entry found = table[static_cast<index>(at)];
      while (found.value >= 0 && found.key != key) {
        at = hash_probes::after(at, table.size());
        found = table[static_cast<index>(at)];
      }
      return found.value;
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::uint32_t> keys, view<const entry> table,
                  view<std::int32_t> y) {
    ndp::execute<"hash_probes">(ndp::map(probe{table}, sequence_of(keys)), sequence_of(y),
                                platform_of(on));
  }
};

}  // namespace suite
