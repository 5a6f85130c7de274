// Solvers of linear equations, tuned by Fettle: a solver that does not converge has an infinite
// metric, and inside each of them the product with the matrix is a tuned function, too.
#include "../support/program.hpp"
#include "krylov.hpp"
#include "preconditioners.hpp"
#include "registration.hpp"

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

struct example : registration<double(const linear_system&, const vector&, vector&)> {
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

  static std::tuple<linear_system, vector, vector> load(const std::string& input) {
    linear_system system = load_system(input);
    vector b = right_side_of(system);
    vector x(b.size());
    return {std::move(system), std::move(b), std::move(x)};
  }
  static void reset(a, v, vector& x) { x.assign(x.size(), 0.0); }
  static double capture(a s, v b, v x) { return relative_residual(s, b, x); }
  static bool agree(double, double residual) { return residual <= 100 * tolerance; }
};

}  // namespace solvers

int main(int count, char** words) { return examples::run_program<solvers::example>(count, words); }
