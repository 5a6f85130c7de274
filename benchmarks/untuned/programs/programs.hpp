// Programs beside the same computations executed one by one: an iteration of conjugate gradients
// and of PageRank, and chains of maps that end in a reduce. One source for both platforms.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <fettle/core/json_writer.hpp>
#include <fettle/ndp.hpp>

#include "../../../examples/ndp/conjugate_gradients.hpp"
#include "../../../examples/ndp/pagerank.hpp"
#include "../../common/record.hpp"

namespace programs {

namespace ndp = fettle::ndp;
using examples::copy_to;
using examples::read_only;
using examples::vector_on;
using platform = examples::platform_type;

/// Microseconds of one of `calls` calls, the medians of both ways by turns.
template <typename First, typename Second>
void compare(const platform& on, const std::string& name, int calls, const First& program,
             const Second& separate) {
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
}

struct half_and_one {
  FETTLE_HOST_DEVICE double operator()(double x) const { return 0.5 * x + 1; }
};

/// `Maps` maps and a reduce, all fused and none.
template <int Maps>
void chain(const platform& on, ndp::index_t n) {
  const auto x = copy_to(on, std::vector<double>(static_cast<std::size_t>(n), 1.0));
  auto total = copy_to(on, std::vector<double>{0.0});
  const auto build = [&](ndp::basic_program<platform>& p) {
    const auto a = p.add<"a">(ndp::map(half_and_one{}, read_only(x)));
    const auto b = p.add<"b">(ndp::map(half_and_one{}, a));
    const auto end = [&](const auto& last) {
      p.add<"total">(ndp::reduce(ndp::plus{}, last, 0.0), ndp::make_sequence(total));
    };
    if constexpr (Maps == 2) {
      end(b);
    } else {
      const auto c = p.add<"c">(ndp::map(half_and_one{}, b));
      end(p.add<"d">(ndp::map(half_and_one{}, c)));
    }
  };
  ndp::basic_program<platform> fused;
  ndp::basic_program<platform> apart;
  build(fused);
  build(apart);
  apart.fuse({});
  compare(
      on, std::to_string(Maps) + " maps, reduce of " + std::to_string(n), 5,
      [&] { fused.execute(on); }, [&] { apart.execute(on); });
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
  const examples::matrix_sequences a{read_only(v), read_only(c), read_only(o)};
  const examples::gradient_sequences s{ndp::make_sequence(x), ndp::make_sequence(r),
                                       ndp::make_sequence(d), ndp::make_sequence(rr)};
  auto p = examples::conjugate_gradient_iteration<platform>(a, s);
  double rr_now = n;
  const auto rows = ndp::nest(a.values, a.offsets);
  const auto factors = ndp::nest(ndp::gather(s.d, a.columns), a.offsets);
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
  auto p = examples::pagerank_iteration<platform>({read_only(from), read_only(o), read_only(l)}, rs,
                                                  ndp::make_sequence(change));
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
                                                 read_only(o))),
                              ndp::replicate(lost, pages)),
                     ns, on);
        static_cast<void>(ndp::execute(
            ndp::reduce(ndp::plus{}, ndp::map(examples::distance{}, ns, rs), 0.0), on));
        ndp::execute(ndp::map(examples::same_value{}, ns), rs, on);
      });
}

inline void run() {
  const platform on;
  for (const int side : {30, 100, 300, 1000}) conjugate_gradients(on, side);
  for (const int pages : {1000, 100000, 1000000}) pagerank(on, pages);
  for (const ndp::index_t n : {ndp::index_t{1} << 16, ndp::index_t{1} << 25}) {
    chain<2>(on, n);
    chain<4>(on, n);
  }
}

}  // namespace programs
