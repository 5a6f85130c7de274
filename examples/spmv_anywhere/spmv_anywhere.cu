// The product of a sparse matrix with a vector in the host's memory by whichever processor is
// faster, tuned by Fettle: three ways of the CPU, and two of a GPU, to which the vectors are
// copied, and the matrix too unless it is there.
#include <optional>

#include "../spmv/agree.hpp"
#include "../spmv/csr_merge_path.hpp"
#include "../spmv/csr_openmp_static.hpp"
#include "../spmv/csr_serial.hpp"
#include "../spmv/device_matrix.cuh"
#include "../spmv/load.hpp"
#include "../support/program.hpp"
#if __has_include("fettle_config.hpp")
#include "fettle_config.hpp"  // the tuning script's options
#endif

namespace spmv_anywhere {

using spmv::index;
using spmv::device::check;
using spmv::device::csr_view;
using vector = std::vector<double>;

/// A matrix of the host, and where it is `resident`, a copy in the GPU's memory.
struct matrix {
  spmv::csr_matrix<double> host;
  std::optional<spmv::device::csr_arrays> resident;
};
using shared_matrix = std::shared_ptr<const matrix>;

/// Scratch memory of the GPU, handed out piece by piece.
class pieces {
 public:
  explicit pieces(std::size_t bytes)
      : next_(static_cast<char*>(examples::device::scratch(0, bytes))) {}
  template <class Value>
  Value* take(std::size_t count) {
    auto* const piece = reinterpret_cast<Value*>(next_);
    next_ += bytes_of<Value>(count);
    return piece;
  }
  template <class Value>
  Value* copied(const std::vector<Value>& host) {
    Value* const piece = take<Value>(host.size());
    check(cudaMemcpyAsync(piece, host.data(), host.size() * sizeof(Value), cudaMemcpyHostToDevice),
          "cudaMemcpyAsync");
    return piece;
  }
  template <class Value>
  static std::size_t bytes_of(std::size_t count) {
    return (count * sizeof(Value) + 255) / 256 * 256;
  }

 private:
  char* next_;
};

/// The matrix in the GPU's memory is multiplied with a copy of x, and the product is copied back.
void multiply_there(const csr_view& a, std::int64_t nonzeros, pieces& memory, const vector& x,
                    vector& y) {
  const double* const there = memory.copied(x);
  double* const product = memory.take<double>(y.size());
  spmv::device::launch_csr_vector(a, nonzeros, spmv::device::plain_vector{there}, product);
  check(cudaMemcpy(y.data(), product, y.size() * sizeof(double), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
}

std::size_t bytes_of_vectors(const vector& x, const vector& y) {
  return pieces::bytes_of<double>(x.size()) + pieces::bytes_of<double>(y.size());
}

void gpu_resident(const shared_matrix& a, const vector& x, vector& y) {
  if (y.empty()) return;
  pieces memory(bytes_of_vectors(x, y));
  multiply_there(a->resident->view(), a->host.nonzeros(), memory, x, y);
}

void gpu_transferred(const shared_matrix& a, const vector& x, vector& y) {
  if (y.empty()) return;
  const auto& host = a->host;
  pieces memory(bytes_of_vectors(x, y) + pieces::bytes_of<index>(host.row_offsets.size()) +
                pieces::bytes_of<index>(host.columns.size()) +
                pieces::bytes_of<double>(host.values.size()));
  const csr_view there{host.rows, memory.copied(host.row_offsets), memory.copied(host.columns),
                       memory.copied(host.values)};
  multiply_there(there, host.nonzeros(), memory, x, y);
}

inline bool is_resident(const shared_matrix& a, const vector&, const vector&) {
  return a->resident.has_value();
}

inline constexpr std::string_view resident_prefix = "resident:";
inline constexpr std::string_view host_prefix = "host:";

struct example {
  using signature = void(const shared_matrix&, const vector&, vector&);
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::spmv_anywhere;
#else
  struct policy {
    static constexpr std::string_view name = "spmv_anywhere";
    static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  };
#endif
  static constexpr const char* name = "spmv_anywhere";
  static constexpr const char* inputs =
      "INPUT: host:MATRIX, or resident:MATRIX where the GPU has a copy of the matrix; MATRIX is a\n"
      "       Matrix Market file (plain or .xz), or generate:KIND:key=value,...\n";
  static constexpr bool changes_input = false;
  static constexpr double calls = 1;
  static constexpr double judging_seconds = 0.1;

  static constexpr examples::variant<signature> variants[] = {
      {"cpu_serial",
       [](const shared_matrix& a, const vector& x, vector& y) { spmv::csr_serial(a->host, x, y); }},
      {"cpu_static", [](const shared_matrix& a, const vector& x,
                        vector& y) { spmv::csr_openmp_static<double>(a->host, x, y); }},
      {"cpu_merge_path", [](const shared_matrix& a, const vector& x,
                            vector& y) { spmv::csr_merge_path<double>(a->host, x, y); }},
      {"gpu_resident", gpu_resident, is_resident},
      {"gpu_transferred", gpu_transferred},
  };

  using m = const shared_matrix&;
  using v = const vector&;
  static constexpr examples::feature<signature> features[] = {
      {"nonzeros", [](m a, v, v) { return double(a->host.nonzeros()); }},
      {"rows", [](m a, v, v) { return double(a->host.rows); }},
      {"columns", [](m a, v, v) { return double(a->host.columns_count); }},
      {"resident", [](m a, v, v) { return a->resident ? 1.0 : 0.0; }},
  };

  static std::tuple<shared_matrix, vector, vector> load(const std::string& input) {
    const bool is_resident = input.starts_with(resident_prefix);
    if (!is_resident && !input.starts_with(host_prefix))
      throw std::runtime_error("input '" + input +
                               "': say where the matrix is, host:MATRIX or resident:MATRIX");
    const std::string of = input.substr((is_resident ? resident_prefix : host_prefix).size());
    matrix made{of.starts_with(spmv::generated_prefix) ? spmv::generate_by_name(of)
                                                       : spmv::read_matrix_market(of),
                std::nullopt};
    if (is_resident) made.resident.emplace(made.host);
    vector x = spmv::some_vector(made.host.columns_count);
    vector y(static_cast<std::size_t>(made.host.rows));
    return {std::make_shared<const matrix>(std::move(made)), std::move(x), std::move(y)};
  }
  static vector capture(m, v, v y) { return y; }
  static bool agree(v wanted, v result) { return spmv::agree(wanted, result); }
};

}  // namespace spmv_anywhere

int main(int count, char** words) {
  return examples::run_program<spmv_anywhere::example>(count, words);
}
