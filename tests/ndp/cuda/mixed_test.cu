// Computations of all kinds one after the other, in an order and with sizes drawn by lot, on
// several streams: what one leaves behind must not disturb the next. Judged by the results of
// OpenMP's.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cuda_runtime.h>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/openmp.hpp>

#include "ndp/support/cuda_platform.cuh"
#include "ndp/support/row_computations.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
using ndp_test::data;
using ndp_test::require_success;
using numbers = std::vector<index_t>;

namespace {

struct is_odd {
  FETTLE_HOST_DEVICE bool operator()(index_t x) const { return x % 2 != 0; }
};

constexpr index_t most = 1200000;  // elements

/// What is read.
struct inputs {
  numbers x = random_numbers(most, 3);
  std::vector<affine> functions = random_affines(most, 4);
  std::vector<int> keys;    // runs
  std::vector<int> places;  // bins
  std::vector<std::vector<int>> offsets;

  explicit inputs(std::mt19937& random) {
    int key = 0;
    for (index_t i = 0; i < most; ++i) {
      // Runs of a few elements, and now and then one of many.
      if (random() % (i / 300000 % 2 == 0 ? 3 : 5000) == 0) key = (key + 1) % 1000;
      keys.push_back(key);
      places.push_back(static_cast<int>(random() % 3 == 0 ? 5 : random() % 6000));
    }
    add_rows([](int) { return 3; });
    add_rows([](int i) { return i % 3000 == 50 ? 40000 : i % 6; });
    add_rows([](int i) { return i % 1000 == 9 ? 300 : i % 30000 == 17 ? 70000 : 14; });
    add_rows([](int) { return 1000; });
    add_rows([](int i) { return 30000 + i; });
    add_rows([](int i) { return i == 3 ? 400000 : i % 50; });
  }

 private:
  template <typename Length>
  void add_rows(const Length& length) {
    std::vector<int> made{0};
    while (made.size() <= 200000) {
      const int next = made.back() + length(static_cast<int>(made.size()));
      if (next > most) break;
      made.push_back(next);
    }
    offsets.push_back(std::move(made));
  }
};

/// A computation that is drawn by lot: its kind, and the part of the inputs that it reads.
struct draw {
  unsigned kind;
  unsigned rows;
  index_t bins;
  index_t count;
  index_t begin;

  explicit draw(std::mt19937& random)
      : kind(random() % 11), rows(random() % 6), bins(random() % 2 == 0 ? 100 : 6000) {
    // Few elements as often as many.
    const double share = std::uniform_real_distribution<double>(0.0, 1.0)(random);
    count = static_cast<index_t>(std::pow(static_cast<double>(most) / 2, share));
    begin = static_cast<index_t>(random() % static_cast<unsigned>(most - count + 1));
  }
};

/// The inputs and a destination in a platform's memory; Array<T> of the platform.
template <template <typename> typename Array>
struct memory {
  Array<index_t> x;
  Array<affine> functions;
  Array<int> keys;
  Array<int> places;
  std::vector<Array<int>> offsets;
  std::vector<index_t> atoms;

  explicit memory(const inputs& in)
      : x(in.x), functions(in.functions), keys(in.keys), places(in.places) {
    for (const std::vector<int>& rows : in.offsets) {
      offsets.emplace_back(rows);
      atoms.push_back(rows.back());
    }
  }

  struct result {
    Array<index_t> values{numbers(static_cast<std::size_t>(most), -9)};
    Array<affine> functions{std::vector<affine>(most)};
    Array<index_t> count{numbers{-1}};

    [[nodiscard]] bool operator==(const auto& other) const {
      return values.values() == other.values.values() && count.values() == other.count.values() &&
             functions.values() == other.functions.values();
    }
  };

  /// Executes what is drawn.
  template <typename Platform>
  void execute(const draw& drawn, const Platform& on, result& to) const {
    const auto s = ndp::subsequence(x.read(), drawn.begin, drawn.count);
    const auto k = ndp::subsequence(keys.read(), drawn.begin, drawn.count);
    const auto p = ndp::subsequence(places.read(), drawn.begin, drawn.count);
    const Array<int>& row_offsets = offsets[drawn.rows];
    const auto rows = ndp::nest(x.read(), row_offsets.read());
    const auto rows_of_functions = ndp::nest(functions.read(), row_offsets.read());
    const auto part = [&](index_t size) { return ndp::subsequence(to.values.write(), 0, size); };
    const auto counted = ndp::counted(to.values.write(), to.count.write());
    const index_t width = 3 + drawn.count % 50;
    const ndp::plus add{};
    constexpr index_t seed = 5;
    switch (drawn.kind) {
      case 0:
        return ndp::execute(ndp::reduce(add, s, seed), part(1), on);
      case 1:
        return ndp::execute(ndp::inclusive_scan(add, s, seed), part(drawn.count), on);
      case 2:
        return void(ndp::execute(ndp::filter(is_odd{}, s), counted, on));
      case 3:
        return void(ndp::execute(ndp::unique(s), counted, on));
      case 4:
        return void(ndp::execute(ndp::reduce_by_key(add, s, k, seed), counted, on));
      case 5:
        return ndp::execute(ndp::reduce_by_index(add, s, p, drawn.bins, seed), part(drawn.bins),
                            on);
      case 6:
        return ndp::execute(ndp::sort(s), part(drawn.count), on);
      case 7:
        if (drawn.count < width) return;
        return ndp::execute(ndp::map(sum_row{}, ndp::windows(s, width)),
                            part(drawn.count - width + 1), on);
      case 8:
        return ndp::execute(ndp::map(sum_row{}, rows), part(rows.size()), on);
      case 9:
        return ndp::execute(ndp::map(scan_row{}, rows), part(atoms[drawn.rows]), on);
      default:
        return ndp::execute(ndp::map(compose_row{}, rows_of_functions),
                            ndp::subsequence(to.functions.write(), 0, rows.size()), on);
    }
  }
};

/// `data` on the host.
template <typename T>
class on_host {
 public:
  explicit on_host(std::vector<T> values) : values_(std::move(values)) {}
  [[nodiscard]] ndp::sequence<const T> read() const { return ndp::make_sequence(values_); }
  [[nodiscard]] ndp::sequence<T> write() { return ndp::make_sequence(values_); }
  [[nodiscard]] const std::vector<T>& values() const { return values_; }

 private:
  std::vector<T> values_;
};

}  // namespace

TEST_CASE("computations of all kinds on several streams, in an order drawn by lot") {
  if (ndp_test::too_large("computations of all kinds on several streams")) return;
  std::mt19937 random(7);
  const inputs in(random);
  const memory<on_host> here(in);
  const memory<data> there(in);
  std::vector<cudaStream_t> streams(4, nullptr);
  for (std::size_t i = 1; i < streams.size(); ++i) {
    require_success(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
  }
  for (int round = 0; round < 12; ++round) {
    std::vector<draw> drawn;
    std::vector<memory<data>::result> found(6 * streams.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      drawn.emplace_back(random);
      there.execute(drawn[i], ndp::platform::cuda{streams[i % streams.size()]}, found[i]);
    }
    require_success(cudaDeviceSynchronize());
    std::string wrong;  // kinds, and those before them on the stream
    for (std::size_t i = 0; i < found.size(); ++i) {
      memory<on_host>::result expected;
      here.execute(drawn[i], ndp::platform::openmp{}, expected);
      if (found[i] == expected) continue;
      wrong +=
          std::to_string(drawn[i].kind) + " after " +
          (i < streams.size() ? "others; " : std::to_string(drawn[i - streams.size()].kind) + "; ");
    }
    CAPTURE(round);
    REQUIRE(wrong == "");
  }
  for (std::size_t i = 1; i < streams.size(); ++i) cudaStreamDestroy(streams[i]);
}
