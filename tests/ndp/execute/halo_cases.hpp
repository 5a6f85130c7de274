// Cases of execute() over the neighbourhoods of a grid's cells, and over grids.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/base/function.hpp>
#include <fettle/ndp/operator/halo.hpp>
#include <fettle/ndp/operator/make_grid.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/range.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/schedule/policy.hpp>

#include "ndp/support/check_one.hpp"
#include "ndp/support/on_platform.hpp"

namespace ndp_test {

/// Four neighbours and the cell itself, told apart.
struct five_points {
  template <typename Cells>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Cells& n) const {
    return n(0, 0) * 16 + n(-1, 0) - 2 * n(1, 0) + 4 * n(0, -1) - 8 * n(0, 1);
  }
};

/// With a second grid's cell, and the index of the cell.
struct five_points_and_more {
  template <typename Cells>
  FETTLE_HOST_DEVICE constexpr double operator()(const Cells& n, double other) const {
    return five_points{}(n) + other + static_cast<double>(n.y() - 100 * n.x());
  }
};

/// The sum of all cells around, each with a weight.
struct convolved {
  fettle::ndp::sequence<const double> weights;

  template <typename Cells>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Cells& n) const {
    namespace ndp = fettle::ndp;
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, n, weights), 1.0);
  }
};

/// The composition of all cells around, in their order.
struct composed_around {
  template <typename Cells>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Cells& n) const {
    return fettle::ndp::reduce(compose{}, n, affine{3, 4});
  }
};

struct sum_of_row_and_one {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::reduce(fettle::ndp::plus{}, row, 1.0);
  }
};
struct scan_of_row_and_one {
  template <typename Row>
  FETTLE_HOST_DEVICE constexpr auto operator()(const Row& row) const {
    return fettle::ndp::inclusive_scan(fettle::ndp::plus{}, row, 1.0);
  }
};

[[nodiscard]] inline index_t shifted_to(fettle::ndp::boundary::clamp /*beyond*/, index_t i,
                                        index_t size) {
  return std::clamp<index_t>(i, 0, size - 1);
}
[[nodiscard]] inline index_t shifted_to(fettle::ndp::boundary::wrap /*beyond*/, index_t i,
                                        index_t size) {
  while (i < 0) i += size;
  while (i >= size) i -= size;
  return i;
}

/// The cell (y, x) of a table, or what is there beyond its borders.
template <typename T, typename Boundary>
[[nodiscard]] T cell_of(const std::vector<T>& cells, index_t height, index_t width, index_t y,
                        index_t x, Boundary beyond) {
  if constexpr (requires { beyond.value; }) {
    if (y < 0 || y >= height || x < 0 || x >= width) return static_cast<T>(beyond.value);
    return cells[static_cast<std::size_t>(y * width + x)];
  } else {
    return cells[static_cast<std::size_t>(shifted_to(beyond, y, height) * width +
                                          shifted_to(beyond, x, width))];
  }
}

/// A neighbourhood as the serial reference sees it.
template <typename T, typename Boundary>
struct reference_cells {
  const std::vector<T>* cells;
  index_t height, width, y_of, x_of;
  Boundary beyond;

  T operator()(index_t dy, index_t dx) const {
    return cell_of(*cells, height, width, y_of + dy, x_of + dx, beyond);
  }
  [[nodiscard]] index_t y() const { return y_of; }
  [[nodiscard]] index_t x() const { return x_of; }
};

/// work(neighbourhood) for all cells.
template <typename T, typename Boundary, typename Work>
[[nodiscard]] auto for_cells(const std::vector<T>& cells, index_t height, index_t width,
                             const Boundary& beyond, const Work& work) {
  std::vector<decltype(work(reference_cells<T, Boundary>{}))> out;
  for (index_t y = 0; y < height; ++y) {
    for (index_t x = 0; x < width; ++x) {
      out.push_back(work(reference_cells<T, Boundary>{&cells, height, width, y, x, beyond}));
    }
  }
  return out;
}

/// five_points by the reference, on the host.
template <typename Cells>
[[nodiscard]] auto five_points_of(const Cells& n) {
  return 16 * n(0, 0) + n(-1, 0) - 2 * n(1, 0) + 4 * n(0, -1) - 8 * n(0, 1);
}

/// check(boundary) for each kind.
template <typename Check>
void for_each_boundary(const Check& check) {
  namespace boundary = fettle::ndp::boundary;
  check(boundary::constant<int>{7});
  check(boundary::clamp{});
  check(boundary::wrap{});
}

/// Heights and widths: none, one, two, and about the lengths of vectors, blocks and warps.
[[nodiscard]] inline std::vector<std::pair<index_t, index_t>> grid_sizes() {
  return sized<std::pair<index_t, index_t>>({{0, 0},
                                             {0, 5},
                                             {5, 0},
                                             {1, 1},
                                             {1, 2},
                                             {2, 1},
                                             {2, 2},
                                             {3, 3},
                                             {1, 129},
                                             {129, 1},
                                             {4, 7},
                                             {31, 33},
                                             {33, 31},
                                             {9, 127},
                                             {3, 1025},
                                             {257, 129}},
                                            {{0, 5}, {1, 1}, {2, 2}, {9, 127}});
}

}  // namespace ndp_test

namespace {

namespace ndp = fettle::ndp;
using namespace ndp_test;

}  // namespace

TEST_CASE("stencils on grids of every size, beyond every kind of border") {
  for (const auto& [height, width] : grid_sizes()) {
    CAPTURE(height, width);
    const std::vector<double> x = made_up<double>(height * width);
    const std::vector<double> others = made_up<double>(height * width, 2);
    const data<double> in(x);
    const data<double> in_others(others);
    const auto grid = ndp::make_grid(in.read(), height, width);
    for_each_boundary([&](const auto& beyond) {
      const auto cells = ndp::halo(grid, ndp::constant<1>{}, beyond);
      const auto points = [](const auto& n) { return five_points_of(n); };
      const auto expected = for_cells(x, height, width, beyond, points);
      if (height == 9) {
        check_all(ndp::map(five_points{}, cells), expected);
      } else {
        check_one(ndp::map(five_points{}, cells), expected);
      }
      check_one(ndp::map(five_points_and_more{}, ndp::halo(grid, 2, beyond), in_others.read()),
                for_cells(x, height, width, beyond, [&](const auto& n) {
                  const auto at = static_cast<std::size_t>(n.y() * width + n.x());
                  return five_points_of(n) + others[at] + static_cast<double>(n.y() - 100 * n.x());
                }));
    });
  }
}

TEST_CASE("convolutions: neighbourhoods are rows that are reduced") {
  for (const auto& [height, width] : grid_sizes()) {
    for (const index_t radius : sized<index_t>({0, 1, 2, 9}, {1})) {
      CAPTURE(height, width, radius);
      const std::vector<double> x = made_up<double>(height * width);
      const index_t side = 2 * radius + 1;
      const std::vector<double> weights = made_up<double>(side * side, 3);
      const data<double> in(x);
      const data<double> in_weights(weights);
      const auto grid = ndp::make_grid(in.read(), height, width);
      for_each_boundary([&](const auto& beyond) {
        const auto e = ndp::map(convolved{in_weights.read()}, ndp::halo(grid, radius, beyond));
        const auto expected = for_cells(x, height, width, beyond, [&](const auto& n) {
          double sum = 1;
          for (index_t k = 0; k < side * side; ++k) {
            sum += n(k / side - radius, k % side - radius) * weights[static_cast<std::size_t>(k)];
          }
          return sum;
        });
        if (height == 9 && radius == 1) {
          check_all(e, expected);
        } else {
          check_one(e, expected);
        }
      });
    }
  }
}

TEST_CASE("neighbourhoods keep their order, also of structs and of what is computed") {
  const std::vector<affine> x = made_up<affine>(12 * 35);
  const data<affine> in(x);
  const auto grid = ndp::make_grid(in.read(), 12, 35);
  check_one(ndp::map(composed_around{}, ndp::halo(grid, ndp::constant<1>{}, ndp::boundary::wrap{})),
            for_cells(x, 12, 35, ndp::boundary::wrap{}, [](const auto& n) {
              affine all{3, 4};
              for (index_t dy = -1; dy <= 1; ++dy) {
                for (index_t dx = -1; dx <= 1; ++dx) all = compose{}(all, n(dy, dx));
              }
              return all;
            }));
  std::vector<std::int32_t> numbers;
  for (std::int32_t i = 0; i < 12 * 35; ++i) numbers.push_back(i);
  const auto counted = ndp::make_grid(ndp::range(0, 12 * 35), 12, 35);
  check_one(ndp::map(five_points{}, ndp::halo(counted, 1, ndp::boundary::clamp{})),
            for_cells(numbers, 12, 35, ndp::boundary::clamp{},
                      [](const auto& n) { return five_points_of(n); }));
}

TEST_CASE("the rows of a grid are reduced, scanned and written") {
  for (const auto& [height, width] : grid_sizes()) {
    CAPTURE(height, width);
    const std::vector<double> x = made_up<double>(height * width);
    const data<double> in(x);
    const auto grid = ndp::make_grid(in.read(), height, width);
    std::vector<double> sums;
    std::vector<double> scanned;
    for (index_t y = 0; y < height; ++y) {
      double sum = 1;
      for (index_t column = 0; column < width; ++column) {
        sum += x[static_cast<std::size_t>(y * width + column)];
        scanned.push_back(sum);
      }
      sums.push_back(sum);
    }
    const auto scan = ndp::map(scan_of_row_and_one{}, grid);
    if (height == 9) {
      check_all(ndp::map(sum_of_row_and_one{}, grid), sums);
      check_all(scan, scanned);
    } else {
      check_one(ndp::map(sum_of_row_and_one{}, grid), sums);
      check_one(scan, scanned);
    }
    data<double> y(std::vector<double>(x.size(), 101.0));
    ndp::execute(scan, ndp::make_grid(y.write(), height, width), tested_platform{});
    REQUIRE(y.values() == scanned);
  }
}
