// A function whose variants have tunable parameters: matrix multiplication with tiles.
//   multiply M K N           multiplies M x K by K x N once and prints how
//   multiply M K N CALLS     the same CALLS times, searching good tiles meanwhile
#include "multiply.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fettle/variant.hpp>

using arguments = std::tuple<const matrix&, const matrix&, matrix&>;
using product_function = fettle::code_variant<fettle::policy<"multiply">, arguments>;
using fettle::constraint;
using fettle::parameter;
using fettle::parameters;

void add_variants(product_function& product) {
  product.add_variant("plain", multiply_plain);
  product.add_variant("tiled", multiply_tiled,  // takes one number a parameter
                      parameter{"tile_i", {4, 16, 64, 256}, 64},
                      parameter{"tile_k", {16, 64, 256}, 64},
                      parameter{"tile_j", {32, 128, 512}, 128},
                      constraint{"tile_k * tile_j <= 65536"});  // 512 KiB of b
  product.add_variant(
      "packed",
      [](const matrix& a, const matrix& b, matrix& c, const parameters& p) {
        multiply_packed(a, b, c, static_cast<std::size_t>(p["rows"]),
                        static_cast<std::size_t>(p["columns"]),
                        static_cast<std::size_t>(p["depth"]));
      },
      parameter{"rows", {1, 2, 4, 8}, 4}, parameter{"columns", {8, 16, 32}, 32},
      parameter{"depth", {32, 128, 512}, 128}, constraint{"rows * columns <= 128"});
  const auto feature = [&product](const char* name, auto value) {
    product.add_input_feature(
        name, [value](const matrix& a, const matrix& b, const matrix&) { return value(a, b); });
  };
  feature("m", [](const matrix& a, const matrix&) { return a.rows; });
  feature("k", [](const matrix& a, const matrix&) { return a.columns; });
  feature("n", [](const matrix&, const matrix& b) { return b.columns; });
  product.set_verify([](const matrix&, const matrix&, const matrix& c) { return c.values; },
                     fettle::within{.relative = 1e-9, .absolute = 1e-9});
}

matrix filled(std::size_t rows, std::size_t columns) {
  matrix made(rows, columns);
  for (std::size_t i = 0; i < made.values.size(); ++i) {
    made.values[i] = static_cast<double>(i % 13) / 8.0 - 0.75;
  }
  return made;
}

int main(int count, char** words) {
  const auto number = [&](int i) { return std::strtoul(words[i], nullptr, 10); };
  if (count < 4 || count > 5 || number(1) * number(2) * number(3) == 0) {
    std::fprintf(stderr, "usage: multiply M K N [CALLS]\n");
    return 2;
  }
  const matrix a = filled(number(1), number(2));
  const matrix b = filled(number(2), number(3));
  matrix c(a.rows, b.columns);

  fettle::context cx;
  product_function product(cx);
  add_variants(product);
  const std::size_t calls = count == 5 ? number(4) : 1;
  if (calls > 1) {
    product.set_default("packed");
    product.search_online({.measurements = calls, .cache = "multiply.points"});
  }
  for (std::size_t call = 0; call < calls; ++call) product(a, b, c);

  matrix expected(a.rows, b.columns);
  multiply_plain(a, b, expected);
  const bool right = fettle::within{1e-9, 1e-9}(expected.values, c.values);
  std::printf("%zu x %zu x %zu by %s, %s\n", a.rows, a.columns, b.columns,
              product.best_known(a, b, c).c_str(), right ? "right" : "WRONG");
  return right ? 0 : 1;
}
