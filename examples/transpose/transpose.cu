// Transposition in place on a GPU, tuned by Fettle: five ways to permute a matrix without a second
// one. Every measured run starts from a copy.
#include "../support/device.cuh"
#include "../support/program.hpp"
#include "device_skinny.cuh"
#include "device_square.cuh"
#include "registration.hpp"

namespace transpose {

struct device_matrix {
  std::variant<examples::device::array<double>, examples::device::array<float>> elements;
  index rows = 0;
  index columns = 0;
  bool row_major = true;

  index lines() const { return row_major ? rows : columns; }
  index line_length() const { return row_major ? columns : rows; }
};

/// Seconds of permute(data, lines, elements a line), after which the sizes are exchanged. The
/// matrix is transposed once: what the L2 cache holds of it is what the copying has left there.
template <class Permute>
double timed(device_matrix& a, const Permute& permute) {
  const double seconds = examples::device::seconds_of_once([&] {
    std::visit(
        [&](const auto& elements) {
          permute(elements.data(), static_cast<device::number>(a.lines()),
                  static_cast<device::number>(a.line_length()));
        },
        a.elements);
  });
  std::swap(a.rows, a.columns);
  return seconds;
}

/// Copies the matrix to other memory: what no permutation of all elements can be faster than.
inline double copy(device_matrix& a) {
  return examples::device::seconds_of_once([&] {
    std::visit(
        [&](const auto& elements) {
          const std::size_t bytes = elements.size() * sizeof(*elements.data());
          cudaMemcpyAsync(examples::device::scratch(3, bytes), elements.data(), bytes,
                          cudaMemcpyDeviceToDevice);
        },
        a.elements);
  });
}

struct example : registration<double(device_matrix&)> {
  static constexpr bool returns_seconds = true;
  static constexpr double judging_seconds = 0.1;

  static constexpr examples::variant<signature> variants[] = {
      {"c2r",
       [](device_matrix& a) {
         return timed(a, [](auto* d, auto m, auto n) { device::c2r(d, m, n); });
       }},
      {"r2c",
       [](device_matrix& a) {
         return timed(a, [](auto* d, auto m, auto n) { device::r2c(d, m, n); });
       }},
      {"skinny_c2r",
       [](device_matrix& a) {
         return timed(a, [](auto* d, auto m, auto n) { device::skinny_c2r(d, m, n); });
       },
       [](const device_matrix& a) { return a.line_length() <= device::most_skinny; }},
      {"skinny_r2c",
       [](device_matrix& a) {
         return timed(a, [](auto* d, auto m, auto n) { device::skinny_r2c(d, m, n); });
       },
       [](const device_matrix& a) { return a.lines() <= device::most_skinny; }},
      {"square",
       [](device_matrix& a) {
         return timed(a, [](auto* d, auto n, auto) { device::square_blocks(d, n); });
       },
       [](const device_matrix& a) { return a.rows == a.columns; }},
  };

  static constexpr examples::variant<signature> references[] = {{"copy", copy}};
  static constexpr const char* work_unit = "bytes";
  /// Each element is read once and written once.
  static double work(const device_matrix& a) {
    return 2 * (a.elements.index() == 0 ? 8.0 : 4.0) * double(a.rows) * double(a.columns);
  }

  static std::tuple<device_matrix> load(const std::string& input) {
    const matrix host = make(input);
    device_matrix made{{}, host.rows, host.columns, host.row_major};
    std::visit(
        [&]<class Value>(const std::vector<Value>& elements) {
          made.elements = examples::device::array<Value>(elements);
        },
        host.elements);
    return {std::move(made)};
  }
  static matrix capture(const device_matrix& a) {
    matrix copied{{}, a.rows, a.columns, a.row_major};
    std::visit([&](const auto& elements) { copied.elements = elements.host(); }, a.elements);
    return copied;
  }
  /// By the definition, into a second matrix of the host.
  static matrix expected(const device_matrix& a) {
    matrix wanted = capture(a);
    const index m = a.lines();
    const index n = a.line_length();
    std::visit(
        [&](auto& elements) {
          const auto before = elements;
          for (index i = 0; i < m; ++i)
            for (index j = 0; j < n; ++j)
              elements[static_cast<std::size_t>(j * m + i)] =
                  before[static_cast<std::size_t>(i * n + j)];
        },
        wanted.elements);
    std::swap(wanted.rows, wanted.columns);
    return wanted;
  }
  static bool agree(const matrix& wanted, const matrix& result) { return wanted == result; }
};

}  // namespace transpose

int main(int count, char** words) {
  return examples::run_program<transpose::example>(count, words);
}
