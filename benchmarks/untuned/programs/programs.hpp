// Programs beside the same computations executed one by one: an iteration of conjugate gradients
// (on CUDA also beside one that is fused by hand), of PageRank, of k-means and of a force
// calculation; and chains of maps that end in a reduce, fused, unfused and as tune() chose. One
// source for both platforms.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <fettle/core/fixed_string.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/ndp.hpp>

#include "../../../examples/ndp/comd/copper.hpp"
#include "../../../examples/ndp/comd/lattice.hpp"
#include "../../../examples/ndp/comd/simulation.hpp"
#include "../../../examples/ndp/conjugate_gradients.hpp"
#include "../../../examples/ndp/kmeans/kmeans_program.hpp"
#include "../../../examples/ndp/pagerank.hpp"
#include "../../common/record.hpp"

#ifdef __CUDACC__
#include "conjugate_gradients_by_hand.cuh"
#endif

namespace programs {

namespace ndp = fettle::ndp;
using examples::copy_to;
using examples::read_only;
using examples::vector_on;
using platform = examples::platform_type;

/// Microseconds of one of `calls` calls, the medians of both ways by turns.
template <typename First, typename Second>
std::pair<double, double> compare(const platform& on, const std::string& name, int calls,
                                  const First& program, const Second& separate) {
  std::vector<double> times[2];
  const auto time = [&](std::vector<double>& into, const auto& call) {
    examples::wait(on);
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    examples::wait(on);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    into.push_back(took.count() / calls);
  };
  program();
  program();
  separate();
  for (int i = 0; i < 9; ++i) {
    time(times[0], program);
    time(times[1], separate);
  }
  for (auto& its : times) std::nth_element(its.begin(), its.begin() + 4, its.end());
  std::printf("%-36s program %10.1f us, separate %10.1f us, %.2fx\n", name.c_str(), times[0][4],
              times[1][4], times[1][4] / times[0][4]);
  std::fflush(stdout);
  std::string row;
  fettle::json_writer(row)
      .begin_object()
      .field("platform", std::string(platform::name))
      .field("what", name)
      .field("program_us", times[0][4])
      .field("separate_us", times[1][4])
      .end_object();
  fettle_benchmarks::record_row(row);
  return {times[0][4], times[1][4]};
}

struct half_and_one {
  FETTLE_HOST_DEVICE double operator()(double x) const { return 0.5 * x + 1; }
};

/// Adds `Maps` maps, each of the one before, and a reduce of the last.
template <int Maps, typename Last>
void add_chain(ndp::basic_program<platform>& p, const Last& last, ndp::sequence<double> total) {
  constexpr auto name = fettle::fixed_string<2>({char('a' + Maps), '\0'});
  if constexpr (Maps == 0) {
    p.add<"total">(ndp::reduce(ndp::plus{}, last, 0.0), total);
  } else {
    add_chain<Maps - 1>(p, p.add<name>(ndp::map(half_and_one{}, last)), total);
  }
}

/// All fused beside none, whose memory traffic is 2 Maps + 1 times that of the first; and what
/// tune() chose beside the faster of both.
template <int Maps>
void chain(const platform& on, ndp::index_t n) {
  const auto x = copy_to(on, std::vector<double>(static_cast<std::size_t>(n), 1.0));
  auto total = copy_to(on, std::vector<double>{0.0});
  const auto to = ndp::make_sequence(total);
  ndp::basic_program<platform> fused;
  ndp::basic_program<platform> apart;
  ndp::basic_program<platform> tuned;
  for (auto* const p : {&fused, &apart, &tuned}) add_chain<Maps>(*p, read_only(x), to);
  apart.fuse({});
  tuned.tune(on);
  const std::string what = std::to_string(Maps) + " maps, reduce of " + std::to_string(n);
  const auto [first, second] =
      compare(on, what, 5, [&] { fused.execute(on); }, [&] { apart.execute(on); });
  auto& better = first < second ? fused : apart;
  compare(
      on, what + ", tuned beside the better", 5, [&] { tuned.execute(on); },
      [&] { better.execute(on); });
}

void conjugate_gradients(const platform& on, int side) {
  std::vector<double> values;
  std::vector<int> columns;
  std::vector<int> offsets{0};
  const int n = side * side;
  for (int i = 0; i < n; ++i) {
    for (const int k : {i - side, i - 1, i, i + 1, i + side}) {
      if (k < 0 || k >= n) continue;
      columns.push_back(k);
      values.push_back(k == i ? 4.1 : -1);
    }
    offsets.push_back(static_cast<int>(columns.size()));
  }
  const std::vector<double> ones(static_cast<std::size_t>(n), 1.0);
  const auto v = copy_to(on, values);
  const auto c = copy_to(on, columns);
  const auto o = copy_to(on, offsets);
  auto x = copy_to(on, ones);
  auto r = copy_to(on, ones);
  auto d = copy_to(on, ones);
  auto q = copy_to(on, ones);
  auto rr = copy_to(on, std::vector<double>{static_cast<double>(n)});
  const examples::matrix_sequences a{read_only(v), read_only(c), read_only(o), {.longest = 5}};
  const examples::gradient_sequences s{ndp::make_sequence(x), ndp::make_sequence(r),
                                       ndp::make_sequence(d), ndp::make_sequence(rr)};
  auto p = examples::conjugate_gradient_iteration<platform>(a, s);
  double rr_now = n;
  const auto rows = ndp::nest(a.values, a.offsets, a.rows);
  const auto factors = ndp::nest(ndp::gather(s.d, a.columns), a.offsets, a.rows);
  compare(
      on, "conjugate gradients, " + std::to_string(n), 20, [&] { p.execute(on); },
      [&] {
        const auto qs = ndp::make_sequence(q);
        const auto all = [n](double value) { return ndp::replicate(value, n); };
        ndp::execute(ndp::map(examples::sum_of_products{}, rows, factors), qs, on);
        const double dq =
            ndp::execute(ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, s.d, qs), 0.0), on);
        const double alpha = dq == 0 ? 0 : rr_now / dq;
        ndp::execute(ndp::map(examples::add_scaled{}, s.x, all(alpha), s.d), s.x, on);
        ndp::execute(ndp::map(examples::subtract_scaled{}, s.r, all(alpha), qs), s.r, on);
        const double next =
            ndp::execute(ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, s.r, s.r), 0.0), on);
        const double beta = rr_now == 0 ? 0 : next / rr_now;
        ndp::execute(ndp::map(examples::add_scaled{}, s.r, all(beta), s.d), s.d, on);
        rr_now = next;
      });
#ifdef __CUDACC__
  conjugate_gradients_by_hand by_hand(
      on.stream, {n, offsets.back(), read_only(v).data(), read_only(c).data(), read_only(o).data()},
      {s.x.data(), s.r.data(), s.d.data(), s.rr.data()});
  compare(
      on, "conjugate gradients, " + std::to_string(n) + ", beside one fused by hand", 20,
      [&] { p.execute(on); }, [&] { by_hand(); });
#endif
}

void pagerank(const platform& on, int pages) {
  std::vector<int> sources;
  std::vector<int> offsets{0};
  std::vector<int> links(static_cast<std::size_t>(pages), 0);
  unsigned random = 1;
  for (int i = 0; i < pages; ++i) {
    for (int k = 0; k < 8; ++k) {
      random = random * 1664525U + 1013904223U;
      sources.push_back(static_cast<int>((random >> 4) % static_cast<unsigned>(pages)));
      ++links[static_cast<std::size_t>(sources.back())];
    }
    offsets.push_back(static_cast<int>(sources.size()));
  }
  const std::vector<double> ones(static_cast<std::size_t>(pages), 1.0 / pages);
  const auto from = copy_to(on, sources);
  const auto o = copy_to(on, offsets);
  const auto l = copy_to(on, links);
  auto rank = copy_to(on, ones);
  auto shares = copy_to(on, ones);
  auto next = copy_to(on, ones);
  auto change = copy_to(on, std::vector<double>{0.0});
  const auto rs = ndp::make_sequence(rank);
  const ndp::row_statistics known{.longest = 8};
  auto p = examples::pagerank_iteration<platform>(
      {read_only(from), read_only(o), read_only(l), known}, rs, ndp::make_sequence(change));
  compare(
      on, "PageRank, " + std::to_string(pages), 20, [&] { p.execute(on); },
      [&] {
        const auto ns = ndp::make_sequence(next);
        ndp::execute(ndp::map(examples::share_of_link{}, rs, read_only(l)),
                     ndp::make_sequence(shares), on);
        const double lost = ndp::execute(
            ndp::reduce(ndp::plus{}, ndp::map(examples::lost_rank{}, rs, read_only(l)), 0.0), on);
        ndp::execute(ndp::map(examples::new_rank{static_cast<double>(pages), 0.85},
                              ndp::map(examples::total{},
                                       ndp::nest(ndp::gather(read_only(shares), read_only(from)),
                                                 read_only(o), known)),
                              ndp::replicate(lost, pages)),
                     ns, on);
        static_cast<void>(ndp::execute(
            ndp::reduce(ndp::plus{}, ndp::map(examples::distance{}, ns, rs), 0.0), on));
        ndp::execute(ndp::map(examples::same_value{}, ns), rs, on);
      });
}

void kmeans(const platform& on, int count, int dimension, int clusters) {
  std::vector<double> values(static_cast<std::size_t>(count) * static_cast<std::size_t>(dimension));
  unsigned random = 1;
  for (double& value : values) {
    random = random * 1664525U + 1013904223U;
    value = static_cast<double>(random >> 8) / (1 << 24);
  }
  const auto points = copy_to(on, values);
  values.resize(static_cast<std::size_t>(clusters) * static_cast<std::size_t>(dimension));
  auto centroids = copy_to(on, values);
  auto labels = copy_to(on, std::vector<examples::label_t>(static_cast<std::size_t>(count), 0));
  auto distortion = copy_to(on, std::vector<double>{0.0});
  auto distances = copy_to(on, std::vector<double>(static_cast<std::size_t>(count), 0.0));
  auto counts =
      copy_to(on, std::vector<ndp::index_t>(static_cast<std::size_t>(clusters), ndp::index_t{0}));
  auto sums = copy_to(on, values);
  const examples::kmeans_sequences s{read_only(points), ndp::make_sequence(centroids),
                                     ndp::make_sequence(labels), ndp::make_sequence(distortion)};
  auto p = examples::kmeans_iteration<platform>(s, dimension);
  const ndp::index_t n = ndp::index_t{count} * dimension;
  const ndp::index_t bins = ndp::index_t{clusters} * dimension;
  compare(
      on, "k-means, " + std::to_string(count), 10, [&] { p.execute(on); },
      [&] {
        ndp::execute(ndp::map(examples::nearest_centroid_directly{s.centroids},
                              ndp::split(s.points, dimension)),
                     ndp::zip(ndp::make_sequence(distances), s.labels), on);
        static_cast<void>(ndp::execute(ndp::reduce(ndp::plus{}, read_only(distances), 0.0), on));
        ndp::execute(ndp::reduce_by_index(ndp::plus{}, ndp::replicate(ndp::index_t{1}, count),
                                          read_only(labels), clusters, ndp::index_t{0}),
                     ndp::make_sequence(counts), on);
        const auto elements = ndp::range(ndp::index_t{0}, n);
        const auto label_of_element =
            ndp::gather(read_only(labels), ndp::map(examples::row_of_element{dimension}, elements));
        ndp::execute(ndp::reduce_by_index(ndp::plus{}, s.points,
                                          ndp::map(examples::bin_of_coordinate{dimension},
                                                   label_of_element, elements),
                                          bins, 0.0),
                     ndp::make_sequence(sums), on);
        const auto rows =
            ndp::map(examples::row_of_element{dimension}, ndp::range(ndp::index_t{0}, bins));
        ndp::execute(ndp::map(examples::mean_of_label{}, read_only(sums),
                              ndp::gather(read_only(counts), rows), s.centroids),
                     s.centroids, on);
      });
}

void comd(const platform& on, int cells) {
  const auto potential = examples::potential_tables::of(examples::copper{}, 20, 600);
  examples::atoms all = examples::fcc_lattice(cells, examples::copper::lattice_constant);
  examples::shake(all, 0.1);
  examples::simulation<platform> forces(on, all, potential);
  auto energy = copy_to(on, std::vector<double>{0.0});
  auto p = forces.direct_program(ndp::make_sequence(energy));
  compare(
      on, "CoMD, " + std::to_string(all.positions.size()) + " atoms", 3, [&] { p.execute(on); },
      [&] { static_cast<void>(forces.direct()); });
}

inline void run() {
  const platform on;
  for (const int side : {30, 100, 300, 1000}) conjugate_gradients(on, side);
  for (const int pages : {1000, 100000, 1000000}) pagerank(on, pages);
  for (const ndp::index_t n : {ndp::index_t{1} << 16, ndp::index_t{1} << 25}) {
    chain<2>(on, n);
    chain<3>(on, n);
    chain<4>(on, n);
    chain<5>(on, n);
  }
  for (const int count : {1000, 1000000}) kmeans(on, count, 8, 16);
  for (const int cells : {5, 20}) comd(on, cells);
}

}  // namespace programs
