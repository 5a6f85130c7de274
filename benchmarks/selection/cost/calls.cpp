// Whole calls of a tuned function: features, model and variant, beside a direct call of the
// variant.
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <fettle/model/embedded_model.hpp>
#include <fettle/variant.hpp>

#include "machine_files.hpp"
#include "suite.hpp"

namespace selection_cost {
namespace {

constexpr std::size_t features = 6;
constexpr std::size_t variants = 6;
constexpr std::size_t different_inputs = 16;

using input = std::array<double, features>;

/// A variant that does next to nothing, out of the compiler's sight.
template <std::size_t K>
[[gnu::noinline]] double variant(const input& x) {
  return x[K];
}

/// Registers the variants, and the elements of the input as features.
template <typename Function>
void set_up(Function& f) {
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (f.add_variant("v" + fettle::number_text(K), &variant<K>), ...);
    (f.add_input_feature("v" + fettle::number_text(K), [](const input& x) { return x[K]; }), ...);
  }(std::make_index_sequence<variants>{});
}

struct by_machine {
  static constexpr std::string_view name = "benchmark";
  static constexpr bool strict = true;
  using embedded_model = random_machine<variants, 50, features>;
};
struct by_tree {
  static constexpr std::string_view name = "benchmark";
  static constexpr bool strict = true;
};

struct watched : by_tree {
  static constexpr unsigned monitor = 1024;
};

template <typename Policy>
struct tuned {
  explicit tuned(const std::string& directory) : cx({directory, {}, true}), f(cx) { set_up(f); }
  fettle::context cx;
  fettle::code_variant<Policy, double(const input&)> f;
};

/// The same by a variant without parameters and one with 8 points.
struct refined {
  explicit refined(const std::string& directory) : cx({directory, {}, true}), f(cx) {
    f.add_variant("plain", &variant<0>);
    f.add_variant(
        "tiled", [](const input& x, int tile) { return x[0] + tile; },
        fettle::parameter{"tile", {1, 2, 3, 4, 5, 6, 7, 8}});
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (f.add_input_feature("v" + fettle::number_text(K), [](const input& x) { return x[K]; }), ...);
    }(std::make_index_sequence<features>{});
  }
  fettle::context cx;
  fettle::code_variant<fettle::policy<"benchmark">, double(const input&)> f;
};

/// Appends a full tree's nodes in preorder; returns their number.
std::size_t grow(std::string& out, dice& random, int depth, std::size_t first,
                 std::size_t classes = variants) {
  using fettle::number_text;
  if (depth == 0) {
    out += "leaf";
    for (std::size_t k = 0; k < classes; ++k) out += " " + number_text(random.between(0, 2));
    out += "\n";
    return 1;
  }
  const std::size_t size = (std::size_t{1} << depth) - 1;  // of a child
  const auto feature = static_cast<std::size_t>(random.between(0, features));
  out += "split " + number_text(feature) + " " +
         number_text(std::exp(random.between(log_low, log_high))) + " " + number_text(first + 1) +
         " " + number_text(first + 1 + size) + "\n";
  grow(out, random, depth - 1, first + 1, classes);
  grow(out, random, depth - 1, first + 1 + size, classes);
  return 2 * size + 1;
}

/// A tree that chooses among `classes`; `more` are further lines of its description.
void write_tree(const std::filesystem::path& directory, int depth,
                const std::vector<std::string>& classes, const std::string& more = "",
                const std::string& version = "2") {
  dice random{static_cast<std::uint64_t>(depth)};
  std::string nodes;
  const std::size_t count = grow(nodes, random, depth, 0, classes.size());
  const std::string tree = "fettle-trees 1\ntrees 1 classes " +
                           fettle::number_text(classes.size()) + " inputs 6\ntree " +
                           fettle::number_text(count) + "\n" + nodes;
  std::string names;
  for (const std::string& name : classes) names += " " + name;
  std::string known;
  std::string model_inputs;
  for (std::size_t k = 0; k < features; ++k) {
    const std::string name = "v" + fettle::number_text(k);
    known += " " + name;
    model_inputs += "input linear " + name + " 1 2000000\n";
  }
  write_model_text(directory,
                   "fettle-model " + (more.empty() ? "1" : version) +
                       "\nfunction benchmark\nclassifier tree\nvariants" + names + "\ndefault " +
                       classes[0] + "\nfeatures" + known + "\n" + model_inputs + "guard 0.25\n" +
                       more,
                   "model.tree", tree);
}

/// Where `expects`, the model says what its variants cost, so roughly that nothing is unexpected.
void write_tree(const std::filesystem::path& directory, int depth, bool expects = false) {
  std::vector<std::string> names;
  std::string expectations;
  for (std::size_t k = 0; k < variants; ++k) {
    names.push_back("v" + fettle::number_text(k));
    expectations += "expect " + names.back() + " 1000 0 0 0 0 0 0 0\n";
  }
  write_tree(directory, depth, names, expects ? expectations : "", "3");
}

/// A tree that chooses the variant, and one that chooses its point.
void write_refined(const std::filesystem::path& directory, int depth) {
  std::vector<std::string> points;
  for (int tile = 1; tile <= 8; ++tile) {
    points.push_back("tiled%20tile%3D" + fettle::number_text(tile));
  }
  write_tree(directory / "points-1", depth, points);
  const std::string text = fettle::read_file(directory / "points-1" / "model.txt", 100000);
  char checksum[9];
  std::snprintf(checksum, sizeof checksum, "%08x", fettle::crc32(text));
  write_tree(directory, depth, {"plain", "tiled"},
             "parameters tiled tile=1,2,3,4,5,6,7,8\nrefine tiled points-1 " +
                 std::string(checksum) + "\n");
}

std::vector<input> some_inputs() {
  dice random{7};
  std::vector<input> all(different_inputs);
  for (input& one : all) {
    for (double& x : one) x = std::exp(random.between(log_low, log_high));
  }
  return all;
}

template <typename Call>
void add(suite& all, const std::string& name, const std::vector<input>& inputs, Call call) {
  all.add(
      name,
      [&inputs, call] {
        double sum = 0.0;
        for (std::size_t i = 0; i < 1024; ++i) sum += call(inputs[i % different_inputs]);
        return static_cast<std::size_t>(sum);
      },
      [&inputs, call](std::size_t i) {
        static volatile double sink;
        sink = call(inputs[i % different_inputs]);
      });
}

}  // namespace

void add_calls(suite& all) {
  static const std::vector<input> inputs = some_inputs();
  static double (*volatile direct)(const input&) = &variant<2>;
  const auto folder = std::filesystem::temp_directory_path() / "fettle-selection-cost-calls";
  for (const int depth : {2, 4, 6}) {
    write_tree(folder / fettle::number_text(depth) / "benchmark", depth);
  }

  all.begin("whole calls: 6 variants, 6 features, 16 inputs in turn", 1024, "direct call");
  add(all, "direct call", inputs, [](const input& x) { return direct(x); });
  const auto machine = std::make_shared<tuned<by_machine>>("");
  const auto bound =
      std::make_shared<decltype(machine->f.bind(inputs[0]))>(machine->f.bind(inputs[0]));
  add(all, "fettle: bound call", inputs, [bound](const input&) { return (*bound)(); });
  for (const int depth : {2, 4, 6}) {
    const auto tree =
        std::make_shared<tuned<by_tree>>((folder / fettle::number_text(depth)).string());
    tree->f(inputs[0]);  // reads the model
    add(all, "fettle: call, tree of depth " + fettle::number_text(depth), inputs,
        [tree](const input& x) { return tree->f(x); });
  }
  write_tree(folder / "watched" / "benchmark", 4, true);
  const auto monitored = std::make_shared<tuned<watched>>((folder / "watched").string());
  monitored->f(inputs[0]);
  add(all, "fettle: call, tree of depth 4, monitor = 1024", inputs,
      [monitored](const input& x) { return monitored->f(x); });
  const auto bound_monitored =
      std::make_shared<decltype(monitored->f.bind(inputs[0]))>(monitored->f.bind(inputs[0]));
  add(all, "fettle: bound call, monitor = 1024", inputs,
      [bound_monitored](const input&) { return (*bound_monitored)(); });
  write_refined(folder / "refined" / "benchmark", 4);
  const auto by_point = std::make_shared<refined>((folder / "refined").string());
  by_point->f(inputs[0]);
  add(all, "fettle: call, trees of depth 4 for variant and parameters", inputs,
      [by_point](const input& x) { return by_point->f(x); });
  add(all, "fettle: call, svm of 50 support vectors, log features", inputs,
      [machine](const input& x) { return machine->f(x); });
  std::filesystem::remove_all(folder);
}

}  // namespace selection_cost
