// hash_probes: y[i] = the value of key[i] in a hash table with linear probing, half full; -1 where
// the key is not there.
//
// 32 bits, struct of 8 bytes (entry) -> int; reads of unknown number. In Fettle: map, of a function
// that reads the table.
#pragma once

#include "../common/processor.hpp"

namespace suite {

struct hash_probes {
  struct alignas(8) entry {
    std::uint32_t key;
    std::int32_t value;  // -1: the entry is free
  };

  static constexpr const char* name = "hash_probes";
  static constexpr const char* types = "32 bits";
  static constexpr family shapes = family::sizes;
  using output = std::int32_t;

  FETTLE_HOST_DEVICE static std::uint32_t home(std::uint32_t key, index entries) {
    return key * 2654435769u & static_cast<std::uint32_t>(entries - 1);
  }
  FETTLE_HOST_DEVICE static std::uint32_t after(std::uint32_t at, index entries) {
    return (at + 1) & static_cast<std::uint32_t>(entries - 1);
  }

  /// Half of the keys that are looked up are in the table.
  static auto make(const shape& like) {
    const index n = like.elements(8 + 1);
    index entries = 16;
    while (entries < n / 8) entries *= 2;
    std::vector<entry> table(static_cast<std::size_t>(entries), entry{0, -1});
    const auto key_of = [](std::uint64_t i) { return static_cast<std::uint32_t>(fb::hash(i, 9)); };
    for (index i = 0; i < entries / 2; ++i) {
      const std::uint32_t key = key_of(static_cast<std::uint64_t>(i));
      std::uint32_t at = home(key, entries);
      while (table[at].value >= 0 && table[at].key != key) at = after(at, entries);
      table[at] = {key, i};
    }
    const auto keys = filled(n, [=](std::uint64_t i) {
      return key_of(fb::hash(i, 10) % static_cast<std::uint64_t>(entries));
    });
    return problem(n, n, keys, table);
  }

  template <typename>
  FETTLE_HOST_DEVICE static void step(index i, view<const std::uint32_t> keys,
                                      view<const entry> table, view<std::int32_t> y) {
    const std::uint32_t key = keys[i];
    std::uint32_t at = home(key, table.size());
    entry found = table[static_cast<index>(at)];
    while (found.value >= 0 && found.key != key) {
      at = after(at, table.size());
      found = table[static_cast<index>(at)];
    }
    y[i] = found.value;
  }

#ifdef __CUDACC__
  static constexpr const char* second_name = "a thread 4 keys";
  static void second(const device& on, view<const std::uint32_t> keys, view<const entry> table,
                     view<std::int32_t> y) {
    const index threads = (y.size() + 3) / 4;
    for_each_thread(on.stream, threads, [=] __device__(index first) {
      for (index i = first; i < y.size(); i += threads) step<double>(i, keys, table, y);
    });
  }
#endif
};

}  // namespace suite
