// PageRank and conjugate gradients over several GPUs: an iteration of each as computations that
// follow one another without waiting.
#pragma once

#include <cstdint>
#include <cuda_runtime.h>
#include <memory>
#include <type_traits>
#include <utility>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda_devices.hpp>

namespace devices_benchmark {

namespace ndp = fettle::ndp;
using ndp::index_t;

// What a computation over a whole vector reads of one number, which lies on the first GPU.
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
struct sum_of_shares {
  ndp::cuda_devices::replica<double> shares;
  sum_of_shares for_part(int part) const { return {shares.for_part(part)}; }
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& sources) const {
    return ndp::reduce(ndp::plus{}, ndp::gather(shares.read(), sources), 0.0);
  }
};
struct new_rank {
  double pages;
  const double* lost;
  FETTLE_HOST_DEVICE double operator()(double sum) const {
    return 0.15 / pages + 0.85 * (sum + *lost / pages);
  }
};
struct distance {
  FETTLE_HOST_DEVICE double operator()(double a, double b) const { return a < b ? b - a : a - b; }
};

inline constexpr index_t links_a_page = 16;
struct random_page {
  index_t pages;
  FETTLE_HOST_DEVICE int operator()(index_t i) const {
    auto bits = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15U;
    bits ^= bits >> 32U;
    return static_cast<int>((bits * 0xD6E8FEB86659FD93U >> 33U) %
                            static_cast<std::uint64_t>(pages));
  }
};
struct links_of_page {
  FETTLE_HOST_DEVICE int operator()(index_t i) const { return i % 64 == 0 ? 0 : 16; }
};
struct multiple {
  index_t factor;
  FETTLE_HOST_DEVICE int operator()(index_t i) const { return static_cast<int>(i * factor); }
};
struct same_for_all {
  double value;
  FETTLE_HOST_DEVICE double operator()(index_t /*i*/) const { return value; }
};

template <typename T, typename F>
void fill(const ndp::platform::cuda_devices& on, ndp::cuda_devices::array<T>& a, const F& f) {
  ndp::execute(ndp::map(f, ndp::range(index_t{0}, a.size())), a.write(), on);
}

/// A random graph; every iteration reads all of the shares on every GPU.
class pagerank {
 public:
  pagerank(const ndp::platform::cuda_devices& on, index_t pages)
      : pages_(pages),
        sources_(on, pages * links_a_page),
        offsets_(on, pages + 1),
        links_(on, pages),
        rank_(on, pages),
        next_(on, pages),
        shares_(on, pages),
        values_(on, 8),
        copies_(std::make_unique<ndp::cuda_devices::replicas<double>>(on, pages)) {
    fill(on, sources_, random_page{pages});
    fill(on, offsets_, multiple{links_a_page});
    fill(on, links_, links_of_page{});
    fill(on, rank_, same_for_all{1.0 / static_cast<double>(pages)});
  }

  template <typename Platform>
  void iterate(const Platform& on) {
    ndp::execute(ndp::map(share_of_link{}, rank_.read(), links_.read()), shares_.write(), on);
    auto shares = copies_->read();
    if constexpr (std::is_same_v<Platform, ndp::platform::cuda>) {
      shares.here = shares_.data();
    } else {
      copies_->assign(shares_.read());
    }
    ndp::execute(ndp::reduce(ndp::plus{}, ndp::map(lost_rank{}, rank_.read(), links_.read()), 0.0),
                 ndp::subsequence(values_.write(), 0, 1), on);
    ndp::execute(
        ndp::map(new_rank{static_cast<double>(pages_), values_.data()},
                 ndp::map(sum_of_shares{shares}, ndp::nest(sources_.read(), offsets_.read()))),
        next_.write(), on);
    ndp::execute(ndp::reduce(ndp::plus{}, ndp::map(distance{}, next_.read(), rank_.read()), 0.0),
                 ndp::subsequence(values_.write(), 1, 1), on);
    std::swap(rank_, next_);
  }
  [[nodiscard]] const double* result() const { return values_.data() + 1; }

 private:
  index_t pages_;
  ndp::cuda_devices::array<int> sources_, offsets_, links_;
  ndp::cuda_devices::array<double> rank_, next_, shares_, values_;
  std::unique_ptr<ndp::cuda_devices::replicas<double>> copies_;
};

// The Laplacian of a cube: 7 entries a row, those beyond the faces zero.
inline constexpr index_t entries_of_cell = 7;
struct cube_column {
  index_t side;
  FETTLE_HOST_DEVICE int operator()(index_t i) const {
    const index_t cell = i / entries_of_cell;
    const index_t k = i % entries_of_cell;
    const index_t step = k == 0 || k == 6 ? side * side : k == 1 || k == 5 ? side : k == 3 ? 0 : 1;
    const index_t column = k < 3 ? cell - step : cell + step;
    return static_cast<int>(column < 0 || column >= side * side * side ? cell : column);
  }
};
struct cube_value {
  index_t side;
  FETTLE_HOST_DEVICE double operator()(index_t i) const {
    const index_t cell = i / entries_of_cell;
    const index_t k = i % entries_of_cell;
    if (k == 3) return 6.5;
    const index_t step = k == 0 || k == 6 ? side * side : k == 1 || k == 5 ? side : 1;
    const index_t column = k < 3 ? cell - step : cell + step;
    return column < 0 || column >= side * side * side ? 0.0 : -1.0;
  }
};
struct product_of_row {
  ndp::sequence<const double> x;
  template <typename Row, typename Columns>
  FETTLE_HOST_DEVICE auto operator()(const Row& row, const Columns& columns) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, row, ndp::gather(x, columns)), 0.0);
  }
};
/// a + sign (above / below) b
struct add_scaled {
  double sign;
  const double* above;
  const double* below;
  FETTLE_HOST_DEVICE double operator()(double a, double b) const {
    return a + sign * (*above / *below) * b;
  }
};

/// Neighbouring columns: next to nothing is read through the links.
class conjugate_gradients {
 public:
  conjugate_gradients(const ndp::platform::cuda_devices& on, index_t side)
      : cells_(side * side * side),
        columns_(on, cells_ * entries_of_cell),
        offsets_(on, cells_ + 1),
        matrix_(on, cells_ * entries_of_cell),
        x_(on, cells_),
        r_(on, cells_),
        d_(on, cells_),
        q_(on, cells_),
        values_(on, 8) {
    fill(on, columns_, cube_column{side});
    fill(on, matrix_, cube_value{side});
    fill(on, offsets_, multiple{entries_of_cell});
    fill(on, x_, same_for_all{0});
    fill(on, r_, same_for_all{1});
    fill(on, d_, same_for_all{1});
    fill(on, values_, same_for_all{static_cast<double>(cells_)});
  }

  template <typename Platform>
  void iterate(const Platform& on) {
    double* const dq = values_.data() + 2;
    double* const rr = values_.data() + now_;
    double* const next = values_.data() + (1 - now_);
    const auto value = [&](int i) { return ndp::subsequence(values_.write(), i, 1); };
    ndp::execute(ndp::map(product_of_row{d_.read()}, ndp::nest(matrix_.read(), offsets_.read()),
                          ndp::nest(columns_.read(), offsets_.read())),
                 q_.write(), on);
    ndp::execute(ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, d_.read(), q_.read()), 0.0),
                 value(2), on);
    ndp::execute(ndp::map(add_scaled{1, rr, dq}, x_.read(), d_.read()), x_.write(), on);
    ndp::execute(ndp::map(add_scaled{-1, rr, dq}, r_.read(), q_.read()), r_.write(), on);
    ndp::execute(ndp::reduce(ndp::plus{}, ndp::map(ndp::multiplies{}, r_.read(), r_.read()), 0.0),
                 value(1 - now_), on);
    ndp::execute(ndp::map(add_scaled{1, next, rr}, r_.read(), d_.read()), d_.write(), on);
    now_ = 1 - now_;
  }
  [[nodiscard]] const double* result() const { return values_.data() + now_; }

 private:
  index_t cells_;
  ndp::cuda_devices::array<int> columns_, offsets_;
  ndp::cuda_devices::array<double> matrix_, x_, r_, d_, q_, values_;
  int now_ = 0;
};

}  // namespace devices_benchmark
