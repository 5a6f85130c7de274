// The functions whose variants are one computation of the nested data-parallel layer: the default
// rule, a schedule by hand, and that schedule with the knobs of its policy. For both platforms.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/variant.hpp>

#include "inputs.hpp"
#include "ndp_computations.hpp"

namespace approximate {

/// Schedules and policies of a platform: an exact policy, and three that are not.
template <typename Platform>
struct ndp_choices;

/// Runs computations on a Platform, in arrays that Array makes of a number of elements.
template <typename Platform, typename Array>
class ndp_runs {
  using choices = ndp_choices<Platform>;
  using by_rows = ndp::schedule::independent<ndp::schedule::cooperative<>>;
  static constexpr bool on_host = Platform::runs_on_host;
  static constexpr double bound = 0.05;

 public:
  static double density(fettle::context& cx, generator& random, int calls) {
    constexpr ndp::index_t most = on_host ? 50000 : 200000;
    constexpr ndp::index_t places = on_host ? 16 : 4096;
    Array sample(most), at(places), out(places);
    fettle::code_variant<fettle::policy<"ndp_density">, void(const ndp_input&)> f(cx);
    add<densities, by_rows>(f, choices::sampled());
    f.add_input_feature("sample", [](const ndp_input& in) { return in.read.size(); });
    f.add_input_feature("width", [](const ndp_input& in) { return in.parameter; });
    fill(draw_places{4.0 / static_cast<double>(places)}, at.written(places));
    return run(f, calls, [&] {
      const auto count = static_cast<ndp::index_t>(
          log_between(random, static_cast<double>(most) / 10, static_cast<double>(most)));
      fill(draw_sample{random()}, sample.written(count));
      const double width = log_between(random, 0.02, 1);
      return ndp_input{sample.read(count), at.read(places), width, 0, out.written(places)};
    });
  }

  static double price(fettle::context& cx, generator& random, int calls) {
    constexpr ndp::index_t most = on_host ? 100000 : 1 << 24;
    Array strikes(most), out(most);
    fettle::code_variant<fettle::policy<"ndp_prices">, void(const ndp_input&)> f(cx);
    add<prices, ndp::schedule::independent<>>(f, choices::perforated());
    f.add_input_feature("length", [](const ndp_input& in) { return in.read.size(); });
    f.add_input_feature("volatility", [](const ndp_input& in) { return in.parameter; });
    f.add_input_feature("waves", [](const ndp_input& in) { return in.difficulty; });
    return run(f, calls, [&] {
      const auto count = static_cast<ndp::index_t>(
          log_between(random, static_cast<double>(most) / 10, static_cast<double>(most)));
      const double waves = log_between(random, 1e-4, 0.02);  // an element
      fill(draw_strikes{waves}, strikes.written(count));
      return ndp_input{
          strikes.read(count), {}, between(random, 0.1, 0.6), waves, out.written(count)};
    });
  }

  static double squares(fettle::context& cx, generator& random, int calls) {
    constexpr ndp::index_t most = on_host ? 1 << 21 : 1 << 26;
    Array table(most), out(most / 1024);
    fettle::code_variant<fettle::policy<"ndp_squares">, void(const ndp_input&)> f(cx);
    add<row_squares, by_rows>(f, choices::sampled());
    f.add_input_feature("row", [](const ndp_input& in) { return in.parameter; });
    f.add_input_feature("elements", [](const ndp_input& in) { return in.read.size(); });
    f.add_input_feature("spread", [](const ndp_input& in) { return in.difficulty; });
    return run(f, calls, [&] {
      const auto row = static_cast<ndp::index_t>(log_between(random, 4096, 131072));
      const auto rows =
          static_cast<ndp::index_t>(static_cast<double>(most / row) * between(random, 0.3, 1));
      const double spread = log_between(random, 0.05, 1);
      fill(draw_spread{random(), spread}, table.written(rows * row));
      return ndp_input{
          table.read(rows * row), {}, static_cast<double>(row), spread, out.written(rows)};
    });
  }

 private:
  template <typename Function, typename Draw>
  static double run(Function& f, int calls, const Draw& draw) {
    f.set_quality(relative_error(), bound, [](const ndp_input& in) { return copied(in.out); });
    double sum = 0;
    for (int call = 0; call < calls; ++call) {
      const ndp_input in = draw();
      f(in);
      sum += copied(ndp::subsequence(in.out, 0, 1))[0];
    }
    return sum;
  }

  template <typename Draw>
  static void fill(const Draw& draw, const numbers_written& out) {
    ndp::execute(ndp::map(draw, ndp::range(ndp::index_t{0}, out.size())), out, Platform{});
  }

  static std::vector<double> copied(const numbers_written& s) {
    std::vector<double> copy(static_cast<std::size_t>(s.size()));
    ndp::platform_traits<Platform>::read(Platform{}, s.data(), s.size(), copy.data());
    return copy;
  }

  /// Runs a computation, and waits for it.
  template <typename Make, typename... ByHand>
  static void execute(const ndp_input& in, const ByHand&... schedule_and_policy) {
    ndp::execute(Make{}(in), in.out, Platform{}, schedule_and_policy...);
    if constexpr (!on_host) copied(ndp::subsequence(in.out, 0, 1));
  }

  template <typename Make, typename Schedule, typename Function, typename Exact,
            typename... Approximate>
  static void add(Function& f, fettle::type_list<Exact, Approximate...> /*policies*/) {
    f.add_variant("default", [](const ndp_input& in) { execute<Make>(in); });
    f.add_variant("by_hand", [](const ndp_input& in) { execute<Make>(in, Schedule{}, Exact{}); });
    (f.add_variant(
         to_string(Approximate::value),
         [](const ndp_input& in) { execute<Make>(in, Schedule{}, Approximate{}); },
         fettle::approximate),
     ...);
  }
};

}  // namespace approximate
