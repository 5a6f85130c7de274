// Computations over NUMA nodes, emulated by sets of CPUs: the results are those of one node.
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/explain.hpp>
#include <fettle/ndp/openmp_nodes.hpp>
#include <fettle/ndp/program.hpp>

#include "ndp/devices/cases.hpp"
#include "ndp/support/message_of.hpp"
#include "support/catch.hpp"

namespace {

using namespace devices_test;
using ndp::make_sequence;
using nodes = ndp::platform::openmp_nodes;

const ndp::platform::openmp one{};

/// check(platform) for 1, 2, 3, 4 and 8 nodes.
template <typename Check>
void for_each_count(const Check& check) {
  static const std::vector<nodes> all = {nodes::emulated(1), nodes::emulated(2), nodes::emulated(3),
                                         nodes::emulated(4), nodes::emulated(8)};
  for (const nodes& on : all) {
    INFO(on.size() << " nodes");
    check(on);
  }
}

/// `e` into `room` numbers, on one node and on several.
template <typename E>
void check_same(const E& e, index_t room) {
  std::vector<number> expected(static_cast<std::size_t>(room), 99);
  ndp::execute<"expected">(e, make_sequence(expected), one);
  for_each_count([&](const nodes& on) {
    std::vector<number> found(static_cast<std::size_t>(room), 99);
    ndp::execute<"found">(e, make_sequence(found), on);
    REQUIRE(found == expected);
  });
}

}  // namespace

TEST_CASE("maps over nodes") {
  for (const index_t n : sizes) {
    INFO(n << " elements");
    const auto x = made_up(n);
    const auto s = make_sequence(x);
    check_same(ndp::map(twice{}, s), n);
    check_same(ndp::map(add{}, ndp::reverse(s), ndp::range<number>(3, 3 + n)), n);
    check_same(ndp::gather(s, ndp::reverse(ndp::range(index_t{0}, n))), n);
    check_same(ndp::reverse(s), n);
  }
}

TEST_CASE("rows over nodes, cut by rows and by work") {
  for (const index_t n : sizes) {
    for (const bool skewed : {false, true}) {
      INFO(n << " rows, skewed: " << skewed);
      const auto offsets = offsets_of(n, skewed);
      const auto x = made_up(offsets.back());
      const auto rows = ndp::nest(make_sequence(x), make_sequence(offsets));
      check_same(ndp::map(sum_of{}, rows), n);
      check_same(ndp::map(sums_of{}, rows), offsets.back());
      check_same(ndp::map(doubled_row{}, rows), offsets.back());
      check_same(ndp::map(twice{}, ndp::map(sum_of{}, rows)), n);

      const auto columns = made_up(offsets.back(), 3);
      std::vector<int> column(columns.size());
      for (std::size_t i = 0; i < columns.size(); ++i) {
        column[i] = static_cast<int>(columns[i] % columns.size());
      }
      check_same(ndp::map(row_dot{make_sequence(x)}, rows,
                          ndp::nest(make_sequence(column), make_sequence(offsets))),
                 n);
    }
    const auto x = made_up(n);
    const auto tiles = ndp::split(make_sequence(x), 3);
    check_same(ndp::map(sum_of{}, tiles), n);
    check_same(ndp::map(sums_of{}, tiles), n);
  }
}

TEST_CASE("windows and halos reach beyond a part") {
  for (const index_t n : sizes) {
    INFO(n << " elements");
    const auto x = made_up(n);
    check_same(ndp::map(sum_of{}, ndp::windows(make_sequence(x), 4)), n);
    check_same(ndp::map(sum_of{}, ndp::windows(make_sequence(x), ndp::constant<5>{}, 2)), n);
    const index_t width = 1 + n % 7;
    const auto grid =
        ndp::make_grid(ndp::subsequence(make_sequence(x), 0, n / width * width), n / width, width);
    check_same(ndp::map(five_points{}, ndp::halo(grid, ndp::constant<1>{}, ndp::boundary::wrap{})),
               n);
    check_same(ndp::map(five_points{}, ndp::halo(grid, 1, ndp::boundary::constant<number>{9})), n);
  }
}

TEST_CASE("reductions and scans keep their operands' order") {
  for (const index_t n : sizes) {
    INFO(n << " elements");
    const auto x = made_up(2 * n);
    std::vector<affine> functions(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < functions.size(); ++i) functions[i] = {x[2 * i] | 1, x[2 * i + 1]};
    const auto s = make_sequence(x);
    const auto f = make_sequence(functions);
    const affine seed{3, 4};
    check_same(ndp::reduce(ndp::plus{}, s, number{8}), 2);
    check_same(ndp::scan(ndp::plus{}, s, number{8}), 2 * n);
    check_same(ndp::inclusive_scan(ndp::maximum{}, s), 2 * n);
    const affine expected = ndp::execute(ndp::reduce(compose{}, f, seed), one);
    std::vector<affine> scanned(functions.size());
    ndp::execute(ndp::inclusive_scan(compose{}, f, seed), make_sequence(scanned), one);
    for_each_count([&](const nodes& on) {
      const affine found = ndp::execute(ndp::reduce(compose{}, f, seed), on);
      REQUIRE(found == expected);
      std::vector<affine> in_place = functions;
      const auto p = make_sequence(in_place);
      ndp::execute(ndp::inclusive_scan(compose{}, p, seed), p, on);
      REQUIRE(in_place == scanned);
    });
  }
}

TEST_CASE("maps and a reduction of what they yield in one pass over nodes") {
  for (const index_t n : sizes) {
    INFO(n << " elements");
    const std::vector<number> x = made_up(n);
    const auto s = make_sequence(x);
    number expected = 5;
    number expected_least = 1 << 20;
    for (const number value : x) {
      expected += 5 * value + 1;
      expected_least = std::min(expected_least, 2 * value + 1);
    }
    for_each_count([&](const nodes& on) {
      std::vector<number> sums(x.size(), 99);
      std::vector<number> doubled(x.size(), 99);
      std::vector<number> total(1);
      std::vector<number> least(1);
      ndp::basic_program<nodes> p;
      p.add<"sums", "doubled", "total">(
          ndp::map(add{}, s, s), make_sequence(sums), ndp::map(twice{}, s), make_sequence(doubled),
          [&](const auto& a, const auto& b) {
            return ndp::reduce(ndp::plus{}, ndp::map(add{}, ndp::map(add{}, a, s), b), number{5});
          },
          make_sequence(total));
      p.add<"again", "least">(
          ndp::map(twice{}, s),
          [](const auto& all) { return ndp::reduce(ndp::minimum{}, all, number{1 << 20}); },
          make_sequence(least));
      p.fuse({"sums|doubled|total", "again|least"});
      p.execute(on);
      for (std::size_t i = 0; i < x.size(); ++i) {
        REQUIRE(sums[i] == 2 * x[i]);
        REQUIRE(doubled[i] == 2 * x[i] + 1);
      }
      REQUIRE(total[0] == expected);
      REQUIRE(least[0] == expected_least);
    });
  }
}

TEST_CASE("runs of keys that parts cut") {
  std::vector<index_t> these = sizes;
  these.push_back(20011);  // rests of runs that are too long for the part before to read
  for (const index_t n : these) {
    for (const int longest : {1, 3, 100, 5000, 100000}) {
      INFO(n << " elements, runs up to " << longest);
      const auto x = made_up(n);
      const auto keys = keys_of(n, longest);
      const auto e =
          ndp::reduce_by_key(ndp::plus{}, make_sequence(x), make_sequence(keys), number{3});
      std::vector<number> expected(x.size() + 1);
      index_t runs = 0;
      ndp::execute(e, ndp::counted(make_sequence(expected), make_sequence(&runs, 1)), one);
      for_each_count([&](const nodes& on) {
        std::vector<number> found(x.size() + 1);
        index_t count = 0;
        ndp::execute(e, ndp::counted(make_sequence(found), make_sequence(&count, 1)), on);
        REQUIRE(count == runs);
        found.resize(static_cast<std::size_t>(runs));
        REQUIRE(std::equal(found.begin(), found.end(), expected.begin()));
        ndp::execute(e, make_sequence(found.data(), std::max<index_t>(runs, n == 0 ? 0 : 1)), on);
        REQUIRE(std::equal(found.begin(), found.end(), expected.begin()));
        if (runs > 1) {
          std::vector<number> short_of(static_cast<std::size_t>(runs - 1), 99);
          const std::string message =
              ndp_test::message_of([&] { ndp::execute<"runs">(e, make_sequence(short_of), on); });
          auto other = short_of;
          const std::string of_one =
              ndp_test::message_of([&] { ndp::execute<"runs">(e, make_sequence(other), one); });
          REQUIRE(of_one.find("runs: reduce_by_key: the destination has room for ") == 0);
          if (on.size() > 1) {
            REQUIRE(message == of_one);
            REQUIRE(short_of == std::vector<number>(short_of.size(), 99));
          }
        }
      });
    }
  }
}

TEST_CASE("what is not divided runs on the first node") {
  const auto x = made_up(1000);
  const nodes on = nodes::emulated(3);
  check_same(ndp::sort(make_sequence(x)), 1000);
  std::vector<number> kept(1000);
  std::vector<number> expected(1000);
  const auto e = ndp::filter(is_even{}, make_sequence(x));
  REQUIRE(ndp::execute(e, make_sequence(kept), on) ==
          ndp::execute(e, make_sequence(expected), one));
  REQUIRE(kept == expected);
  const auto keys = keys_of(1000, 7);
  const auto lengths = ndp::run_lengths(make_sequence(keys));
  const auto runs = [&](const auto& platform, std::vector<number>& key, std::vector<number>& n) {
    return ndp::execute(lengths, ndp::zip(make_sequence(key), make_sequence(n)), platform);
  };
  std::vector<number> found_keys(1000);
  std::vector<number> expected_keys(1000);
  REQUIRE(runs(on, found_keys, kept) == runs(one, expected_keys, expected));
  REQUIRE((found_keys == expected_keys && kept == expected));
  std::vector<number> written(1000);
  ndp::execute(ndp::map(put{make_sequence(written)}, ndp::range(index_t{0}, index_t{1000})), on);
  REQUIRE((written[0] == 0 && written[999] == 2997));
  ndp::execute(
      ndp::scatter(make_sequence(x), ndp::reverse(ndp::range(0, 1000)), make_sequence(written)),
      on);
  REQUIRE(written[0] == x[999]);
}

TEST_CASE("schedules and policies by hand") {
  namespace schedule = ndp::schedule;
  const auto offsets = offsets_of(500, true);
  const auto x = made_up(offsets.back());
  const auto e = ndp::map(sum_of{}, ndp::nest(make_sequence(x), make_sequence(offsets)));
  std::vector<number> expected(500);
  ndp::execute(e, make_sequence(expected), one);
  const nodes on = nodes::emulated(4);
  for (const int count : {0, 1, 2, 4, 9}) {
    for (const auto partition :
         {ndp::devices::partition_by::rows, ndp::devices::partition_by::work}) {
      const ndp::openmp_nodes::policy policy{
          .nodes = count, .partition = partition, .num_threads = 2};
      std::vector<number> found(500);
      ndp::execute(e, make_sequence(found), on, schedule::independent<schedule::sequential<>>{},
                   policy);
      REQUIRE(found == expected);
      ndp::execute(e, make_sequence(found), on, schedule::flattened<>{}, policy);
      REQUIRE(found == expected);
    }
  }
  const ndp::openmp_nodes::policy policy{
      .nodes = 2, .partition = ndp::devices::partition_by::work, .num_threads = 3};
  REQUIRE(to_string(policy) == "nodes=2 partition=work num_threads=3");
  REQUIRE(ndp::openmp_nodes::parse_policy(to_string(policy)) == policy);
  REQUIRE(ndp_test::message_of([&] {
            std::vector<number> found(500);
            ndp::execute<"rows">(e, make_sequence(found), on,
                                 schedule::independent<schedule::sequential<>>{},
                                 ndp::openmp_nodes::policy{.nodes = -1});
          }) ==
          "rows: this policy cannot be used: nodes must be from 1 to 64, or 0 for the "
          "default rule's choice");
}

TEST_CASE("a policy for more nodes than there are uses all of them") {
  const nodes on = nodes::emulated(2);
  const auto nodes_at_work = [&](int count) {
    std::vector<std::thread::id> threads(1000);
    ndp::execute(ndp::map([](index_t) { return std::this_thread::get_id(); },
                          ndp::range(index_t{0}, index_t{1000})),
                 make_sequence(threads), on, ndp::schedule::independent<>{},
                 ndp::openmp_nodes::policy{.nodes = count, .num_threads = 1});
    std::sort(threads.begin(), threads.end());
    return std::unique(threads.begin(), threads.end()) - threads.begin();
  };
  REQUIRE(nodes_at_work(1) == 1);
  REQUIRE(nodes_at_work(2) == 2);
  REQUIRE(nodes_at_work(5) == 2);
}

TEST_CASE("a node that fails is named, and the others go on") {
  const nodes on = nodes::emulated(3);
  std::vector<number> y(30);
  const auto failing = [](index_t i) -> number {
    if (i == 25) throw fettle::error("no value for 25");
    return static_cast<number>(i);
  };
  const std::string message = ndp_test::message_of([&] {
    ndp::execute<"failing">(ndp::map(failing, ndp::range(index_t{0}, index_t{30})),
                            make_sequence(y), on);
  });
  REQUIRE(message.find("failing: node 2 (CPUs ") == 0);
  REQUIRE(message.find("): no value for 25; other nodes may have written their results") !=
          std::string::npos);
  // A name that the message only begins with is not cut off.
  const auto x = made_up(30);
  const std::string too_many = ndp_test::message_of([&] {
    static_cast<void>(ndp::execute<"f">(ndp::filter([](number) { return true; }, make_sequence(x)),
                                        make_sequence(y.data(), 9), on));
  });
  REQUIRE(too_many.find("f: node 0 (CPUs ") == 0);
  REQUIRE(too_many.find("): filter: the destination has room for 9 elements, the result has 30") !=
          std::string::npos);
  REQUIRE(ndp_test::message_of([&] {
            static_cast<void>(
                ndp::execute<"f">(ndp::filter([](number) { return true; }, make_sequence(x)),
                                  make_sequence(y.data(), 9), one));
          }) == "f: filter: the destination has room for 9 elements, the result has 30");
  const auto throwing = [](index_t i) -> number {
    if (i == 3) throw std::out_of_range("the user's own");
    return static_cast<number>(i);
  };
  REQUIRE_THROWS_AS(
      ndp::execute(ndp::map(throwing, ndp::range(index_t{0}, index_t{30})), make_sequence(y), on),
      std::out_of_range);
  ndp::execute(ndp::map(twice{}, make_sequence(y)), make_sequence(y), on);
}

TEST_CASE("sets of CPUs that cannot be nodes") {
  const auto message_of = [](std::vector<std::vector<int>> sets) {
    return ndp_test::message_of([&] { static_cast<void>(nodes(sets)); });
  };
  REQUIRE(message_of({}) == "platform::openmp_nodes: 0 nodes; give from 1 to 64");
  REQUIRE(message_of({{0}, {}}) ==
          "platform::openmp_nodes: node 1 has no CPU; leave it out, or name its CPUs");
  REQUIRE(message_of({{0, 1}, {2, 1}}) ==
          "platform::openmp_nodes: CPU 1 is listed twice, the second time in node 1; "
          "openmp_nodes::emulated(n) makes nodes that share CPUs");
#ifdef __linux__
  const auto message_on = [](const nodes& on) {
    return ndp_test::message_of([&] {
      std::vector<number> y(3);
      ndp::execute<"far">(ndp::map(twice{}, make_sequence(y)), make_sequence(y), on);
    });
  };
  REQUIRE(message_on({{1023}}) ==
          "far: node 0 (CPUs 1023): this program may not use all of its CPUs");
  REQUIRE(message_on({{0, 1023}, {1}}) ==
          "far: node 0 (CPUs 0,1023): this program may not use all of its CPUs");
#endif
  REQUIRE(nodes().size() >= 1);
  REQUIRE(ndp::openmp_nodes::detail::parse_cpus("0-2,8\n") == std::vector<int>{0, 1, 2, 8});
}

TEST_CASE("explain says how a computation scales") {
  const std::vector<number> x(1000);
  const std::string text = ndp::explain(ndp::map(twice{}, make_sequence(x)), nodes::emulated(2));
  REQUIRE(text.find("map on openmp_nodes: 2 nodes\n  1 node: ") == 0);
  REQUIRE(text.find("  2 nodes: ") != std::string::npos);
  REQUIRE(text.find("  by size: from 1 KiB 1") != std::string::npos);
  REQUIRE(text.find("  chosen: 2 nodes: all that are emulated") != std::string::npos);
  const std::string whole = ndp::explain(ndp::run_lengths(make_sequence(x)), nodes::emulated(2));
  REQUIRE(whole.find("runs_by_key on openmp_nodes: ") == 0);
}
