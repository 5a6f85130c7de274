// Solvers of linear equations, tuned by Fettle: a solver that does not converge has an infinite
// metric, and inside each of them the product with the matrix is a tuned function, too.
#include "../support/program.hpp"
#include "features.hpp"
#include "krylov.hpp"
#include "preconditioners.hpp"

namespace solvers {

/// Seconds of Solve(system, b, x), preconditioner included; infinite where it does not converge.
template <bool (*Solve)(const linear_system&, const vector&, vector&)>
double seconds(const linear_system& system, const vector& b, vector& x) {
  const fettle::timer clock;
  const bool has_converged = Solve(system, b, x);
  const double taken = clock.seconds();
  const bool is_solution = has_converged && relative_residual(system, b, x) <= 100 * tolerance;
  return is_solution ? taken : std::numeric_limits<double>::infinity();
}

inline bool is_symmetric(const linear_system& s, const vector&, const vector&) {
  return s.is_symmetric;
}

struct example {
  using signature = double(const linear_system&, const vector&, vector&);
#if __has_include("fettle_config.hpp")
  using policy = fettle::tuning_policies::solvers;
#else
  struct policy {
    static constexpr std::string_view name = "solvers";
    static constexpr auto on_infinite_metric = fettle::infinite_metric::next_best;
    static constexpr auto on_constraint_failure = fettle::constraint_failure::next_best;
  };
#endif
  static constexpr const char* name = "solvers";
  static constexpr const char* inputs = input_help;
  static constexpr bool changes_input = true;
  static constexpr bool returns_seconds = true;
  static constexpr double calls = 10;  // solves with one matrix, as in a few steps of a simulation
  static constexpr double judging_seconds = 0.5;

  static constexpr examples::variant<signature> variants[] = {
      {"bicgstab_ilu", seconds<bicgstab<incomplete_lu>>},
      {"bicgstab_jacobi", seconds<bicgstab<jacobi>>},
      {"bicgstab_block_jacobi", seconds<bicgstab<block_jacobi>>},
      {"bicgstab_fainv", seconds<bicgstab<approximate_inverse>>, is_symmetric},
      {"cg_jacobi", seconds<conjugate_gradients<jacobi>>, is_symmetric},
      {"cg_block_jacobi", seconds<conjugate_gradients<block_jacobi>>, is_symmetric},
      {"cg_fainv", seconds<conjugate_gradients<approximate_inverse>>, is_symmetric},
      {"cg_incomplete_cholesky", seconds<conjugate_gradients<incomplete_lu>>, is_symmetric},
  };

  using a = const linear_system&;
  using v = const vector&;
  static constexpr examples::feature<signature> features[] = {
      {"nnz", [](a s, v, v) { return double(s.a.nonzeros()); }},
      {"rows", [](a s, v, v) { return double(s.size()); }},
      {"trace", [](a s, v, v) { return trace(s); }},
      {"diag_avg", [](a s, v, v) { return diagonal_average(s); }},
      {"diag_var", [](a s, v, v) { return diagonal_variance(s); }},
      {"diag_dominance", [](a s, v, v) { return diagonal_dominance(s); }},
      {"left_bandwidth", [](a s, v, v) { return left_bandwidth(s); }},
      {"norm_1", [](a s, v, v) { return one_norm(s); }},
  };

  /// The right-hand side belongs to a solution that is known to exist.
  static std::tuple<linear_system, vector, vector> load(const std::string& input) {
    linear_system system = load_system(input);
    const auto size = static_cast<std::size_t>(system.size());
    spmv::random_numbers random(7);
    vector solution(size);
    for (double& value : solution) value = 0.5 + random.unit();
    vector b(size);
    spmv::csr_serial(system.a, solution, b);
    return {std::move(system), std::move(b), vector(size)};
  }
  static void reset(a, v, vector& x) { x.assign(x.size(), 0.0); }
  static double capture(a s, v b, v x) { return relative_residual(s, b, x); }
  static bool agree(double, double residual) { return residual <= 100 * tolerance; }
};

}  // namespace solvers

int main(int count, char** words) { return examples::run_program<solvers::example>(count, words); }
