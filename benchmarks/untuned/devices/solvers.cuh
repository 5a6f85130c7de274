// PageRank and conjugate gradients over several GPUs: an iteration of each as computations that
// follow one another without waiting; those of conjugate gradients are a program.
#pragma once

#include <cstdint>
#include <cuda_runtime.h>
#include <memory>
#include <type_traits>
#include <utility>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda_devices.hpp>

#include "../../../examples/ndp/conjugate_gradients.hpp"
#include "../../../examples/ndp/pagerank.hpp"

namespace devices_benchmark {

namespace ndp = fettle::ndp;
using examples::distance;
using examples::lost_rank;
using examples::share_of_link;
using ndp::index_t;

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
/// An iteration is a program. Neighbouring columns: next to nothing is read through the links.
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
        rr_(on, 1),
        on_one_(made<ndp::platform::cuda>()),
        on_all_(made<ndp::platform::cuda_devices>()) {
    fill(on, columns_, cube_column{side});
    fill(on, matrix_, cube_value{side});
    fill(on, offsets_, multiple{entries_of_cell});
    fill(on, x_, same_for_all{0});
    fill(on, r_, same_for_all{1});
    fill(on, d_, same_for_all{1});
    fill(on, rr_, same_for_all{static_cast<double>(cells_)});
  }

  void iterate(const ndp::platform::cuda& on) { on_one_.execute(on); }
  void iterate(const ndp::platform::cuda_devices& on) { on_all_.execute(on); }
  [[nodiscard]] const double* result() const { return rr_.data(); }

 private:
  template <typename Platform>
  [[nodiscard]] ndp::basic_program<Platform> made() {
    return examples::conjugate_gradient_iteration<Platform>(
        {matrix_.read(), columns_.read(), offsets_.read(), {.longest = entries_of_cell}},
        {x_.write(), r_.write(), d_.write(), rr_.write()});
  }

  index_t cells_;
  ndp::cuda_devices::array<int> columns_, offsets_;
  ndp::cuda_devices::array<double> matrix_, x_, r_, d_, rr_;
  ndp::basic_program<ndp::platform::cuda> on_one_;
  ndp::basic_program<ndp::platform::cuda_devices> on_all_;
};

}  // namespace devices_benchmark
