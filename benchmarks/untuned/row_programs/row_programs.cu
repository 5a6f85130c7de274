// Row programs on a GPU: fused, in separate computations, and by a kernel written by hand that
// keeps the row in registers. Microseconds of one call, as the median of repeated CUDA graphs.
//
//   row_programs [largest number of elements [by policies too]]
//
// Under record.py each figure is recorded.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#include <fettle/core/json_writer.hpp>
#include <fettle/ndp.hpp>
#include <fettle/ndp/cuda.hpp>

#include "../../common/record.hpp"
#include "computations.hpp"

namespace {

using namespace row_programs;

void require(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// Microseconds of one call: the median of graphs of ten calls.
template <typename Call>
double microseconds(cudaStream_t stream, const Call& call) {
  call();  // allocates what it needs
  require(cudaStreamSynchronize(stream));
  cudaGraph_t graph;
  cudaGraphExec_t start;
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < 10; ++i) call();
  require(cudaStreamEndCapture(stream, &graph));
  require(cudaGraphInstantiate(&start, graph, 0));
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin));
  require(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < 9; ++i) {
    require(cudaEventRecord(begin, stream));
    require(cudaGraphLaunch(start, stream));
    require(cudaEventRecord(end, stream));
    require(cudaEventSynchronize(end));
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin, end));
    times.push_back(milliseconds * 100);
  }
  require(cudaGraphExecDestroy(start));
  require(cudaGraphDestroy(graph));
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  return times[4];
}

enum class what { softmax, layer_norm, variance };

struct larger {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};

/// By hand: Threads threads a row (a warp of a block of 256, or a block), Items elements each.
template <what What, typename T, int Threads, int Items>
__global__ __launch_bounds__(Threads < 256 ? 256 : Threads) void by_hand(const T* __restrict__ x,
                                                                         T* __restrict__ y,
                                                                         int rows, int columns) {
  constexpr bool warp = Threads == 32;
  const int row = warp ? blockIdx.x * 8 + threadIdx.x / 32 : blockIdx.x;
  if (row >= rows) return;
  const int rank = threadIdx.x % Threads;
  const T* in = x + static_cast<long long>(row) * columns;
  const auto total = [&](T value, auto op) {
    if constexpr (warp) {
#pragma unroll
      for (int d = 16; d > 0; d /= 2) value = op(value, __shfl_xor_sync(~0u, value, d));
      return value;
    } else {
      using reduction = cub::BlockReduce<T, Threads>;
      __shared__ typename reduction::TempStorage room;
      __shared__ T all;
      value = reduction(room).Reduce(value, op);
      if (threadIdx.x == 0) all = value;
      __syncthreads();
      value = all;
      __syncthreads();
      return value;
    }
  };
  const auto sum = [](T a, T b) { return a + b; };
  T kept[Items];
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const int i = rank + k * Threads;
    kept[k] = i < columns ? in[i] : T(What == what::softmax ? -1e30 : 0);
  }
  T* out = y + static_cast<long long>(row) * columns;
  if constexpr (What == what::softmax) {
    T m = kept[0];
#pragma unroll
    for (int k = 1; k < Items; ++k) m = kept[k] > m ? kept[k] : m;
    m = total(m, larger{});
    T s = 0;
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      kept[k] = exp(kept[k] - m);
      s += rank + k * Threads < columns ? kept[k] : T(0);
    }
    s = T(1) / total(s, sum);
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      if (rank + k * Threads < columns) out[rank + k * Threads] = kept[k] * s;
    }
  } else {
    T s = 0;
#pragma unroll
    for (int k = 0; k < Items; ++k) s += kept[k];
    const T mean = total(s, sum) / columns;
    T v = 0;
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      const T d = kept[k] - mean;
      v += rank + k * Threads < columns ? d * d : T(0);
    }
    v = total(v, sum) / columns;
    if constexpr (What == what::variance) {
      if (rank == 0) y[row] = v;
    } else {
      const T scale = T(1) / sqrt(v + T(1e-5));
#pragma unroll
      for (int k = 0; k < Items; ++k) {
        if (rank + k * Threads < columns) out[rank + k * Threads] = (kept[k] - mean) * scale;
      }
    }
  }
}

template <what What, typename T>
bool run_by_hand(cudaStream_t stream, const T* x, T* y, int rows, int columns) {
  const int warps = (rows + 7) / 8;
  if (columns <= 32) {
    by_hand<What, T, 32, 1><<<warps, 256, 0, stream>>>(x, y, rows, columns);
  } else if (columns <= 64) {
    by_hand<What, T, 32, 2><<<warps, 256, 0, stream>>>(x, y, rows, columns);
  } else if (columns <= 1024) {
    by_hand<What, T, 256, 4><<<rows, 256, 0, stream>>>(x, y, rows, columns);
  } else if (columns <= 16384) {
    by_hand<What, T, 1024, 16><<<rows, 1024, 0, stream>>>(x, y, rows, columns);
  } else {
    return false;
  }
  return true;
}

template <typename T>
struct memory {
  explicit memory(ndp::index_t count) : count(count) {
    require(cudaMalloc(&data, static_cast<std::size_t>(count) * sizeof(T)));
  }
  ~memory() { cudaFree(data); }
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;
  [[nodiscard]] ndp::sequence<T> all() const { return {data, count}; }
  T* data = nullptr;
  ndp::index_t count;
};

template <int Lanes, int Items>
using lanes = ndp::constant<ndp::cuda::policy{
    .logical_warp_size = Lanes,
    .level = {.second = {.grain_size = Items, .resource = ndp::cuda::execution_resource::warp}}}>;
template <int Threads, int Items>
using block = ndp::constant<ndp::cuda::policy{
    .block_size_x = Threads,
    .level = {.second = {.grain_size = Items, .resource = ndp::cuda::execution_resource::block}}}>;

template <typename T>
class shape {
 public:
  shape(int rows, int columns)
      : rows_(rows),
        columns_(columns),
        x_(ndp::index_t{rows} * columns),
        y_(ndp::index_t{rows} * columns),
        e_(ndp::index_t{rows} * columns),
        a_(rows),
        b_(rows),
        best_(rows) {
    std::vector<T> values(static_cast<std::size_t>(x_.count));
    unsigned state = 1;
    for (T& value : values)
      value = static_cast<T>((state = state * 1664525u + 1013904223u) >> 8) / T(1 << 22);
    require(cudaMemcpy(x_.data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    require(cudaStreamCreate(&stream_));
  }
  ~shape() { cudaStreamDestroy(stream_); }

  void measure(bool policies) {
    const ndp::platform::cuda on{stream_};
    const double copy = microseconds(stream_, [&] {
      require(cudaMemcpyAsync(y_.data, x_.data, static_cast<std::size_t>(x_.count) * sizeof(T),
                              cudaMemcpyDeviceToDevice, stream_));
    });
    print("copy", copy, 0, 0);
    run_one<what::softmax>(softmax<T>{}, y_.all(), policies, [&] {
      ndp::execute(ndp::map(row_maximum{}, table()), a_.all(), on);
      ndp::execute(ndp::map(row_powers<T>{}, table(), a_.all()), e_.all(), on);
      ndp::execute(ndp::map(row_total{}, table_of(e_)), b_.all(), on);
      ndp::execute(ndp::map(row_shares<T>{}, table_of(e_), b_.all()), y_.all(), on);
    });
    run_one<what::layer_norm>(layer_norm<T>{}, y_.all(), policies, [&] {
      ndp::execute(ndp::map(row_total{}, table()), a_.all(), on);
      ndp::execute(ndp::map(row_squares<T>{}, table(), a_.all()), b_.all(), on);
      ndp::execute(ndp::map(row_normalised<T>{}, table(), a_.all(), b_.all()), y_.all(), on);
    });
    run_one<what::variance>(variance<T>{}, b_.all(), policies, [&] {
      ndp::execute(ndp::map(row_total{}, table()), a_.all(), on);
      ndp::execute(ndp::map(row_squares<T>{}, table(), a_.all()), b_.all(), on);
      ndp::execute(ndp::map(divide_by<T>{static_cast<T>(columns_)}, b_.all()), b_.all(), on);
    });
    const double index = microseconds(stream_, [&] {
      ndp::execute(ndp::map(largest_with_index<T>{}, table()), best_.all(), on);
    });
    print("maximum with index", index, 0, 0);
  }

 private:
  [[nodiscard]] auto table_of(const memory<T>& m) const {
    return ndp::make_grid(ndp::sequence<const T>(m.data, m.count), rows_, columns_);
  }
  [[nodiscard]] auto table() const { return table_of(x_); }

  /// Microseconds; 0: there is none.
  void print(const char* name, double fused, double separate, double hand) const {
    const char* const type = sizeof(T) == 4 ? "fp32" : "fp64";
    std::printf("%8d x %6d %s %-20s %9.1f %9.1f %9.1f\n", rows_, columns_, type, name, fused,
                separate, hand);
    std::fflush(stdout);
    std::string row;
    fettle::json_writer out(row);
    out.begin_object().field("rows", rows_).field("columns", columns_).field("type", type);
    out.field("computation", name).field("us", fused);
    if (separate > 0) out.field("separate_us", separate);
    if (hand > 0) out.field("by_hand_us", hand);
    out.end_object();
    fettle_benchmarks::record_row(row);
  }

  template <what What, typename F, typename D, typename Separate>
  void run_one(const F& f, const D& destination, bool policies, const Separate& separate) {
    const ndp::platform::cuda on{stream_};
    const auto e = ndp::map(f, table());
    const double fused = microseconds(stream_, [&] { ndp::execute(e, destination, on); });
    const double apart = microseconds(stream_, separate);
    double hand = 0;
    T* const to = destination.data();
    if (run_by_hand<What>(stream_, x_.data, to, rows_, columns_)) {
      hand =
          microseconds(stream_, [&] { run_by_hand<What>(stream_, x_.data, to, rows_, columns_); });
    }
    print(F::name, fused, apart, hand);
    if (!policies || What == what::variance) return;
    const auto by = [&](const char* name, auto policy) {
      using schedule = ndp::schedule::independent<ndp::schedule::cooperative<>>;
      const double time =
          microseconds(stream_, [&] { ndp::execute(e, destination, on, schedule{}, policy); });
      std::printf("    %-12s %9.1f\n", name, time);
    };
    if (columns_ <= 8) {
      by("lanes 2x4", lanes<2, 4>{});
      by("lanes 4x2", lanes<4, 2>{});
      by("lanes 8x1", lanes<8, 1>{});
    } else if (columns_ <= 64) {
      by("lanes 16x4", lanes<16, 4>{});
      by("lanes 8x8", lanes<8, 8>{});
      by("lanes 32x2", lanes<32, 2>{});
    } else if (columns_ <= 1024) {
      by("block 128x8", block<128, 8>{});
      by("block 256x4", block<256, 4>{});
    } else {
      by("block 1024x16", block<1024, 16>{});
      by("block 1024x8", block<1024, 8>{});
      by("block 512x1", block<512, 1>{});
    }
  }

  int rows_, columns_;
  memory<T> x_, y_, e_, a_, b_;
  memory<numbered<T>> best_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  const long long most = argc > 1 ? std::atoll(argv[1]) : 1LL << 40;
  const bool policies = argc > 2;
  std::printf("microseconds of one call: fused, separate computations, by hand (0: none)\n");
  constexpr int shapes[][2] = {
      {1 << 20, 8}, {100000, 64}, {16384, 1024}, {4096, 16384}, {512, 65536}};
  for (const auto& [rows, columns] : shapes) {
    if (static_cast<long long>(rows) * columns > most) continue;
    shape<float>(rows, columns).measure(policies);
    shape<double>(rows, columns).measure(policies);
  }
}
