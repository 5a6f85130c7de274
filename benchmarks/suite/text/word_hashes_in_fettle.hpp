// word_hashes in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "word_hashes.hpp"

namespace suite {

template <>
struct fettle_expression<word_hashes> {
  struct hash {
    std::uint64_t value;
    std::uint64_t power;
  };
  struct append {
    FETTLE_HOST_DEVICE hash operator()(const hash& a, const hash& b) const {
      return {a.value * b.power + b.value, a.power * b.power};
    }
  };

  struct hash_of_one {
    FETTLE_HOST_DEVICE hash operator()(std::uint8_t c) const { return {c, 31}; }
  };
  struct hash_all {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::reduce(append{}, ndp::map(hash_of_one{}, row), hash{0, 1});
    }
  };
  struct value {
    FETTLE_HOST_DEVICE std::uint64_t operator()(const hash& all) const { return all.value; }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::uint8_t> s, view<const index> offsets,
                  view<std::uint64_t> y) {
    const auto rows = ndp::nest(sequence_of(s), sequence_of(offsets));
    ndp::execute<"word_hashes">(ndp::map(value{}, ndp::map(hash_all{}, rows)), sequence_of(y),
                                platform_of(on));
  }
};

}  // namespace suite
