// Four of the computations and those of the nested data-parallel layer on a GPU, as tuned
// functions: the program that the tuner measures.
// `approximate_cuda COMPUTATION SEED CALLS` calls one of them on so many inputs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif
#include <fettle/variant.hpp>

#include "inputs.hpp"
#include "kernels.cuh"
#include "ndp_runs.hpp"

namespace approximate {

template <>
struct ndp_choices<ndp::platform::cuda> {
  using policy = ndp::cuda::policy;
  static constexpr ndp::per_level<ndp::cuda::level> by_block = {
      {}, {.resource = ndp::cuda::execution_resource::block}};

  // Types of returned values, because nvcc cannot name policies in an alias.
  static auto sampled() {
    return fettle::type_list<ndp::constant<policy{.level = by_block}>,
                             ndp::constant<policy{.sample = 4, .level = by_block}>,
                             ndp::constant<policy{.sample = 16, .level = by_block}>,
                             ndp::constant<policy{.sample = 64, .level = by_block}>>();
  }
  static auto perforated() {
    return fettle::type_list<ndp::constant<policy{}>, ndp::constant<policy{.perforate = 2}>,
                             ndp::constant<policy{.perforate = 4}>,
                             ndp::constant<policy{.perforate = 16}>>();
  }
};

}  // namespace approximate

namespace {

using namespace approximate;
using fettle::code_variant;
using fettle::policy;

constexpr double bound = 0.05;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}
void finish() {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

template <typename T>
class device_array {
 public:
  explicit device_array(std::size_t count) { check(cudaMalloc(&data_, count * sizeof(T))); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }
  T* data() const { return data_; }
  ndp::sequence<const T> read(ndp::index_t count) const { return {data_, count}; }
  ndp::sequence<T> written(ndp::index_t count) const { return {data_, count}; }

 private:
  T* data_ = nullptr;
};

template <typename T>
std::vector<T> on_host(const T* data, std::size_t count) {
  std::vector<T> made(count);
  check(cudaMemcpy(made.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
  return made;
}

constexpr std::uint64_t paths = std::uint64_t{1} << 25U;
double* payoff_sum = nullptr;

double price(const option_contract& in, std::uint64_t count) {
  check(cudaMemsetAsync(payoff_sum, 0, sizeof(double)));
  const gpu::contract shown{static_cast<float>(in.rate - 0.5 * in.volatility * in.volatility),
                            static_cast<float>(in.volatility), static_cast<float>(in.strike)};
  gpu::add_payoffs<<<1056, gpu::block>>>(shown, count, payoff_sum);
  double sum = 0;
  check(cudaMemcpy(&sum, payoff_sum, sizeof sum, cudaMemcpyDeviceToHost));
  return std::exp(-in.rate) * sum / static_cast<double>(count);
}

struct relative_difference {
  double operator()(double exact, double out) const {
    return std::fabs(exact - out) / std::max(exact, 1e-9);
  }
};

void run_monte_carlo(fettle::context& cx, generator& random, int calls) {
  check(cudaMalloc(&payoff_sum, sizeof(double)));
  code_variant<policy<"monte_carlo">, double(const option_contract&)> f(cx);
  f.add_variant("exact", [](const option_contract& in) { return price(in, paths); });
  f.add_variant(
      "16th", [](const option_contract& in) { return price(in, paths / 16); }, fettle::approximate);
  f.add_variant(
      "1024th", [](const option_contract& in) { return price(in, paths / 1024); },
      fettle::approximate);
  f.add_input_feature("volatility", [](const option_contract& in) { return in.volatility; });
  f.add_input_feature("moneyness", [](const option_contract& in) {
    return (std::log(in.strike) - in.rate) / in.volatility + 10;
  });
  f.set_quality(relative_difference(), bound);
  double sum = 0;
  for (int call = 0; call < calls; ++call) sum += f(option_contract::draw(random));
  std::printf("%g\n", sum);
}

struct device_field {
  unsigned side;
  double rough;
  const float* value;
};
template <unsigned Step>
void smooth(const device_field& in, float* out) {
  const dim3 grid((in.side + gpu::block - 1) / gpu::block, (in.side - 3) / Step + 1);
  gpu::smooth<<<grid, gpu::block>>>(in.value, out, in.side, Step);
  finish();
}

void run_stencil(fettle::context& cx, generator& random, int calls) {
  constexpr std::size_t most = 8192;
  const device_array<float> value(most * most);
  const device_array<float> result(most * most);
  check(cudaMemset(result.data(), 0, most * most * sizeof(float)));
  code_variant<policy<"stencil">, void(const device_field&, float*)> f(cx);
  f.add_variant("exact", smooth<1>);
  f.add_variant("every_2nd", smooth<2>, fettle::approximate);
  f.add_variant("every_4th", smooth<4>, fettle::approximate);
  f.add_variant("every_16th", smooth<16>, fettle::approximate);
  f.add_input_feature("side", [](const device_field& in, float*) { return in.side; });
  f.add_input_feature("waves", [](const device_field& in, float*) { return in.rough / in.side; });
  f.set_quality(relative_error(), bound, [](const device_field& in, float* out) {
    return on_host(out + in.side, 64 * std::size_t{in.side});  // some rows tell for all
  });
  for (int call = 0; call < calls; ++call) {
    const auto side = static_cast<unsigned>(log_between(random, 2048, most));
    const double rough = log_between(random, 1, 800);
    const dim3 grid((side + gpu::block - 1) / gpu::block, 1024);
    gpu::draw_field<<<grid, gpu::block>>>(value.data(), side, static_cast<float>(rough),
                                          static_cast<float>(between(random, 0.3, 1)),
                                          static_cast<float>(between(random, 0, 6.28)));
    finish();
    f(device_field{side, rough, value.data()}, result.data());
  }
}

struct device_numbers {
  std::uint64_t count;
  unsigned bins;
  double power;
  const float* value;
};
template <unsigned Step>
void histogram(const device_numbers& in, unsigned* counts) {
  check(cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned)));
  gpu::count_in_bins<<<1056, gpu::block>>>(in.value, in.count, in.bins, Step, counts);
  finish();
}
/// Fractions in bins, from counts of numbers of a sample.
std::vector<double> fractions(const device_numbers& in, unsigned* counts) {
  const std::vector<unsigned> all = on_host(counts, in.bins);
  double sum = 0;
  for (const unsigned one : all) sum += one;
  std::vector<double> made;
  for (const unsigned one : all) made.push_back(one / sum);
  return made;
}

void run_histogram(fettle::context& cx, generator& random, int calls) {
  constexpr std::uint64_t most = std::uint64_t{1} << 27U;
  const device_array<float> value(most);
  const device_array<unsigned> counts(256);
  code_variant<policy<"histogram">, void(const device_numbers&, unsigned*)> f(cx);
  f.add_variant("exact", histogram<1>);
  f.add_variant("16th", histogram<16>, fettle::approximate);
  f.add_variant("256th", histogram<256>, fettle::approximate);
  f.add_variant("4096th", histogram<4096>, fettle::approximate);
  f.add_input_feature("count", [](const device_numbers& in, unsigned*) { return in.count; });
  f.add_input_feature("bins", [](const device_numbers& in, unsigned*) { return in.bins; });
  f.add_input_feature("power", [](const device_numbers& in, unsigned*) { return in.power; });
  f.set_quality(relative_error(), bound, fractions);
  for (int call = 0; call < calls; ++call) {
    const auto count = static_cast<std::uint64_t>(log_between(random, 4e6, most));
    const double power = between(random, 1, 6);
    gpu::draw_numbers<<<static_cast<unsigned>((count + gpu::block - 1) / gpu::block), gpu::block>>>(
        value.data(), count, static_cast<float>(power), random());
    finish();
    f(device_numbers{count, 1U << (4 + random() % 5), power, value.data()}, counts.data());
  }
}

struct device_particles {
  unsigned count;
  double length;
  const float4* at;
};
template <int Hundredths>
void forces(const device_particles& in, float4* out) {
  const unsigned blocks = (in.count + gpu::block - 1) / gpu::block;
  gpu::add_forces<<<blocks, gpu::block>>>(in.at, out, in.count, static_cast<float>(1 / in.length),
                                          Hundredths == 100 ? 2.0F : Hundredths / 100.0F);
  finish();
}
std::vector<float> components(const device_particles& in, float4* out) {
  const std::vector<float4> all = on_host(out, in.count);
  std::vector<float> made;
  for (const float4& one : all) made.insert(made.end(), {one.x, one.y, one.z});
  return made;
}

void run_n_body(fettle::context& cx, generator& random, int calls) {
  constexpr std::size_t most = 65536;
  const device_array<float4> at(most);
  const device_array<float4> result(most);
  code_variant<policy<"n_body">, void(const device_particles&, float4*)> f(cx);
  f.add_variant("exact", forces<100>);
  f.add_variant("reach_0.5", forces<50>, fettle::approximate);
  f.add_variant("reach_0.2", forces<20>, fettle::approximate);
  f.add_variant("reach_0.05", forces<5>, fettle::approximate);
  f.add_input_feature("count", [](const device_particles& in, float4*) { return in.count; });
  f.add_input_feature("length", [](const device_particles& in, float4*) { return in.length; });
  f.set_quality(relative_error(), bound, components);
  for (int call = 0; call < calls; ++call) {
    const auto count = static_cast<unsigned>(log_between(random, 16384, most));
    const unsigned blocks = (count + gpu::block - 1) / gpu::block;
    gpu::draw_particles<<<blocks, gpu::block>>>(at.data(), count, random());
    finish();
    f(device_particles{count, log_between(random, 0.005, 0.3), at.data()}, result.data());
  }
}

}  // namespace

int main(int argc, char** argv) {
  using ndp_on_gpu = ndp_runs<ndp::platform::cuda, device_array<double>>;
  void (*run)(fettle::context&, generator&, int) = nullptr;
  if (argc == 4 && std::strcmp(argv[1], "monte_carlo") == 0) run = run_monte_carlo;
  if (argc == 4 && std::strcmp(argv[1], "stencil") == 0) run = run_stencil;
  if (argc == 4 && std::strcmp(argv[1], "histogram") == 0) run = run_histogram;
  if (argc == 4 && std::strcmp(argv[1], "n_body") == 0) run = run_n_body;
  const auto run_ndp = [&](const char* name,
                           double (*function)(fettle::context&, generator&, int)) {
    if (argc != 4 || std::strcmp(argv[1], name) != 0) return false;
    fettle::context cx;
    generator random(std::strtoull(argv[2], nullptr, 10));
    std::printf("%g\n", function(cx, random, std::atoi(argv[3])));
    return true;
  };
  if (run_ndp("ndp_density", ndp_on_gpu::density) || run_ndp("ndp_prices", ndp_on_gpu::price) ||
      run_ndp("ndp_squares", ndp_on_gpu::squares)) {
    return 0;
  }
  if (run == nullptr) {
    std::fprintf(stderr,
                 "usage: %s monte_carlo|stencil|histogram|n_body|ndp_density|ndp_prices|"
                 "ndp_squares SEED CALLS\n",
                 argv[0]);
    return 2;
  }
  fettle::context cx;
  generator random(std::strtoull(argv[2], nullptr, 10));
  run(cx, random, std::atoi(argv[3]));
  return 0;
}
