// The embedded-atom forces of CoMD, the paper's listings 6 and 7, a nested form and one that lists
// neighbours, beside the reference's own loops.
//
//   comd [--measure] "atoms:cells=C,tile=T"...
//
// Two levels of selection: the forms are variants of the tuned function "comd.openmp" or
// "comd.cuda", and each consists of computations that are tuned by themselves.
#include <cmath>
#include <optional>
#include <tuple>

#include <fettle/variant.hpp>

#include "../../../examples/ndp/comd/simulation.hpp"
#include "../common/bench.hpp"
#include "lattices.hpp"

#ifdef FETTLE_BENCHMARK_MEASURES
#include "reference.hpp"
#endif

namespace ndp_tuned {
namespace {

#ifdef __CUDACC__
using forms_policy = fettle::policy<"comd.cuda">;
#else
using forms_policy = fettle::policy<"comd.openmp">;
#endif

using simulation = examples::simulation<platform_type>;

/// The choice among the forms; without a model it is the redistributed one.
class force_calculation {
 public:
  force_calculation(const platform_type& on, ndp::index_t tile_size, std::size_t atoms)
      : context_(quiet_until_tuned()), forms_(context_) {
    const auto add = [&](const char* name, auto form) {
      forms_.add_variant(name, [on, form](simulation& s, double& energy) {
        energy = form(s);
        examples::wait(on);
      });
    };
    add("redistributed", [](simulation& s) { return s.redistributed(); });
    add("nested", [](simulation& s) { return s.nested(); });
    add("listed", [](simulation& s) { return s.listed(); });
    add("direct", [tile_size](simulation& s) { return s.direct(tile_size); });
    forms_.add_input_feature(
        "atoms", [atoms](const simulation&, double) { return static_cast<double>(atoms); });
  }

  double operator()(simulation& s) {
    double energy = 0;
    forms_(s, energy);
    return energy;
  }

 private:
  fettle::context context_;
  fettle::code_variant<forms_policy, void(simulation&, double&)> forms_;
};

[[nodiscard]] bool near(double a, double b) {
  return std::abs(a - b) <= 1e-10 * std::max({1.0, std::abs(a), std::abs(b)});
}

[[nodiscard]] bool near(const std::vector<examples::vec3>& found,
                        const std::vector<examples::vec3>& expected) {
  return std::equal(found.begin(), found.end(), expected.begin(), expected.end(),
                    [](const examples::vec3& a, const examples::vec3& b) {
                      return near(a.x, b.x) && near(a.y, b.y) && near(a.z, b.z);
                    });
}

#ifdef FETTLE_BENCHMARK_MEASURES

void run(bench& b, const std::string& text) {
  const lattice_input input = make_lattice(text);
  const std::size_t count = input.all.positions.size();
  reference_simulation reference(b.on, input.all, input.potential);
  const double expected_energy = reference();
  const std::vector<examples::vec3> expected = reference.forces();

  simulation ours(b.on, input.all, input.potential);
  force_calculation forces(b.on, input.tile_size, count);
  double energy = 0;
  std::function<std::vector<examples::vec3>()> result;
  const auto contender = [&](const char* name, fb::kind what, auto& memory, auto call) {
    return fb::contender{name, what, [&energy, &result, &memory, call] {
                           result = [&memory] { return memory.forces(); };
                           energy = call();
                         }};
  };
  fb::comparison c{{"comd", text, "double", 0, static_cast<std::int64_t>(count), 0},
                   {contender(our_name, fb::kind::ours, ours, [&] { return forces(ours); })},
                   [&] { energy = std::nan(""); },
                   [&] { return near(energy, expected_energy) && near(result(), expected); }};
  if (b.measures) {
    c.contenders.push_back(contender("exmatex", fb::kind::peer, reference, std::ref(reference)));
  }
  std::optional<examples::simulation<default_platform>> untuned;
  if (b.measures) {
    // All forms by the default rule, of which the first is what an untuned program runs.
    untuned.emplace(default_platform{b.on}, input.all, input.potential);
    const auto add = [&](const char* name, auto form) {
      c.contenders.push_back(contender(name, fb::kind::peer, *untuned, [&untuned, &b, form] {
        const double sum = form(*untuned);
        examples::wait(b.on);
        return sum;
      }));
    };
    add("default", [](auto& s) { return s.redistributed(); });
    add("default_nested", [](auto& s) { return s.nested(); });
    add("default_listed", [](auto& s) { return s.listed(); });
    add("default_direct", [&](auto& s) { return s.direct(input.tile_size); });
  }
  b.judge(c);
  // The other forms' results too.
  for (const double again :
       {ours.direct(input.tile_size), ours.nested(), ours.listed(), ours.redistributed()}) {
    if (near(again, expected_energy) && near(ours.forces(), expected)) continue;
    std::printf("%s: a form's result is not the reference's\n", text.c_str());
    ++b.failures;
  }
}

#else

// For a tuner: all forms run, whichever is better.
void run(bench& b, const std::string& text) {
  const lattice_input input = make_lattice(text);
  simulation ours(b.on, input.all, input.potential);
  const double direct = ours.direct(input.tile_size);
  const double redistributed = ours.redistributed();
  const double nested = ours.nested();
  const double listed = ours.listed();
  // A computation that updates memory in place and has been measured has run many times.
  std::printf("%s: %.12g, %.12g, %.12g, %.12g\n", text.c_str(), direct, redistributed, nested,
              listed);
}

#endif

}  // namespace
}  // namespace ndp_tuned

int main(int count, char** values) {
  return ndp_tuned::run_benchmark("comd", count, values, "atoms:cells=6", ndp_tuned::run);
}
