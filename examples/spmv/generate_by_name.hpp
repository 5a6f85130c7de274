// Generated matrices as text, so that a training argument can name one:
// "generate:power_law:rows=200000,mean=8,exponent=1.5,seed=3".
#pragma once

#include <charconv>
#include <string_view>

#include "generate.hpp"

namespace spmv {
namespace detail {

/// The parameters behind the second colon; each is taken once, by name.
class generator_parameters {
 public:
  explicit generator_parameters(std::string_view name) : name_(name) {
    std::string_view rest = name.substr(name.find(':', name.find(':') + 1) + 1);
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      const std::size_t equals = one.find('=');
      if (equals == std::string_view::npos)
        fail("expected key=value instead of '" + std::string(one) + "'");
      parameters_.push_back({one.substr(0, equals), one.substr(equals + 1)});
    }
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw std::invalid_argument("matrix '" + std::string(name_) + "': " + problem);
  }

  /// The parameter's value, in [least, most]; removes it.
  template <class Number>
  Number take(std::string_view key, Number least, Number most) {
    const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](const parameter& p) { return p.key == key; });
    if (found == parameters_.end()) fail("parameter '" + std::string(key) + "' is missing");
    const std::string_view text = found->value;
    parameters_.erase(found);
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(number >= least && number <= most))
      fail(std::string(key) + " must be a number from " + std::to_string(least) + " to " +
           std::to_string(most) + ", not '" + std::string(text) + "'");
    return number;
  }

  index size(std::string_view key) { return take<index>(key, 0, largest_size); }
  index count(std::string_view key) { return take<index>(key, 1, largest_size); }
  double fraction(std::string_view key) { return take<double>(key, 0, 1); }
  std::uint64_t seed() { return take<std::uint64_t>("seed", 0, ~std::uint64_t{0}); }

  /// Product of sizes that together make the number of rows.
  void check_size(double rows) const {
    if (rows > largest_size)
      fail("it would have more than " + std::to_string(largest_size) + " rows");
  }

  void end() const {
    if (!parameters_.empty())
      fail("unknown parameter '" + std::string(parameters_.front().key) + "'");
  }

 private:
  static constexpr index largest_size = 1 << 28;
  struct parameter {
    std::string_view key;
    std::string_view value;
  };
  std::string_view name_;
  std::vector<parameter> parameters_;
};

inline csr_matrix<double> generate_kind(std::string_view kind, generator_parameters& p) {
  // The parameters are taken one a statement: the order in which arguments are evaluated is free.
  if (kind == "stencil") {
    const auto points = p.take<int>("points", 5, 27);
    const auto side = p.size("side");
    p.check_size(std::pow(side, points == 7 || points == 27 ? 3 : 2));
    return generate::stencil(points, side, p.seed());
  }
  if (kind == "finite_elements") {
    const auto nodes = p.size("nodes");
    const auto block = p.count("block");
    p.check_size(static_cast<double>(nodes) * block);
    return generate::finite_elements(nodes, block, p.size("neighbours"), p.seed());
  }
  if (kind == "block_diagonal") {
    const auto blocks = p.size("blocks");
    const auto size = p.count("size");
    p.check_size(static_cast<double>(blocks) * size);
    return generate::block_diagonal(blocks, size, p.seed());
  }
  const auto rows = p.size("rows");
  if (kind == "banded") {
    const auto width = p.size("width");
    return generate::banded(rows, width, p.fraction("density"), p.seed());
  }
  if (kind == "diagonals") {
    const auto count = p.count("count");
    return generate::diagonals(rows, count, p.size("reach"), p.seed());
  }
  if (kind == "power_law") {
    const auto mean = p.take<double>("mean", 0, 1e6);
    return generate::power_law(rows, mean, p.take<double>("exponent", 1.01, 100), p.seed());
  }
  if (kind == "uniform") {
    const auto columns = p.size("columns");
    const auto mean = p.size("mean");
    const auto spread = p.size("spread");
    return generate::uniform(rows, columns, mean, spread, p.size("reach"), p.seed());
  }
  if (kind == "long_rows") {
    const auto mean = p.count("mean");
    const auto count = p.size("count");
    return generate::long_rows(rows, mean, count, p.fraction("fill"), p.seed());
  }
  if (kind == "empty_rows") {
    const auto mean = p.count("mean");
    return generate::empty_rows(rows, mean, p.fraction("empty"), p.seed());
  }
  p.fail("there is no kind '" + std::string(kind) +
         "'; there are stencil, finite_elements, block_diagonal, banded, diagonals, power_law, "
         "uniform, long_rows and empty_rows");
}

}  // namespace detail

inline constexpr std::string_view generated_prefix = "generate:";

/// Makes the matrix that `name` ("generate:KIND:key=value,...") describes; the same on every
/// machine. Kinds and keys are those of the functions in generate.hpp, each with a `seed`.
/// Throws std::invalid_argument that quotes the name where it is not understood.
inline csr_matrix<double> generate_by_name(std::string_view name) {
  detail::generator_parameters parameters(name);
  const std::string_view rest = name.substr(generated_prefix.size());
  auto a = detail::generate_kind(rest.substr(0, rest.find(':')), parameters);
  parameters.end();
  return a;
}

}  // namespace spmv
