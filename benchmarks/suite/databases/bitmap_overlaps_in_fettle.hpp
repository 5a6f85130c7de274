// bitmap_overlaps in Fettle.
#pragma once

#include "../common/in_fettle.hpp"
#include "bitmap_overlaps.hpp"

namespace suite {
template <>
struct fettle_expression<bitmap_overlaps> {
  struct overlap {
    FETTLE_HOST_DEVICE index operator()(std::uint64_t a, std::uint64_t b) const {
      return bitmap_overlaps::count(a & b);
    }
  };
  struct of_chunk {
    template <typename Chunk>
    FETTLE_HOST_DEVICE auto operator()(const Chunk& a, const Chunk& b) const {
      return ndp::reduce(ndp::plus{}, ndp::map(overlap{}, a, b), 0);
    }
  };

  template <typename Processor>
  static void run(const Processor& on, view<const std::uint64_t> a, view<const std::uint64_t> b,
                  view<index> y) {
    ndp::execute<"bitmap_overlaps">(
        ndp::map(of_chunk{}, ndp::split(sequence_of(a), bitmap_overlaps::chunk),
                 ndp::split(sequence_of(b), bitmap_overlaps::chunk)),
        sequence_of(y), platform_of(on));
  }
};

}  // namespace suite
