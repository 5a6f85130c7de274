// Solvers of linear equations on a GPU, tuned by Fettle: two Krylov methods with five
// preconditioners; inside each of them the product with the matrix is a tuned function, too.
#include "../support/program.hpp"
#include "device_features.cuh"
#include "device_incomplete.cuh"
#include "device_krylov.cuh"
#include "device_lanczos.cuh"
#include "registration.hpp"

namespace solvers::device {

using shared_system = std::shared_ptr<const system>;

/// The right-hand side and its norm.
struct right_side {
  explicit right_side(const vector& given) : values(given) {
    double sum = 0;
    for (const double value : given) sum += value * value;
    norm = std::sqrt(sum);
  }
  array<double> values;
  double norm = 0;
};
using shared_side = std::shared_ptr<const right_side>;

/// || b - A x || / || b ||.
inline double relative_residual(const system& s, const right_side& b, const array<double>& x) {
  const double norm = residual_norm(s, b.values, x);
  return b.norm == 0 ? norm : norm / b.norm;
}

/// Seconds of Solve(system, b, target, x), preconditioner included; infinite where it does not
/// converge, or not in time.
template <bool (*Solve)(const system&, const array<double>&, double, array<double>&)>
double seconds(const shared_system& s, const shared_side& b, array<double>& x) {
  bool has_converged = false;
  s->limit.start();
  const double taken = examples::device::seconds_of_once(
      [&] { has_converged = Solve(*s, b->values, tolerance * b->norm, x); });
  const bool is_solution = has_converged && relative_residual(*s, *b, x) <= 100 * tolerance;
  if (!is_solution) return std::numeric_limits<double>::infinity();
  s->limit.solved_in(taken);
  return taken;
}

inline bool is_symmetric(const shared_system& s, const shared_side&, const array<double>&) {
  return s->host.is_symmetric;
}

inline const linear_system& host_of(const shared_system& s) { return s->host; }
inline double feature_of(const shared_system& s, auto which) { return feature_of(*s, which); }

struct example : registration<double(const shared_system&, const shared_side&, array<double>&)> {
  static constexpr double judging_seconds = 0.1;

  static constexpr examples::variant<signature> variants[] = {
      {"bicgstab_block_jacobi", seconds<bicgstab<block_jacobi>>},
      {"bicgstab_jacobi", seconds<bicgstab<jacobi>>},
      {"bicgstab_ilu", seconds<bicgstab<incomplete_lu>>},
      {"bicgstab_fainv", seconds<bicgstab<approximate_inverse>>, is_symmetric},
      {"bicgstab_ilu_sweeps", seconds<bicgstab<incomplete_sweeps>>},
      {"cg_jacobi", seconds<conjugate_gradients<jacobi>>, is_symmetric},
      {"cg_block_jacobi", seconds<conjugate_gradients<block_jacobi>>, is_symmetric},
      {"cg_fainv", seconds<conjugate_gradients<approximate_inverse>>, is_symmetric},
      {"cg_incomplete_cholesky", seconds<conjugate_gradients<incomplete_lu>>, is_symmetric},
      {"cg_incomplete_sweeps", seconds<conjugate_gradients<incomplete_sweeps>>, is_symmetric},
  };

  using a = const shared_system&;
  using v = const shared_side&;
  using x = const array<double>&;

  static std::tuple<shared_system, shared_side, array<double>> load(const std::string& input) {
    auto made = std::make_shared<const system>(load_system(input));
    const vector b = right_side_of(made->host);
    return {std::move(made), std::make_shared<const right_side>(b),
            array<double>(vector(b.size()))};
  }
  static void reset(a, v, array<double>& unknowns) {
    unknowns = array<double>(vector(unknowns.size()));
  }
  /// What the host finds of the same system.
  static double expected_feature(std::size_t k, a s, v, x) {
    using on_host = registration<double(const linear_system&, const vector&, vector&)>;
    return on_host::features[k].of(s->host, {}, {});
  }
  /// A residual of 0 is what the host expects.
  static double expected(a, v, x) { return 0; }
  static double capture(a s, v b, x unknowns) { return relative_residual(*s, *b, unknowns); }
  /// After a run without a result: whether that was for the time limit.
  static bool gave_up(a s, v, x) { return s->limit.is_over(); }
  static bool agree(double, double residual) { return residual <= 100 * tolerance; }
};

}  // namespace solvers::device

int main(int count, char** words) {
  return examples::run_program<solvers::device::example>(count, words);
}
