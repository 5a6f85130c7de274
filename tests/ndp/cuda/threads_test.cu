// Threads of the program: several execute on one stream at once, where kernels of other threads may
// come between theirs, but not between those of one computation that leave something to each other;
// and threads that have not used the GPU before, which have no context until something gives them
// one.
#include <cuda_runtime.h>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/cuda/rows/adaptive_rows.cuh>
#include <fettle/ndp/cuda/rows/split_rows.cuh>
#include <fettle/ndp/cuda_devices.hpp>
#include <fettle/ndp/prepare.hpp>
#include <fettle/ndp/program.hpp>

#include "ndp/cuda/rows_on_gpu.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace ndp = fettle::ndp;
namespace kernels = fettle::ndp::cuda::detail;
using ndp_test::data;

namespace {

const ndp::platform::cuda gpu{};

/// Rows of length(i) until there are `atoms`.
template <typename Length>
[[nodiscard]] std::vector<int> rows_of(int atoms, const Length& length) {
  std::vector<int> offsets{0};
  while (offsets.back() < atoms) {
    offsets.push_back(offsets.back() + length(static_cast<int>(offsets.size())));
  }
  return offsets;
}

/// One thread's rows, and what is right.
class own_rows {
 public:
  own_rows(std::vector<int> offsets, unsigned seed)
      : offsets_(std::move(offsets)),
        values_(random_numbers(static_cast<std::size_t>(offsets_.back()), seed)),
        atoms_(values_),
        places_(offsets_),
        sums_(std::vector<index_t>(offsets_.size() - 1)) {}

  /// run(computation, destination)
  template <typename Run>
  void execute(const Run& run) {
    run(ndp::map(sum_row{}, ndp::nest(atoms_.read(), places_.read())), sums_.write());
  }
  [[nodiscard]] bool are_right() const {
    const std::vector<index_t> found = sums_.values();
    for (std::size_t row = 0; row < found.size(); ++row) {
      index_t sum = 1000;
      for (int i = offsets_[row]; i < offsets_[row + 1]; ++i) {
        sum += values_[static_cast<std::size_t>(i)];
      }
      if (found[row] != sum) return false;
    }
    return true;
  }

 private:
  std::vector<int> offsets_;
  std::vector<index_t> values_;
  data<index_t> atoms_;
  data<int> places_;
  data<index_t> sums_;
};

}  // namespace

TEST_CASE("threads execute on one stream at once") {
  const auto adaptive = [](const auto& e, const auto& to) {
    kernels::adaptive_rows(gpu, tested, e, to);
  };
  const auto split = [](const auto& e, const auto& to) {
    kernels::split_rows(gpu, tested, e, to, ndp::constant<ndp::cuda::policy{}>{});
  };
  const auto by_rule = [](const auto& e, const auto& to) { ndp::execute<"rows">(e, to, gpu); };
  // Some rows listed and some cut, by two kernels; some cut by one; few that are split.
  const auto listed = [](int i) { return i % 1000 == 9 ? 300 : i % 30000 == 17 ? 70000 : 14; };
  const auto cut = [](int i) { return i % 3000 == 50 ? 40000 : 3; };
  std::vector<own_rows> rows;
  for (unsigned i = 1; i <= 2; ++i) {
    rows.emplace_back(rows_of(2000000, listed), i);
    rows.emplace_back(rows_of(400000, cut), 10 + i);
    rows.emplace_back(rows_of(300000, [](int) { return 30000; }), 20 + i);
    rows.emplace_back(rows_of(200000, [](int j) { return j % 7; }), 30 + i);
  }
  const index_t rounds = ndp_test::sized(200, 20);
  std::mutex lock;
  std::vector<std::string> failures;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const auto fail = [&, t](const std::string& what) {
      const std::lock_guard<std::mutex> guard(lock);
      failures.push_back("thread " + std::to_string(t) + ": " + what);
    };
    threads.emplace_back([&, t, fail] {
      try {
        for (index_t round = 0; round < rounds; ++round) {
          if (t % 4 == 2) {
            rows[t].execute(split);
          } else if (t % 4 == 3) {
            rows[t].execute(by_rule);
          } else {
            rows[t].execute(adaptive);
          }
          if (round % 20 == 19 && !rows[t].are_right()) {
            return fail("wrong in round " + std::to_string(round));
          }
        }
      } catch (const std::exception& error) {
        fail(error.what());
      }
    });
  }
  for (std::thread& one : threads) one.join();
  REQUIRE(failures == std::vector<std::string>{});
}

TEST_CASE("what a thread does first may be a computation") {
  const index_t n = 5000;
  std::vector<index_t> values(static_cast<std::size_t>(n), 3);
  std::vector<int> offsets;
  for (int row = 0; row <= 500; ++row) offsets.push_back(10 * row);
  const data<index_t> x(values);
  const data<int> places(offsets);
  data<index_t> y(values);
  data<index_t> counted(std::vector<index_t>{0});
  const auto first = [&] { return ndp::subsequence(y.write(), 0, 1); };
  const auto sum = ndp::reduce(ndp::plus{}, x.read(), index_t{1});
  const auto rows = ndp::nest(x.read(), places.read());
  const auto prepared = ndp::prepare<"prepared">(sum, first(), gpu);
  ndp::basic_program<ndp::platform::cuda> known;
  known.add<"sum">(sum, first());
  known.execute(gpu);

  struct work {
    std::string name;
    std::function<void()> run;
    index_t expected;  // in y[0]
  };
  const std::vector<work> kinds = {
      {"reduce", [&] { ndp::execute(sum, first(), gpu); }, 3 * n + 1},
      {"map", [&] { ndp::execute(ndp::map(ndp::negate{}, x.read()), y.write(), gpu); }, -3},
      {"rows",
       [&] { ndp::execute(ndp::map(sum_row{}, rows), ndp::subsequence(y.write(), 0, 500), gpu); },
       1030},
      {"inspected rows",
       [&] {
         if (ndp::inspect_rows(rows, gpu).longest != 10) throw std::runtime_error("not of 10");
       },
       -7},
      {"scan", [&] { ndp::execute(ndp::scan(ndp::plus{}, x.read(), index_t{5}), y.write(), gpu); },
       5},
      {"unique",
       [&] { ndp::execute(ndp::unique(x.read()), ndp::counted(y.write(), counted.write()), gpu); },
       3},
      {"sort", [&] { ndp::execute(ndp::sort(x.read()), y.write(), gpu); }, 3},
      {"a prepared computation", [&] { prepared(); }, 3 * n + 1},
      {"a computation that it prepares",
       [&] {
         const auto own = ndp::prepare<"own">(sum, first(), gpu);
         own();
         cudaDeviceSynchronize();
       },
       3 * n + 1},
      {"a program", [&] { known.execute(gpu); }, 3 * n + 1},
      {"a program of its own",
       [&] {
         ndp::basic_program<ndp::platform::cuda> own;
         own.add<"sum">(sum, first());
         own.execute(gpu);
         cudaDeviceSynchronize();
       },
       3 * n + 1},
      {"several devices",
       [&] { ndp::execute(sum, first(), ndp::platform::cuda_devices::emulated(0, 2)); }, 3 * n + 1},
      {"where memory lies",
       [&] {
         const auto its = ndp::cuda_devices::detail::location_of(0, x.read().data());
         if (!its.is_reachable) throw std::runtime_error("it is told that it cannot reach it");
       },
       -7},
  };
  for (const work& one : kinds) {
    INFO(one.name);
    std::vector<index_t> before = values;
    before[0] = -7;
    ndp_test::upload(y.write().data(), before);
    std::string failure;
    std::thread([&] {
      try {
        one.run();
      } catch (const std::exception& error) {
        failure = error.what();
      }
    }).join();
    REQUIRE(failure.empty());
    REQUIRE(y.values()[0] == one.expected);
  }
}
