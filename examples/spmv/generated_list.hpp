// A fixed, varied list of generated matrices to train on, and another to judge by.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "random.hpp"

namespace spmv {

enum class matrix_set { train, test };

namespace detail {

/// Draws names for generate_by_name.
class matrix_lottery {
 public:
  explicit matrix_lottery(std::uint64_t seed) : random_(seed), seed_(seed) {}

  /// One name; `family` counts through the families.
  std::string draw(std::size_t family) {
    nonzeros_ = logarithmic(150, 2e6);
    const std::string description = describe(family % families);
    return "generate:" + description + ",seed=" + std::to_string(seed_ + ++drawn_);
  }

  static constexpr std::size_t families = 15;

 private:
  std::string describe(std::size_t family) {
    switch (family) {
      case 0:
        return "stencil:points=5,side=" + text(std::sqrt(nonzeros_ / 5));
      case 1:
        return "stencil:points=9,side=" + text(std::sqrt(nonzeros_ / 9));
      case 2:
        return "stencil:points=7,side=" + text(std::cbrt(nonzeros_ / 7));
      case 3:
        return "stencil:points=27,side=" + text(std::cbrt(nonzeros_ / 27));
      case 4: {
        const double block = whole(2, 6);
        return finite_elements(block, whole(4, 20));
      }
      case 5:
        return finite_elements(1, whole(4, 30));
      case 6: {
        const double size = std::floor(logarithmic(4, 64));
        return "block_diagonal:blocks=" + text(at_least(1, nonzeros_ / (size * size))) +
               ",size=" + text(size);
      }
      case 7: {
        const double width = row_length(3, 60);
        const double percent = whole(25, 100);
        return "banded:" + rows(width * percent / 100) + ",width=" + text(width) +
               ",density=" + std::to_string(percent / 100).substr(0, 4);
      }
      case 8: {
        const double count = whole(1, 12);
        return "diagonals:" + rows(count) + ",count=" + text(count) +
               ",reach=" + text(nonzeros_ / count * random_.unit());
      }
      case 9: {
        const double mean = row_length(2, 20);
        return "power_law:" + rows(mean) + ",mean=" + text(mean) +
               ",exponent=" + std::to_string(1.2 + 2 * random_.unit()).substr(0, 4);
      }
      case 10: {
        const double mean = row_length(2, 30);
        return uniform(mean, nonzeros_ / mean, 0, reach());
      }
      case 11: {
        const double mean = row_length(2, 30);
        return uniform(mean, nonzeros_ / mean, whole(1, mean), reach());
      }
      case 12: {  // tall or wide
        const double mean = row_length(1, 400);
        return uniform(mean, at_least(mean, nonzeros_ / logarithmic(3, 60)), whole(0, mean), 0);
      }
      case 13: {
        const double mean = whole(1, 6);
        const double percent = whole(5, 60);
        return "long_rows:" + rows(mean) + ",mean=" + text(mean) + ",count=" + text(whole(1, 6)) +
               ",fill=" + std::to_string(percent / 100).substr(0, 4);
      }
      default: {
        const double mean = whole(2, 12);
        const double percent = whole(30, 90);
        return "empty_rows:" + rows(mean * (1 - percent / 100)) + ",mean=" + text(mean) +
               ",empty=" + std::to_string(percent / 100).substr(0, 4);
      }
    }
  }

  std::string finite_elements(double block, double neighbours) {
    return "finite_elements:nodes=" +
           text(at_least(8, nonzeros_ / (block * block * (neighbours + 1)))) +
           ",block=" + text(block) + ",neighbours=" + text(neighbours);
  }

  std::string uniform(double mean, double columns, double spread, double reach) {
    return "uniform:" + rows(mean) + ",columns=" + text(columns) + ",mean=" + text(mean) +
           ",spread=" + text(spread) + ",reach=" + text(reach);
  }

  /// "rows=N" for rows of about this many nonzeros.
  std::string rows(double entries) { return "rows=" + text(at_least(1, nonzeros_ / entries)); }

  /// A number of entries a row that leaves the matrix a good many rows.
  double row_length(double least, double most) {
    return std::floor(logarithmic(least, std::min(most, std::sqrt(nonzeros_ / 4)) + 1));
  }

  /// Columns anywhere, or near the diagonal.
  double reach() { return random_.unit() < 0.5 ? 0 : std::floor(logarithmic(40, 2000)); }

  double whole(double least, double most) {
    return least + static_cast<double>(random_.below(static_cast<std::int64_t>(most - least) + 1));
  }
  double logarithmic(double least, double most) {
    return least * std::pow(most / least, random_.unit());
  }
  static double at_least(double least, double value) { return value < least ? least : value; }
  static std::string text(double number) { return std::to_string(std::llround(number)); }

  random_numbers random_;
  std::uint64_t seed_;
  std::size_t drawn_ = 0;
  double nonzeros_ = 0;
};

}  // namespace detail

/// Names for generate_by_name: 15 families in turn, sizes from some hundred nonzeros to two
/// million, parameters at random but always the same. No test matrix has the parameters or the seed
/// of a training matrix.
inline std::vector<std::string> generated_list(matrix_set set) {
  constexpr std::size_t training_size = 810;
  constexpr std::size_t test_size = 120;
  const auto without_seed = [](const std::string& name) { return name.substr(0, name.rfind(',')); };
  std::vector<std::string> training;
  std::set<std::string> taken;
  detail::matrix_lottery training_lottery(1000);
  for (std::size_t n = 0; n < training_size; ++n) {
    training.push_back(training_lottery.draw(n));
    taken.insert(without_seed(training.back()));
  }
  if (set == matrix_set::train) return training;
  std::vector<std::string> test;
  detail::matrix_lottery test_lottery(5000);
  for (std::size_t n = 0; n < test_size; ++n) {
    std::string name = test_lottery.draw(n);
    while (!taken.insert(without_seed(name)).second) name = test_lottery.draw(n);
    test.push_back(std::move(name));
  }
  return test;
}

}  // namespace spmv
