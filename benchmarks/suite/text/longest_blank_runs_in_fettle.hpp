// longest_blank_runs in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "longest_blank_runs.hpp"

namespace suite {

template <>
struct fettle_expression<longest_blank_runs> {
  struct blanks {
    index front;
    index back;
    index longest;
    index length;
  };
  struct concatenate {
    FETTLE_HOST_DEVICE blanks operator()(const blanks& a, const blanks& b) const {
      const index inner = a.back + b.front;
      const index longer = a.longest < b.longest ? b.longest : a.longest;
      return {a.front == a.length ? a.length + b.front : a.front,
              b.back == b.length ? a.back + b.length : b.back, longer < inner ? inner : longer,
              a.length + b.length};
    }
  };

  struct run_of_one {
    FETTLE_HOST_DEVICE blanks operator()(std::uint8_t c) const {
      const index one = c == ' ' ? 1 : 0;
      return {one, one, one, 1};
    }
  };
  struct concatenate_all {
    template <typename Row>
    FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
      return ndp::reduce(concatenate{}, ndp::map(run_of_one{}, row), blanks{0, 0, 0, 0});
    }
  };
  struct longest {
    FETTLE_HOST_DEVICE index operator()(const blanks& all) const { return all.longest; }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::uint8_t> s, view<const index> offsets,
                  view<index> y) {
    const auto rows = ndp::nest(sequence_of(s), sequence_of(offsets));
    ndp::execute<"longest_blank_runs">(ndp::map(longest{}, ndp::map(concatenate_all{}, rows)),
                                       sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
