// Six computations with approximate variants within a bound of 5 %, and three of the nested
// data-parallel layer, as tuned functions: the program that the tuner measures.
// `approximate COMPUTATION SEED CALLS` calls one of them on so many inputs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"
#endif
#include <fettle/variant.hpp>

#include "computations.hpp"
#include "ndp_runs.hpp"

namespace approximate {

template <>
struct ndp_choices<ndp::platform::openmp> {
  using policy = ndp::openmp::policy;

  static auto sampled() {
    return fettle::type_list<ndp::constant<policy{}>, ndp::constant<policy{.sample = 4}>,
                             ndp::constant<policy{.sample = 16}>,
                             ndp::constant<policy{.sample = 64}>>();
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

class host_array {
 public:
  explicit host_array(ndp::index_t count) : elements_(static_cast<std::size_t>(count)) {}
  numbers_read read(ndp::index_t count) const { return {elements_.data(), count}; }
  numbers_written written(ndp::index_t count) { return {elements_.data(), count}; }

 private:
  std::vector<double> elements_;
};

double run_kmeans(fettle::context& cx, generator& random, int calls) {
  code_variant<policy<"kmeans">, void(const clouds&, std::span<int>)> f(cx);
  f.add_variant("exact", label<1>);
  f.add_variant("exact_early", label_early);
  f.add_variant("half", label<2>, fettle::approximate);
  f.add_variant("quarter", label<4>, fettle::approximate);
  f.add_variant("eighth", label<8>, fettle::approximate);
  f.add_input_feature("points", [](const clouds& in, auto&&) { return in.points; });
  f.add_input_feature("contrast", [](const clouds& in, auto&&) { return in.contrast(); });
  f.set_quality(mislabelled(), bound);
  double sum = 0;
  for (int call = 0; call < calls; ++call) {
    const clouds in = clouds::draw(random);
    std::vector<int> labels(in.points);
    f(in, labels);
    sum += labels[in.points / 2];
  }
  return sum;
}

double run_monte_carlo(fettle::context& cx, generator& random, int calls) {
  code_variant<policy<"monte_carlo">, double(const option_contract&)> f(cx);
  f.add_variant("exact", [](const option_contract& in) { return price(in, paths); });
  f.add_variant(
      "quarter", [](const option_contract& in) { return price(in, paths / 4); },
      fettle::approximate);
  f.add_variant(
      "32nd", [](const option_contract& in) { return price(in, paths / 32); }, fettle::approximate);
  f.add_input_feature("volatility", [](const option_contract& in) { return in.volatility; });
  f.add_input_feature("moneyness", [](const option_contract& in) {
    return (std::log(in.strike) - in.rate) / in.volatility + 10;
  });
  f.set_quality(
      [](double exact, double out) { return std::fabs(exact - out) / std::max(exact, 1e-9); },
      bound);
  double sum = 0;
  for (int call = 0; call < calls; ++call) sum += f(option_contract::draw(random));
  return sum;
}

double run_stencil(fettle::context& cx, generator& random, int calls) {
  code_variant<policy<"stencil">, void(const field&, std::span<float>)> f(cx);
  f.add_variant("exact", smooth<1>);
  f.add_variant("every_2nd", smooth<2>, fettle::approximate);
  f.add_variant("every_4th", smooth<4>, fettle::approximate);
  f.add_variant("every_8th", smooth<8>, fettle::approximate);
  f.add_input_feature("side", [](const field& in, auto&&) { return in.side; });
  f.add_input_feature("roughness", [](const field& in, auto&&) { return in.roughness(); });
  f.set_quality(relative_error(), bound);
  double sum = 0;
  for (int call = 0; call < calls; ++call) {
    const field in = field::draw(random);
    std::vector<float> out(in.value.size());
    f(in, out);
    sum += out[out.size() / 2];
  }
  return sum;
}

double run_histogram(fettle::context& cx, generator& random, int calls) {
  code_variant<policy<"histogram">, void(const numbers&, std::span<double>)> f(cx);
  f.add_variant("exact", [](const numbers& in, std::span<double> out) { histogram(in, out, 1); });
  f.add_variant("exact_tables", histogram_tables);
  f.add_variant(
      "quarter", [](const numbers& in, std::span<double> out) { histogram(in, out, 4); },
      fettle::approximate);
  f.add_variant(
      "16th", [](const numbers& in, std::span<double> out) { histogram(in, out, 16); },
      fettle::approximate);
  f.add_variant(
      "64th", [](const numbers& in, std::span<double> out) { histogram(in, out, 64); },
      fettle::approximate);
  f.add_input_feature("count", [](const numbers& in, auto&&) { return in.value.size(); });
  f.add_input_feature("bins", [](const numbers& in, auto&&) { return in.bins; });
  f.add_input_feature("middle", [](const numbers& in, auto&&) {
    double sum = 0;
    for (std::size_t s = 0; s < 64; ++s) sum += in.value[s * in.value.size() / 64];
    return sum / 64 + 1e-3;
  });
  f.set_quality(relative_error(), bound);
  double sum = 0;
  for (int call = 0; call < calls; ++call) {
    const numbers in = numbers::draw(random);
    std::vector<double> out(in.bins);
    f(in, out);
    sum += out[0];
  }
  return sum;
}

double run_solver(fettle::context& cx, generator& random, int calls) {
  code_variant<policy<"solver">, void(const band_system&, std::span<double>)> f(cx);
  using out = std::span<double>;
  f.add_variant("exact", [](const band_system& in, out x) { solve<double>(in, x, 1e-10); });
  f.add_variant(
      "single", [](const band_system& in, out x) { solve<float>(in, x, 1e-4); },
      fettle::approximate);
  f.add_variant(
      "single_coarse", [](const band_system& in, out x) { solve<float>(in, x, 3e-2); },
      fettle::approximate);
  f.add_input_feature("rows", [](const band_system& in, auto&&) { return in.rows; });
  f.add_input_feature("reaction", [](const band_system& in, auto&&) { return in.reaction; });
  f.set_quality(relative_error(), bound);
  double sum = 0;
  for (int call = 0; call < calls; ++call) {
    const band_system in = band_system::draw(random);
    std::vector<double> x(in.rows);
    f(in, x);
    sum += x[in.rows / 2];
  }
  return sum;
}

double run_n_body(fettle::context& cx, generator& random, int calls) {
  code_variant<policy<"n_body">, void(const particles&, std::span<float>)> f(cx);
  using out = std::span<float>;
  f.add_variant("exact", [](const particles& in, out x) { forces(in, x, 1); });
  f.add_variant(
      "reach_0.5", [](const particles& in, out x) { forces(in, x, 0.5F); }, fettle::approximate);
  f.add_variant(
      "reach_0.2", [](const particles& in, out x) { forces(in, x, 0.2F); }, fettle::approximate);
  f.add_variant(
      "reach_0.08", [](const particles& in, out x) { forces(in, x, 0.08F); }, fettle::approximate);
  f.add_input_feature("count", [](const particles& in, auto&&) { return in.count; });
  f.add_input_feature("length", [](const particles& in, auto&&) { return in.length; });
  f.set_quality(relative_error(), bound);
  double sum = 0;
  for (int call = 0; call < calls; ++call) {
    const particles in = particles::draw(random);
    std::vector<float> x(3 * in.count);
    f(in, x);
    sum += x[in.count];
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  using ndp_on_host = ndp_runs<ndp::platform::openmp, host_array>;
  const std::map<std::string_view, double (*)(fettle::context&, generator&, int)> all{
      {"kmeans", run_kmeans},
      {"monte_carlo", run_monte_carlo},
      {"stencil", run_stencil},
      {"histogram", run_histogram},
      {"solver", run_solver},
      {"n_body", run_n_body},
      {"ndp_density", ndp_on_host::density},
      {"ndp_prices", ndp_on_host::price},
      {"ndp_squares", ndp_on_host::squares}};
  const auto found = argc == 4 ? all.find(argv[1]) : all.end();
  if (found == all.end()) {
    std::fprintf(stderr,
                 "usage: %s kmeans|monte_carlo|stencil|histogram|solver|n_body|ndp_density|"
                 "ndp_prices|ndp_squares SEED CALLS\n",
                 argv[0]);
    return 2;
  }
  fettle::context cx;
  generator random(std::strtoull(argv[2], nullptr, 10));
  std::printf("%g\n", found->second(cx, random, std::atoi(argv[3])));
  return 0;
}
