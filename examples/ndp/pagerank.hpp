// PageRank by power iteration, as a program: an iteration is
//   shares    map           a page's rank over the number of its links
//   lost      reduce        the ranks of pages without links; in one pass with the shares
//   sums      map > reduce  the shares of the pages that link to a page
//   next      map           the new rank; fused into the stores of the sums
//   change    reduce        how much the ranks changed; on a GPU in one pass with the new ranks,
//                           where pages are known to have few sources
//   rank      map           the new ranks take the place of the old ones
// Only the ranks and their change are the user's memory.
#pragma once

#include "support/platform.hpp"

namespace examples {

/// 0 for a page without links.
struct share_of_link {
  FETTLE_HOST_DEVICE double operator()(double rank, int links) const {
    return links == 0 ? 0.0 : rank / links;
  }
};
struct lost_rank {
  FETTLE_HOST_DEVICE double operator()(double rank, int links) const {
    return links == 0 ? rank : 0.0;
  }
};
struct total {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
struct new_rank {
  double pages;
  double damping;
  FETTLE_HOST_DEVICE double operator()(double sum, double lost) const {
    return (1 - damping) / pages + damping * (sum + lost / pages);
  }
};
struct distance {
  FETTLE_HOST_DEVICE double operator()(double a, double b) const { return a < b ? b - a : a - b; }
};
struct same_value {
  FETTLE_HOST_DEVICE double operator()(double x) const { return x; }
};

/// Of each page the pages that link to it, and how many links it has itself.
struct link_sequences {
  ndp::sequence<const int> sources;
  ndp::sequence<const int> offsets;  // of a page's sources
  ndp::sequence<const int> links;
  ndp::row_statistics rows{};  // what is known of how many sources pages have
};

/// An iteration from `rank` to `rank`; `change` takes the sum of the ranks' changes.
template <typename Platform>
ndp::basic_program<Platform> pagerank_iteration(const link_sequences& web,
                                                ndp::sequence<double> rank,
                                                ndp::sequence<double> change,
                                                double damping = 0.85) {
  ndp::basic_program<Platform> p;
  const auto pages = rank.size();
  const auto [shares, lost] = p.template add<"shares", "lost">(
      ndp::map(share_of_link{}, rank, web.links), [&](const auto& /*shares*/) {
        return ndp::reduce(ndp::plus{}, ndp::map(lost_rank{}, rank, web.links), 0.0);
      });
  const auto incoming = ndp::nest(ndp::gather(shares, web.sources), web.offsets, web.rows);
  const auto sums = p.template add<"sums">(ndp::map(total{}, incoming));
  const auto next = p.template add<"next", "change">(
      ndp::map(new_rank{static_cast<double>(pages), damping}, sums,
               ndp::gather(lost, ndp::replicate(0, pages))),
      [&](const auto& ranks) {
        return ndp::reduce(ndp::plus{}, ndp::map(distance{}, ranks, rank), 0.0);
      },
      change);
  p.template add<"rank">(ndp::map(same_value{}, next), rank);
  return p;
}

}  // namespace examples
