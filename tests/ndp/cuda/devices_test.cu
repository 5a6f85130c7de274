// Computations over GPUs, emulated by parts on one, and over all where there are several: the
// results are those of one GPU.
#include <algorithm>
#include <cstddef>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda_devices.hpp>
#include <fettle/ndp/explain.hpp>

#include "ndp/devices/cases.hpp"
#include "ndp/support/message_of.hpp"
#include "support/catch.hpp"
#include "support/needs_gpu.hpp"

namespace {

using namespace devices_test;
using ndp_test::message_of;
using gpus = ndp::platform::cuda_devices;
template <typename T>
using memory = ndp::cuda_devices::array<T>;

void require_success(cudaError_t status) {
  if (status != cudaSuccess) throw fettle::error(cudaGetErrorString(status));
}

[[nodiscard]] int gpu_count() {
  int count = 0;
  require_success(cudaGetDeviceCount(&count));
  return count;
}

template <typename T>
[[nodiscard]] memory<T> uploaded(const gpus& on, const std::vector<T>& values) {
  memory<T> made(on, static_cast<index_t>(values.size()));
  require_success(
      cudaMemcpy(made.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  require_success(cudaDeviceSynchronize());
  return made;
}
template <typename T>
[[nodiscard]] std::vector<T> downloaded(const T* from, index_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  require_success(cudaMemcpy(values.data(), from, values.size() * sizeof(T), cudaMemcpyDefault));
  return values;
}

/// check(platform) for 1, 2, 3, 4 and 8 parts of a GPU, and for all GPUs where there are more.
template <typename Check>
void for_each_list(const Check& check) {
  for (const int parts : {1, 2, 3, 4, 8}) {
    INFO(parts << " devices, emulated");
    check(gpus::emulated(0, parts));
  }
  if (gpu_count() > 1) {
    INFO("all devices");
    check(gpus::all());
  }
}

/// A computation and its destination as the library divides them.
template <typename E>
[[nodiscard]] auto without_epilogue(const E& e) {
  if constexpr (ndp::detail::has_epilogue_v<E>) {
    return ndp::detail::reductions_of(e);
  } else {
    return e;
  }
}
template <typename E>
[[nodiscard]] auto into(const E& e, const ndp::sequence<number>& destination) {
  if constexpr (ndp::detail::has_epilogue_v<E>) {
    return ndp::detail::through_epilogue(e, destination);
  } else {
    return destination;
  }
}

/// `e`, made of memory of these devices, on one of them and on all.
template <typename E>
void check_same(const E& e, index_t room, const gpus& on) {
  memory<number> expected = uploaded(on, std::vector<number>(static_cast<std::size_t>(room), 99));
  memory<number> found = uploaded(on, std::vector<number>(static_cast<std::size_t>(room), 99));
  ndp::execute<"expected">(e, expected.write(), ndp::platform::cuda{});
  ndp::execute<"found">(e, found.write(), on);
  require_success(cudaDeviceSynchronize());
  REQUIRE(downloaded(found.data(), room) == downloaded(expected.data(), room));
  if (on.is_emulated()) return;  // has divided it
  // The default rule keeps small ones on one device.
  memory<number> divided = uploaded(on, std::vector<number>(static_cast<std::size_t>(room), 99));
  ndp::cuda_devices::detail::device_group group({"divided"}, on);
  ndp::devices::detail::distribute(
      group, {"divided"}, without_epilogue(e), into(e, divided.write()),
      ndp::devices::detail::by_default_rule{}, ndp::devices::partition_by::automatic);
  require_success(cudaDeviceSynchronize());
  REQUIRE(downloaded(divided.data(), room) == downloaded(expected.data(), room));
}

/// Element i of a replicated array.
struct from_replica {
  ndp::cuda_devices::replica<number> x;
  [[nodiscard]] from_replica for_part(int part) const { return {x.for_part(part)}; }
  FETTLE_HOST_DEVICE number operator()(index_t i) const { return x.read()[i]; }
};

const std::vector<index_t> few_sizes = {0, 1, 2, 7, 8, 9, 129, 1023, 1025, 70001};

}  // namespace

TEST_CASE("maps over GPUs") {
  for (const index_t n : few_sizes) {
    INFO(n << " elements");
    for_each_list([&](const gpus& on) {
      const auto x = uploaded(on, made_up(n));
      check_same(ndp::map(twice{}, x.read()), n, on);
      check_same(ndp::gather(x.read(), ndp::reverse(ndp::range(index_t{0}, n))), n, on);
    });
  }
}

TEST_CASE("rows over GPUs, cut by work") {
  for (const index_t n : few_sizes) {
    for (const bool skewed : {false, true}) {
      INFO(n << " rows, skewed: " << skewed);
      const auto offsets = offsets_of(n, skewed);
      const auto values = made_up(offsets.back());
      std::vector<int> columns(values.size());
      for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i] = static_cast<int>((values[i] >> 3) % columns.size());
      }
      for_each_list([&](const gpus& on) {
        const auto x = uploaded(on, values);
        const auto o = uploaded(on, offsets);
        const auto c = uploaded(on, columns);
        const auto rows = ndp::nest(x.read(), o.read());
        check_same(ndp::map(sums_of{}, rows), offsets.back(), on);
        check_same(ndp::map(row_dot{x.read()}, rows, ndp::nest(c.read(), o.read())), n, on);
        check_same(ndp::map(twice{}, ndp::map(sum_of{}, rows)), n, on);
      });
    }
  }
}

TEST_CASE("windows and halos reach into other GPUs' memory") {
  for (const index_t n : few_sizes) {
    INFO(n << " elements");
    for_each_list([&](const gpus& on) {
      const auto x = uploaded(on, made_up(n));
      check_same(ndp::map(sum_of{}, ndp::windows(x.read(), 4)), n, on);
      const index_t width = 1 + n % 7;
      const auto grid =
          ndp::make_grid(ndp::subsequence(x.read(), 0, n / width * width), n / width, width);
      check_same(
          ndp::map(five_points{}, ndp::halo(grid, ndp::constant<1>{}, ndp::boundary::wrap{})), n,
          on);
    });
  }
}

TEST_CASE("reductions and scans over GPUs keep their operands' order") {
  for (const index_t n : few_sizes) {
    INFO(n << " elements");
    const auto values = made_up(2 * n);
    std::vector<affine> functions(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < functions.size(); ++i) {
      functions[i] = {values[2 * i] | 1, values[2 * i + 1]};
    }
    const affine seed{3, 4};
    for_each_list([&](const gpus& on) {
      const auto x = uploaded(on, values);
      const auto f = uploaded(on, functions);
      check_same(ndp::reduce(ndp::plus{}, x.read(), number{8}), 2, on);
      check_same(ndp::inclusive_scan(ndp::plus{}, x.read(), number{8}), 2 * n, on);
      const ndp::platform::cuda one{};
      const auto e = ndp::reduce(compose{}, f.read(), seed);
      REQUIRE(ndp::execute(e, on) == ndp::execute(e, one));
    });
  }
}

TEST_CASE("runs of keys that GPUs' parts cut") {
  for (const index_t n : few_sizes) {
    for (const int longest : {1, 3, 100, 100000}) {
      INFO(n << " elements, runs up to " << longest);
      const auto keys = keys_of(n, longest);
      const auto values = made_up(n);
      for_each_list([&](const gpus& on) {
        const auto x = uploaded(on, values);
        const auto k = uploaded(on, keys);
        const auto e = ndp::reduce_by_key(ndp::plus{}, x.read(), k.read(), number{3});
        memory<number> expected(on, n + 1);
        memory<number> found(on, n + 1);
        memory<index_t> counts(on, 2);
        ndp::execute(e, ndp::counted(expected.write(), ndp::subsequence(counts.write(), 0, 1)),
                     ndp::platform::cuda{});
        ndp::execute(e, ndp::counted(found.write(), ndp::subsequence(counts.write(), 1, 1)), on);
        require_success(cudaDeviceSynchronize());
        const auto both = downloaded(counts.data(), 2);
        REQUIRE(both[0] == both[1]);
        REQUIRE(downloaded(found.data(), both[0]) == downloaded(expected.data(), both[0]));
      });
    }
  }
}

TEST_CASE("parts read their GPU's copy of a replicated array") {
  for (const index_t n : {index_t{1}, index_t{129}, index_t{70001}}) {
    INFO(n << " elements");
    for_each_list([&](const gpus& on) {
      const auto values = made_up(n);
      const auto x = uploaded(on, values);
      ndp::cuda_devices::replicas<number> copies(on, n);
      REQUIRE(copies.size() == n);
      copies.assign(x.read());
      const auto backwards = ndp::reverse(ndp::range(index_t{0}, n));
      check_same(ndp::map(from_replica{copies.read()}, backwards), n, on);
      require_success(cudaDeviceSynchronize());
      for (int p = 0; p < on.size(); ++p) {
        REQUIRE(downloaded(copies.read().for_part(p).here, n) == values);
      }
      if (!on.is_emulated() && ndp::cuda_devices::detail::find_nccl() != nullptr) {
        const auto others = made_up(n, 5);
        const auto y = uploaded(on, others);
        copies.assign(y.read(), ndp::cuda_devices::gathering::by_nccl);
        require_success(cudaDeviceSynchronize());
        for (int p = 0; p < on.size(); ++p) {
          REQUIRE(downloaded(copies.read().for_part(p).here, n) == others);
        }
      }
    });
  }
  const gpus on = gpus::emulated(0, 2);
  ndp::cuda_devices::replicas<number> copies(on, 10);
  const auto x = uploaded(on, made_up(11));
  REQUIRE(message_of([&] { copies.assign(x.read()); }) ==
          "cuda_devices::replicas: 11 elements are assigned to copies of 10; give as many");
  REQUIRE(message_of([&] {
            copies.assign(ndp::subsequence(x.read(), 0, 10), ndp::cuda_devices::gathering::by_nccl);
          }).find("cuda_devices::replicas: NCCL is asked for, but ") == 0);
  REQUIRE(message_of([&] {
            static_cast<void>(ndp::cuda_devices::replicas<double>(on, index_t{1} << 45));
          }).find("cuda_devices::replicas: device 0 (") == 0);
}

TEST_CASE("the number of GPUs is chosen by size, and by where arrays lie") {
  if (gpu_count() < 2) return;
  const gpus on{0, 1};
  const auto chosen = [&](const memory<number>& x, const memory<number>& y) {
    return ndp::cuda_devices::detail::best_devices(on, {"chosen"}, ndp::map(twice{}, x.read()),
                                                   ndp::make_sequence(y.data(), y.size()));
  };
  const memory<number> small(on, 1000);
  REQUIRE(chosen(small, small) == 1);
  const index_t many = index_t{1} << 27;
  const memory<number> divided(on, many);
  REQUIRE(chosen(divided, divided) == 2);
  const memory<number> whole(gpus{0}, many);
  REQUIRE(chosen(whole, whole) == 1);
  // Divided, though it is small: the other half would come through the link.
  const index_t few = index_t{1} << 24;
  const memory<number> in_parts(on, ndp::devices::equal_cuts(few, 2));
  REQUIRE(chosen(in_parts, in_parts) == 2);
}

TEST_CASE("a program over GPUs: its results lie where they are computed") {
  for_each_list([](const gpus& on) {
    const index_t n = 70001;
    const auto values = made_up(n);
    const auto x = uploaded(on, values);
    memory<number> z(on, n);
    ndp::basic_program<gpus> p;
    const auto y = p.add<"y">(ndp::map(twice{}, x.read()));
    const auto sum = p.add<"sum">(ndp::reduce(ndp::plus{}, y, number{0}));
    p.add<"z">(ndp::map(add{}, y, ndp::gather(sum, ndp::replicate(0, n))), z.write());
    p.execute(on);
    require_success(cudaDeviceSynchronize());
    number expected = 0;
    for (const number value : values) expected += 2 * value + 1;
    const auto found = downloaded(z.data(), n);
    for (std::size_t i = 0; i < found.size(); ++i) {
      REQUIRE(found[i] == 2 * values[i] + 1 + expected);
    }
  });
  // A result of 128 MiB after one of 2.
  const gpus on{0, 1};
  constexpr std::size_t mebi = 1U << 20U;
  const std::vector<ndp::detail::result_range> results = {{0, 2 * mebi}, {2 * mebi, 128 * mebi}};
  const auto pieces = ndp::cuda_devices::detail::pieces_of_program(on, 130 * mebi, results);
  REQUIRE(pieces.size() == 2);
  REQUIRE((pieces[0].device == 0 && pieces[0].end == 66 * mebi));
  REQUIRE((pieces[1].device == 1 && pieces[1].end == 130 * mebi));
}

TEST_CASE("a program over GPUs computes maps and a reduction of what they yield in one pass") {
  for_each_list([](const gpus& on) {
    const index_t n = 70001;
    const auto values = made_up(n);
    std::vector<number> on_host = made_up(n);
    memory<number> x(on, n);
    memory<number> total(on, 1);
    const auto in = uploaded(on, values);
    const auto check = [&](const auto& kept, const auto& read_back) {
      ndp::basic_program<gpus> p;
      p.add<"x", "total">(
          ndp::map(add{}, in.read(), in.read()), kept,
          [&](const auto& sums) {
            return ndp::reduce(ndp::plus{}, ndp::map(add{}, sums, in.read()), number{5});
          },
          total.write());
      REQUIRE(ndp::explain(p).find("in one pass") != std::string::npos);
      p.execute(on);
      require_success(cudaDeviceSynchronize());
      number expected = 5;
      for (const number value : values) expected += 3 * value;
      const auto found = read_back();
      for (std::size_t i = 0; i < values.size(); ++i) REQUIRE(found[i] == 2 * values[i]);
      REQUIRE(downloaded(total.data(), 1)[0] == expected);
    };
    check(x.write(), [&] { return downloaded(x.data(), n); });
    // Memory that devices cannot reach: then one after the other.
    check(ndp::make_sequence(on_host), [&] { return on_host; });
  });
}

TEST_CASE("memory of the host is copied, also the results") {
  std::vector<number> x = made_up(10007);
  std::vector<number> y(x.size());
  const gpus on = gpus::emulated(0, 3);
  ndp::execute(ndp::map(twice{}, ndp::make_sequence(x)), ndp::make_sequence(y), on);
  require_success(cudaDeviceSynchronize());
  REQUIRE(
      std::equal(x.begin(), x.end(), y.begin(), [](number a, number b) { return b == 2 * a + 1; }));
}

TEST_CASE("a captured map is a part of the graph") {
  cudaStream_t stream = nullptr;
  require_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const gpus on = gpus::emulated(0, 3, stream);
  const auto x = uploaded(on, made_up(5000));
  memory<number> y(on, 5000);
  ndp::execute(ndp::map(twice{}, x.read()), y.write(), on);
  require_success(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  ndp::execute(ndp::map(twice{}, x.read()), y.write(), on);
  REQUIRE(message_of([&] {
            ndp::execute<"sum">(ndp::reduce(ndp::plus{}, x.read(), number{0}),
                                ndp::subsequence(y.write(), 0, 1), on);
          }).find("sum: the stream is being captured") == 0);
  cudaGraph_t graph = nullptr;
  require_success(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t made = nullptr;
  require_success(cudaGraphInstantiate(&made, graph, 0));
  require_success(cudaMemset(y.data(), 0, 5000 * sizeof(number)));
  require_success(cudaGraphLaunch(made, stream));
  require_success(cudaStreamSynchronize(stream));
  REQUIRE(downloaded(y.data(), 1)[0] == 2 * made_up(5000)[0] + 1);
  cudaGraphExecDestroy(made);
  cudaGraphDestroy(graph);
}

TEST_CASE("policies by hand over GPUs") {
  const gpus on = gpus::emulated(0, 4);
  const auto x = uploaded(on, made_up(1000));
  memory<number> y(on, 1000);
  constexpr ndp::cuda_devices::policy policy{.devices = 2, .block_size_x = 128};
  ndp::execute(ndp::map(twice{}, x.read()), y.write(), on, ndp::schedule::independent<>{},
               ndp::constant<policy>{});
  require_success(cudaDeviceSynchronize());
  REQUIRE(downloaded(y.data(), 1000)[999] == 2 * made_up(1000)[999] + 1);
  REQUIRE(to_string(policy) == "devices=2 block_size_x=128");
  REQUIRE(ndp::cuda_devices::parse_policy("devices=2 block_size_x=128") == policy);
}

TEST_CASE("lists that no computation can be divided among") {
  std::vector<number> x(10);
  const auto s = ndp::make_sequence(x);
  const auto message_for = [&](const gpus& on) {
    return message_of([&] { ndp::execute<"listed">(ndp::map(twice{}, s), s, on); });
  };
  REQUIRE(message_for(gpus{0, 0}).find("listed: platform::cuda_devices: device 0 (") == 0);
  REQUIRE(message_for(gpus{0, 0}).find(") is listed twice; ") != std::string::npos);
  static_cast<void>(message_for(gpus::emulated(0, 2)));
  REQUIRE(message_for(gpus{0, 0}).find(") is listed twice; ") != std::string::npos);
  REQUIRE(message_for(gpus{0, 99}).find("device 99 is not there; CUDA has ") != std::string::npos);
  REQUIRE(message_for(gpus{-1}).find("device -1 is not there") != std::string::npos);
  REQUIRE(message_for(gpus(std::vector<int>{})).find("0 devices are listed") != std::string::npos);
}

TEST_CASE("the current device stays, and its default stream waits for the others") {
  for_each_list([](const gpus& on) {
    const auto x = uploaded(on, made_up(4000001));
    memory<number> y(on, 4000001);
    ndp::execute(ndp::map(twice{}, x.read()), y.write(), on);
    int device = -1;
    require_success(cudaGetDevice(&device));
    REQUIRE(device == 0);
    require_success(cudaStreamSynchronize(nullptr));
    REQUIRE(downloaded(y.data() + 4000000, 1)[0] == 2 * made_up(4000001)[4000000] + 1);
  });
}

TEST_CASE("what a device has no memory for names it, and the program goes on") {
  const gpus on = gpus::emulated(0, 2);
  REQUIRE(message_of([&] {
            static_cast<void>(memory<double>(on, index_t{1} << 45));
          }).find("cuda_devices::array: device 0 (") == 0);
  const auto x = uploaded(on, made_up(100));
  memory<number> y(on, 100);
  ndp::execute(ndp::map(twice{}, x.read()), y.write(), on);
  require_success(cudaDeviceSynchronize());
}

/// Whether all devices reach each other's plain memory.
void set_access(bool wanted) {
  for (int device = 0; device < gpu_count(); ++device) {
    require_success(cudaSetDevice(device));
    for (int other = 0; other < gpu_count(); ++other) {
      if (other == device) continue;
      const cudaError_t status =
          wanted ? cudaDeviceEnablePeerAccess(other, 0) : cudaDeviceDisablePeerAccess(other);
      if (status != cudaSuccess) cudaGetLastError();  // it is so already
    }
  }
  require_success(cudaSetDevice(0));
}

TEST_CASE("GPUs without access to each other copy what they read and write") {
  if (gpu_count() < 2) return;
  const index_t n = 70001;
  const auto values = made_up(n);
  const gpus on = gpus::all();
  number* x = nullptr;
  number* y = nullptr;
  const auto bytes = static_cast<std::size_t>(n) * sizeof(number);
  require_success(cudaMalloc(&x, bytes));
  require_success(cudaMalloc(&y, bytes));
  require_success(cudaMemcpy(x, values.data(), bytes, cudaMemcpyHostToDevice));
  {
    ndp::cuda_devices::detail::device_group group({"copied"}, on);
    set_access(false);
    ndp::devices::detail::distribute(
        group, {"copied"}, ndp::map(twice{}, ndp::sequence<const number>(x, n)),
        ndp::sequence<number>(y, n), ndp::devices::detail::by_default_rule{},
        ndp::devices::partition_by::automatic);
  }
  require_success(cudaDeviceSynchronize());
  const std::vector<number> found = downloaded(y, n);
  set_access(true);
  require_success(cudaFree(x));
  require_success(cudaFree(y));
  REQUIRE(std::equal(values.begin(), values.end(), found.begin(), found.end(),
                     [](number a, number b) { return b == 2 * a + 1; }));
}

TEST_CASE("an address that another GPU got is read there") {
  if (gpu_count() < 2) return;
  constexpr std::size_t bytes = std::size_t{1} << 22U;  // CUDA gives such addresses again
  constexpr index_t n = 1000;
  const auto values = made_up(n);
  number* y = nullptr;
  require_success(cudaMalloc(&y, bytes));
  // The same expression over memory of one GPU after the other's.
  for (const int device : {0, 1, 0, 1}) {
    INFO("on device " << device);
    number* x = nullptr;
    require_success(cudaSetDevice(device));
    require_success(cudaMalloc(&x, bytes));
    require_success(cudaMemcpy(x, values.data(), n * sizeof(number), cudaMemcpyHostToDevice));
    set_access(false);
    for (int k = 0; k < 2; ++k) {  // the second time, the division is known
      require_success(cudaMemset(y, 0, n * sizeof(number)));
      ndp::execute(ndp::map(twice{}, ndp::sequence<const number>(x, n)),
                   ndp::sequence<number>(y, n), gpus::all());
      require_success(cudaDeviceSynchronize());
      const std::vector<number> found = downloaded(y, n);
      REQUIRE(std::equal(values.begin(), values.end(), found.begin(), found.end(),
                         [](number a, number b) { return b == 2 * a + 1; }));
    }
    set_access(true);
    require_success(cudaFree(x));
  }
  require_success(cudaFree(y));
}

TEST_CASE("data on a GPU that is not listed") {
  if (gpu_count() < 2) return;
  const memory<number> x(gpus{1}, 100);
  memory<number> y(gpus{0}, 100);
  const std::string message =
      message_of([&] { ndp::execute<"far">(ndp::map(twice{}, x.read()), y.write(), gpus{0}); });
  REQUIRE(message.find("far: device 0 (") == 0);
  REQUIRE(message.find("a sequence of 100 elements lies on device 1 (") != std::string::npos);
  REQUIRE(message.find("which platform::cuda_devices does not list") != std::string::npos);
}

TEST_CASE("explain says how a computation scales over GPUs") {
  const gpus on = gpus::emulated(0, 2);
  const auto x = uploaded(on, made_up(1000));
  const std::string text = ndp::explain(ndp::map(twice{}, x.read()), on);
  REQUIRE(text.find("map on cuda_devices: 2 devices\n  device 0 (") == 0);
  REQUIRE(text.find("  2 devices: ") != std::string::npos);
  REQUIRE(text.find("  chosen: 2 devices") != std::string::npos);
}
