// What the check of a running program costs: the same calls of an approximate variant without
// checks, and with one check in 1000, alternately. The exact variant takes four times as long.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

#include <fettle/core/crc32.hpp>
#include <fettle/core/json_writer.hpp>
#include <fettle/variant.hpp>

#include "../../common/record.hpp"

namespace {

using row = std::span<const double>;

double mean(row x, std::size_t step) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); i += step, ++count) sum += std::sqrt(x[i]);
  return sum / static_cast<double>(count);
}

struct never : fettle::policy<"mean"> {
  static constexpr unsigned check_every = 0;
};
struct one_in_1000 : fettle::policy<"mean"> {
  static constexpr unsigned check_every = 1000;
};

std::string checksum(const std::string& text) {
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(fettle::crc32(text)));
  return digits;
}

/// A model that chooses and admits the approximate variant (docs/formats.md, section 3).
void write_model(const std::filesystem::path& folder) {
  const std::string tree = "fettle-trees 1\ntrees 1 classes 2 inputs 0\ntree 1\nleaf 1 0\n";
  std::string text =
      "fettle-model 4\nfunction mean\nclassifier tree\nvariants exact quarter\ndefault exact\n"
      "features n\nguard none\npredictor model.tree " +
      checksum(tree) + " " + std::to_string(tree.size()) +
      "\napproximate quarter\nbound 0.05\nerror_input log n 0 20\nadmit quarter -1 0\n";
  text += "end " + checksum(text) + "\n";
  std::filesystem::create_directories(folder / "mean");
  std::ofstream(folder / "mean" / "model.tree") << tree;
  std::ofstream(folder / "mean" / "model.txt") << text;
}

template <typename Policy>
void declare(fettle::code_variant<Policy, double(row)>& f) {
  f.add_variant("exact", [](row x) { return mean(x, 1); });
  f.add_variant("quarter", [](row x) { return mean(x, 4); }, fettle::approximate);
  f.add_input_feature("n", [](row x) { return x.size(); });
  f.set_quality([](double exact, double out) { return std::fabs(exact - out) / exact; }, 0.05);
}

template <typename Function>
double nanoseconds_a_call(Function& f, row x, int calls, double& sum) {
  const auto begin = std::chrono::steady_clock::now();
  for (int call = 0; call < calls; ++call) sum += f(x);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  return taken.count() / calls;
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

}  // namespace

int main() {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("fettle_check_cost_" + std::to_string(getpid()));
  write_model(folder);
  std::string said;
  double sum = 0;
  {
    fettle::context cx({.model_directory = folder.string(),
                        .on_warning = [&](std::string_view text) { said += text; }});
    fettle::code_variant<never, double(row)> unchecked(cx);
    fettle::code_variant<one_in_1000, double(row)> checked(cx);
    declare(unchecked);
    declare(checked);
    std::puts("elements   unchecked ns   checked ns   cost");
    for (const std::size_t count : {std::size_t{400}, std::size_t{4000}, std::size_t{40000}}) {
      std::vector<double> x(count);
      for (std::size_t i = 0; i < count; ++i) x[i] = 1 + 0.5 * std::sin(static_cast<double>(i));
      constexpr int calls = 20000;
      constexpr int rounds = 201;
      std::vector<double> without;
      std::vector<double> with;
      std::vector<double> ratios;
      const int some = count > 10000 ? calls / 10 : calls;  // whole periods of checks
      for (int round = 0; round < rounds; ++round) {
        // Each goes first as often, so that a drift of the clock favours none.
        if (round % 2 == 0) without.push_back(nanoseconds_a_call(unchecked, x, some, sum));
        with.push_back(nanoseconds_a_call(checked, x, some, sum));
        if (round % 2 == 1) without.push_back(nanoseconds_a_call(unchecked, x, some, sum));
        ratios.push_back(with.back() / without.back());
      }
      const double cost = median(ratios) - 1;
      std::printf("%8zu %14.1f %12.1f %6.2f %%\n", count, median(without), median(with),
                  100 * cost);
      std::string line;
      fettle::json_writer(line)
          .begin_object()
          .field("elements", count)
          .field("unchecked_ns", median(without))
          .field("checked_ns", median(with))
          .field("cost", cost)
          .field("rounds", rounds)
          .field("calls", some)
          .end_object();
      fettle_benchmarks::record_row(line);
    }
  }
  std::filesystem::remove_all(folder);
  std::fprintf(stderr, "%s\n", said.c_str());
  return sum > 0 ? 0 : 1;
}
