// Computations of all kinds one after the other, in an order and with sizes drawn by lot, on
// several streams: what one leaves behind must not disturb the next.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>

#include "ndp/support/cuda_platform.cuh"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::affine;
using ndp_test::compose;
using ndp_test::data;
using ndp_test::require_success;
using number = std::int64_t;
using numbers = std::vector<number>;

namespace {

struct row_sum {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, number{1});
  }
};
struct row_sums {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::inclusive_scan(ndp::plus{}, row, number{1});
  }
};
struct row_composition {
  template <typename Row>
  FETTLE_HOST_DEVICE auto operator()(const Row& row) const {
    return ndp::reduce(compose{}, row, affine{});
  }
};
struct is_odd {
  FETTLE_HOST_DEVICE bool operator()(number x) const { return x % 2 != 0; }
};

constexpr index_t most = 1200000;  // elements

/// Inputs, which are read only, and by parts that begin anywhere.
struct inputs {
  std::mt19937 random{7};
  numbers x = ndp_test::made_up<number>(most, 3);
  std::vector<affine> functions = ndp_test::made_up<affine>(most, 4);
  std::vector<int> keys;    // runs
  std::vector<int> places;  // bins
  std::vector<std::vector<int>> offsets;
  data<number> on_x{x};
  data<affine> on_functions{functions};

  inputs() {
    int key = 0;
    for (index_t i = 0; i < most; ++i) {
      // Runs of a few elements, and now and then one of many.
      if (random() % (i / 300000 % 2 == 0 ? 3 : 5000) == 0) key = (key + 1) % 1000;
      keys.push_back(key);
      places.push_back(static_cast<int>(random() % 3 == 0 ? 5 : random() % 6000));
    }
    const std::vector<std::function<int(int)>> lengths = {
        [](int) { return 3; },
        [](int i) { return i % 3000 == 50 ? 40000 : i % 6; },
        [](int i) { return i % 1000 == 9     ? 300
                           : i % 30000 == 17 ? 70000
                                             : 14; },
        [](int) { return 1000; },
        [](int i) { return 30000 + i; },
        [](int i) { return i == 3 ? 400000 : i % 50; }};
    for (const auto& length : lengths) {
      std::vector<int> made{0};
      for (;;) {
        const int next = made.back() + length(static_cast<int>(made.size()));
        if (next > most || made.size() > 200000) break;
        made.push_back(next);
      }
      offsets.push_back(std::move(made));
    }
  }

  /// Few elements as often as many.
  [[nodiscard]] index_t some() {
    const double share = std::uniform_real_distribution<double>(0.0, 1.0)(random);
    return static_cast<index_t>(std::pow(static_cast<double>(most) / 2, share));
  }
};

/// A computation's destination and what is right.
struct result {
  data<number> values{numbers(static_cast<std::size_t>(most), -9)};
  data<index_t> count{std::vector<index_t>{-1}};
  std::string name;
  numbers expected;
  index_t expected_count = -1;

  [[nodiscard]] auto counted() { return ndp::counted(values.write(), count.write()); }
  [[nodiscard]] bool is_right() const {
    if (expected_count >= 0 && count.values()[0] != expected_count) return false;
    const numbers found = values.values();
    return std::equal(expected.begin(), expected.end(), found.begin());
  }
};

/// Puts a computation that is drawn by lot on the stream.
class drawn_computation {
 public:
  drawn_computation(inputs& in, const ndp::platform::cuda& on, result& to)
      : in_(in),
        on_(on),
        to_(to),
        count_(in.some()),
        begin_(static_cast<index_t>(in.random() % static_cast<unsigned>(most - count_ + 1))),
        x_(in.x.data() + begin_, in.x.data() + begin_ + count_),
        keys_(in.keys.data() + begin_, in.keys.data() + begin_ + count_) {
    to_.expected.clear();
    to_.expected_count = -1;
  }

  /// The keys' memory has to last until the work is done.
  void run(const data<int>& on_keys, const data<int>& on_places,
           const std::vector<data<int>>& on_offsets) {
    const auto x = ndp::subsequence(in_.on_x.read(), begin_, count_);
    const auto keys = ndp::subsequence(on_keys.read(), begin_, count_);
    switch (in_.random() % 11) {
      case 0: {
        to_.name = "reduce";
        number sum = 5;
        for (const number value : x_) sum += value;
        to_.expected = {sum};
        execute(ndp::reduce(ndp::plus{}, x, number{5}), part(1));
        break;
      }
      case 1: {
        to_.name = "scan";
        number sum = 5;
        for (const number value : x_) to_.expected.push_back(sum += value);
        execute(ndp::inclusive_scan(ndp::plus{}, x, number{5}), part(count_));
        break;
      }
      case 2: {
        to_.name = "filter";
        for (const number value : x_) {
          if (value % 2 != 0) to_.expected.push_back(value);
        }
        execute_counted(ndp::filter(is_odd{}, x));
        break;
      }
      case 3: {
        to_.name = "unique";
        for (std::size_t i = 0; i < x_.size(); ++i) {
          if (i == 0 || x_[i] != x_[i - 1]) to_.expected.push_back(x_[i]);
        }
        execute_counted(ndp::unique(x));
        break;
      }
      case 4: {
        to_.name = "reduce_by_key";
        for (std::size_t i = 0; i < x_.size(); ++i) {
          if (i == 0 || keys_[i] != keys_[i - 1]) to_.expected.push_back(1);
          to_.expected.back() += x_[i];
        }
        execute_counted(ndp::reduce_by_key(ndp::plus{}, x, keys, number{1}));
        break;
      }
      case 5: {
        const auto bins = static_cast<index_t>(in_.random() % 2 == 0 ? 100 : 6000);
        to_.name = "reduce_by_index into " + std::to_string(bins);
        to_.expected.assign(static_cast<std::size_t>(bins), 1);
        for (std::size_t i = 0; i < x_.size(); ++i) {
          const int place = in_.places[static_cast<std::size_t>(begin_) + i];
          if (place < bins) to_.expected[static_cast<std::size_t>(place)] += x_[i];
        }
        execute(
            ndp::reduce_by_index(ndp::plus{}, x, ndp::subsequence(on_places.read(), begin_, count_),
                                 bins, number{1}),
            part(bins));
        break;
      }
      case 6: {
        to_.name = "sort";
        to_.expected = x_;
        std::sort(to_.expected.begin(), to_.expected.end());
        execute(ndp::sort(x), part(count_));
        break;
      }
      case 7: {
        to_.name = "windows";
        const index_t width = 3 + count_ % 50;
        if (count_ < width) break;
        number sum = 1;
        for (index_t i = 0; i < count_; ++i) {
          sum += x_[static_cast<std::size_t>(i)];
          if (i >= width) sum -= x_[static_cast<std::size_t>(i - width)];
          if (i + 1 >= width) to_.expected.push_back(sum);
        }
        execute(ndp::map(row_sum{}, ndp::windows(x, width)), part(count_ - width + 1));
        break;
      }
      default:
        run_rows(on_offsets);
    }
  }

 private:
  void run_rows(const std::vector<data<int>>& on_offsets) {
    const std::size_t which = in_.random() % on_offsets.size();
    const std::vector<int>& offsets = in_.offsets[which];
    const auto rows = static_cast<index_t>(offsets.size()) - 1;
    const auto nested = [&](const auto& atoms) {
      return ndp::nest(atoms.read(), on_offsets[which].read());
    };
    const auto for_each_row = [&](const auto& fold) {
      for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
        fold(static_cast<std::size_t>(offsets[row]), static_cast<std::size_t>(offsets[row + 1]));
      }
    };
    switch (in_.random() % 3) {
      case 0:
        to_.name = "sums of rows " + std::to_string(which);
        for_each_row([&](std::size_t i, std::size_t end) {
          number sum = 1;
          for (; i < end; ++i) sum += in_.x[i];
          to_.expected.push_back(sum);
        });
        return execute(ndp::map(row_sum{}, nested(in_.on_x)), part(rows));
      case 1:
        to_.name = "scans of rows " + std::to_string(which);
        for_each_row([&](std::size_t i, std::size_t end) {
          number sum = 1;
          for (; i < end; ++i) to_.expected.push_back(sum += in_.x[i]);
        });
        return execute(ndp::map(row_sums{}, nested(in_.on_x)), part(offsets.back()));
      default: {
        to_.name = "compositions of rows " + std::to_string(which);
        for_each_row([&](std::size_t i, std::size_t end) {
          affine all;
          for (; i < end; ++i) all = compose{}(all, in_.functions[i]);
          to_.expected.push_back(static_cast<number>(all.scale) | static_cast<number>(all.shift)
                                                                      << 32);
        });
        static_assert(sizeof(affine) == sizeof(number));
        return execute(
            ndp::map(row_composition{}, nested(in_.on_functions)),
            ndp::make_sequence(reinterpret_cast<affine*>(to_.values.write().data()), rows));
      }
    }
  }

  [[nodiscard]] ndp::sequence<number> part(index_t size) {
    return {to_.values.write().data(), size};
  }
  template <typename E, typename D>
  void execute(const E& e, const D& to) {
    ndp::execute(e, to, on_);
  }
  template <typename E>
  void execute_counted(const E& e) {
    to_.expected_count = static_cast<index_t>(to_.expected.size());
    ndp::execute(e, to_.counted(), on_);
  }

  inputs& in_;
  const ndp::platform::cuda& on_;
  result& to_;
  index_t count_;
  index_t begin_;
  numbers x_;
  std::vector<int> keys_;
};

}  // namespace

TEST_CASE("computations of all kinds on several streams, in an order drawn by lot") {
  if (ndp_test::too_large("computations of all kinds on several streams")) return;
  inputs in;
  const data<int> keys(in.keys);
  const data<int> places(in.places);
  std::vector<data<int>> offsets;
  for (const std::vector<int>& rows : in.offsets) offsets.emplace_back(rows);
  std::vector<cudaStream_t> streams(4, nullptr);
  for (std::size_t i = 1; i < streams.size(); ++i) {
    require_success(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
  }
  constexpr int in_a_row = 6;
  std::vector<std::unique_ptr<result>> results;
  for (std::size_t i = 0; i < in_a_row * streams.size(); ++i) {
    results.push_back(std::make_unique<result>());
  }
  for (int round = 0; round < 12; ++round) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      const ndp::platform::cuda on{streams[i % streams.size()]};
      drawn_computation(in, on, *results[i]).run(keys, places, offsets);
    }
    require_success(cudaDeviceSynchronize());
    std::string wrong;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i]->is_right()) continue;
      wrong += results[i]->name + " after ";
      wrong += i < streams.size() ? "others; " : results[i - streams.size()]->name + "; ";
    }
    CAPTURE(round);
    REQUIRE(wrong == "");
  }
  for (std::size_t i = 1; i < streams.size(); ++i) cudaStreamDestroy(streams[i]);
}
