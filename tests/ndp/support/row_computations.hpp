// Computations on rows for tests of nested kernels, on the host and on the GPU: commutative or not,
// with an operator whose state differs from row to row, over part of a row.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <fettle/core/host_device.hpp>
#include <fettle/ndp/operator/map.hpp>
#include <fettle/ndp/operator/nest.hpp>
#include <fettle/ndp/operator/reduce.hpp>
#include <fettle/ndp/operator/scan.hpp>
#include <fettle/ndp/sequence/contiguous.hpp>

using fettle::ndp::index_t;

// x -> a x + b mod 2^32 in the order of application: associative, not commutative, and its identity
// is not known to Fettle.
struct affine {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  FETTLE_HOST_DEVICE friend bool operator==(const affine& f, const affine& g) {
    return f.a == g.a && f.b == g.b;
  }
};
struct compose {
  FETTLE_HOST_DEVICE affine operator()(const affine& f, const affine& g) const {
    return {f.a * g.a, g.a * f.b + g.b};
  }
};

// The later of two: whatever comes out of order shows.
struct last_of {
  FETTLE_HOST_DEVICE index_t operator()(index_t /*a*/, index_t b) const { return b; }
};

// An operator with a state of its own in each row.
struct shifted_maximum {
  index_t shift;
  FETTLE_HOST_DEVICE index_t operator()(index_t a, index_t b) const {
    return (a ^ shift) < (b ^ shift) ? b : a;
  }
};

struct sum_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return fettle::ndp::reduce(fettle::ndp::plus{}, row, index_t{1000});
  }
};
struct last_of_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return fettle::ndp::reduce(last_of{}, row, index_t{-1});
  }
};
struct compose_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return fettle::ndp::reduce(compose{}, row, affine{3, 1});
  }
};
struct shifted_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, index_t shift) const {
    return fettle::ndp::reduce(shifted_maximum{shift}, row, index_t{0});
  }
};

// Leaves out the first element: the row's reduction is shorter than the row.
struct without_first {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    const index_t skip = row.size() > 0 ? 1 : 0;
    return fettle::ndp::reduce(fettle::ndp::plus{}, subsequence(row, skip, row.size() - skip),
                               index_t{0});
  }
};

struct scan_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return fettle::ndp::scan(fettle::ndp::plus{}, row, index_t{1000});
  }
};
struct scan_compose_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return fettle::ndp::scan(compose{}, row, affine{3, 1});
  }
};
struct inclusive_scan_compose_row {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return fettle::ndp::inclusive_scan(compose{}, row, affine{3, 1});
  }
};

inline std::vector<index_t> random_numbers(std::size_t count, unsigned seed) {
  std::vector<index_t> out(count);
  std::mt19937 random(seed);
  for (auto& v : out) v = static_cast<index_t>(random() % 1000);
  return out;
}
inline std::vector<affine> random_affines(std::size_t count, unsigned seed) {
  std::vector<affine> out(count);
  std::mt19937 random(seed);
  for (auto& v : out) {
    v = {static_cast<std::uint32_t>(random()) | 1U, static_cast<std::uint32_t>(random())};
  }
  return out;
}

/// What a map > reduce yields, row by row.
template <typename E>
auto serial(const E& e) {
  std::vector<typename E::value_type::value_type> out;
  for (index_t i = 0; i < e.size(); ++i) out.push_back(e[i].evaluate());
  return out;
}
