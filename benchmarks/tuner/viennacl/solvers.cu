// ViennaCL's solvers on the systems of examples/solvers: two Krylov methods without a
// preconditioner, with Jacobi's, and with incomplete factors by sweeps (Chow and Patel), to the
// same residual, in the same time.
#define VIENNACL_WITH_CUDA
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/bicgstab.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/detail/ilu/chow_patel_ilu.hpp>
#include <viennacl/linalg/jacobi_precond.hpp>
#include <viennacl/vector.hpp>

#include "../../../examples/solvers/krylov.hpp"
#include "../../../examples/solvers/time_limit.hpp"
#include "../../../examples/support/device.cuh"
#include "../../../examples/support/program.hpp"

namespace viennacl_solvers {

using host_vector = solvers::vector;
using device_matrix = viennacl::compressed_matrix<double>;
using device_vector = viennacl::vector<double>;

struct system {
  explicit system(const std::string& name) : host(solvers::load_system(name)) {
    const auto size = static_cast<std::size_t>(host.size());
    spmv::random_numbers random(7);
    host_vector solution(size);
    for (double& value : solution) value = 0.5 + random.unit();
    right.resize(size);
    spmv::csr_serial(host.a, solution, right);
    if (size == 0 || host.a.values.empty()) return;
    a.set(host.a.row_offsets.data(), host.a.columns.data(), host.a.values.data(), size, size,
          host.a.values.size());
    b = device_vector(size);
    viennacl::copy(right, b);
  }

  solvers::linear_system host;
  host_vector right;
  device_matrix a;
  device_vector b;
  mutable solvers::time_limit limit;
};
using shared_system = std::shared_ptr<const system>;

struct none {
  static auto of(const device_matrix&) { return viennacl::linalg::no_precond(); }
};
struct jacobi {
  static auto of(const device_matrix& a) {
    return viennacl::linalg::jacobi_precond<device_matrix>(a, viennacl::linalg::jacobi_tag());
  }
};
struct cholesky_sweeps {
  static auto of(const device_matrix& a) {
    return viennacl::linalg::chow_patel_icc_precond<device_matrix>(
        a, viennacl::linalg::chow_patel_tag());
  }
};
struct lu_sweeps {
  static auto of(const device_matrix& a) {
    return viennacl::linalg::chow_patel_ilu_precond<device_matrix>(
        a, viennacl::linalg::chow_patel_tag());
  }
};

inline viennacl::linalg::cg_solver<device_vector> conjugate_gradients() {
  return {viennacl::linalg::cg_tag(solvers::tolerance, solvers::most_iterations)};
}
inline viennacl::linalg::bicgstab_solver<device_vector> bicgstab() {
  return {viennacl::linalg::bicgstab_tag(solvers::tolerance, solvers::most_iterations / 2)};
}

/// ViennaCL launches these where rows are long, but asks __CUDA_ARCH__ for the number of threads,
/// so that nvcc makes others for the device unless they are named.
[[maybe_unused]] inline const void* const launched[] = {
    reinterpret_cast<const void*>(
        viennacl::linalg::cuda::pipelined_cg_csr_vec_mul_blocked_kernel<16, double>),
    reinterpret_cast<const void*>(
        viennacl::linalg::cuda::pipelined_bicgstab_csr_vec_mul_blocked_kernel<16, double>)};

/// After an error of the device: no later call recovers from some, and measure.py starts the
/// program again without the variant.
inline void end_where_lost() {
  if (cudaDeviceSynchronize() != cudaSuccess) std::_Exit(3);
}

inline bool is_late(const device_vector&, double, void* limit) {
  return static_cast<const solvers::time_limit*>(limit)->is_over();
}

/// Seconds of a solve, preconditioner included; infinite where it does not converge, or not in
/// time.
template <auto Method, class Preconditioner>
double seconds(const shared_system& s, host_vector& x) {
  if (s->a.nnz() == 0) return 1e-9;
  s->limit.start();
  double taken = 0;
  try {
    device_vector solution;
    taken = examples::device::seconds_of_once([&] {
      auto solve = Method();
      solve.set_monitor(is_late, &s->limit);
      solution = solve(s->a, s->b, Preconditioner::of(s->a));
    });
    viennacl::copy(solution, x);
  } catch (...) {
    end_where_lost();
    throw;
  }
  const double residual = solvers::relative_residual(s->host, s->right, x);
  if (!(residual <= 100 * solvers::tolerance)) return std::numeric_limits<double>::infinity();
  s->limit.solved_in(taken);
  return taken;
}

/// Sweeps divide by the diagonal.
inline bool has_diagonal(const shared_system& s, const host_vector&) {
  const auto& diagonal = s->host.diagonal;
  return std::find(diagonal.begin(), diagonal.end(), 0.0) == diagonal.end();
}
inline bool has_positive_diagonal(const shared_system& s, const host_vector&) {
  const auto& diagonal = s->host.diagonal;
  return s->host.is_symmetric &&
         std::all_of(diagonal.begin(), diagonal.end(), [](double d) { return d > 0; });
}
inline bool is_symmetric(const shared_system& s, const host_vector&) {
  return s->host.is_symmetric;
}

struct example {
  using signature = double(const shared_system&, host_vector&);
  struct policy {
    static constexpr std::string_view name = "viennacl_solvers";
    static constexpr auto on_infinite_metric = fettle::infinite_metric::next_best;
    static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  };
  static constexpr const char* name = "viennacl_solvers";
  static constexpr const char* inputs = solvers::input_help;
  static constexpr bool changes_input = true;
  static constexpr bool returns_seconds = true;
  static constexpr double calls = 10;
  static constexpr double judging_seconds = 0.1;

  static constexpr examples::variant<signature> variants[] = {
      {"viennacl_bicgstab", seconds<bicgstab, none>},
      {"viennacl_bicgstab_jacobi", seconds<bicgstab, jacobi>},
      {"viennacl_bicgstab_lu_sweeps", seconds<bicgstab, lu_sweeps>, has_diagonal},
      {"viennacl_cg", seconds<conjugate_gradients, none>, is_symmetric},
      {"viennacl_cg_jacobi", seconds<conjugate_gradients, jacobi>, is_symmetric},
      {"viennacl_cg_cholesky_sweeps", seconds<conjugate_gradients, cholesky_sweeps>,
       has_positive_diagonal},
  };
  static constexpr examples::feature<signature> features[] = {
      {"nnz", [](const shared_system& s,
                 const host_vector&) { return static_cast<double>(s->host.a.nonzeros()); }},
  };

  static std::tuple<shared_system, host_vector> load(const std::string& input) {
    auto made = std::make_shared<const system>(input);
    host_vector x(made->right.size());
    return {std::move(made), std::move(x)};
  }
  static void reset(const shared_system&, host_vector& x) { x.assign(x.size(), 0.0); }
  static double expected(const shared_system&, const host_vector&) { return 0; }
  static double capture(const shared_system& s, const host_vector& x) {
    return solvers::relative_residual(s->host, s->right, x);
  }
  static bool gave_up(const shared_system& s, const host_vector&) { return s->limit.is_over(); }
  static bool agree(double, double residual) { return residual <= 100 * solvers::tolerance; }
};

}  // namespace viennacl_solvers

int main(int count, char** words) {
  return examples::run_program<viennacl_solvers::example>(count, words);
}
