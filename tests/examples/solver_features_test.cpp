// Features of systems of equations: against their definitions, and against the method that they
// describe.
#include "../../examples/solvers/features.hpp"
#include "../../examples/solvers/lanczos.hpp"
#include "support/catch.hpp"

namespace {

constexpr const char* systems[] = {
    "laplace:900:double:points=27",
    "anisotropic:700:double:ratio=3",
    "jumping:900:double",
    "shifted:900:double",
    "network:500:double",
    "stiff:500:double",
    "plates:900:double",
    "blocks:300:double:indefinite=1",
    "biharmonic:900:double",
    "waves:900:double",
    "contrast:900:double:sigma=3",
    "mesh:900:double",
    "elastic:900:double",
    "banded:500:double",
    "scaled:900:double",
    "periodic:900:double",
    "twofold:900:double",
    "layers:1000:double",
    "chain:500:double",
    "tree:500:double",
    "fields:900:double",
    "cracked:900:double",
};

solvers::linear_system of_rows(const std::vector<std::vector<double>>& rows) {
  std::vector<spmv::entry<double>> entries;
  const auto size = static_cast<solvers::index>(rows.size());
  solvers::linear_system made;
  for (solvers::index r = 0; r < size; ++r)
    for (solvers::index c = 0; c < size; ++c) {
      const double value = rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
      if (value != 0) entries.push_back({r, c, value});
      if (r == c) made.diagonal.push_back(value);
    }
  made.a = spmv::csr_from_entries<double>(size, size, entries);
  made.is_symmetric = solvers::detail::is_symmetric(made.a);
  return made;
}

}  // namespace

TEST_CASE("numbers of a matrix by hand") {
  using solvers::number;
  const auto s = of_rows({{4, -1, 0}, {-1, -2, 2}, {0, 2, 1}});
  const auto get = [&](number which) { return solvers::feature_of(s, which); };
  CHECK(get(number::trace) == 3);
  CHECK(get(number::diag_avg) == approx(7. / 3));
  CHECK(get(number::diag_var) == approx(7 - 49. / 9));
  CHECK(get(number::diag_dominance) == approx((4. / 5 - 2. / 5 + 1. / 3) / 3));
  CHECK(get(number::left_bandwidth) == 1);
  CHECK(get(number::norm_1) == 5);
  CHECK(get(number::negative_diagonal) == approx(1. / 3));
  CHECK(get(number::weakest_row) == -1);
  CHECK(get(number::same_signs) == 0.5);
  CHECK(get(number::block_weight) == 1);
}

TEST_CASE("the 1-norm of a matrix that is not symmetric is that of its columns") {
  const auto s = of_rows({{1, 5}, {0, 1}});
  CHECK_FALSE(s.is_symmetric);
  CHECK(solvers::feature_of(s, solvers::number::norm_1) == 6);
}

TEST_CASE("one pass serves different features, and a new one the same feature") {
  solvers::found_together<int> kept;
  int passes = 0;
  const auto pass = [&] { return ++passes; };
  CHECK(kept.get(0, pass) == 1);
  CHECK(kept.get(3, pass) == 1);
  CHECK(kept.get(0, pass) == 2);
  CHECK(kept.get(3, pass) == 2);
  CHECK(kept.get(3, pass) == 3);
}

TEST_CASE("every family is symmetric, of every small size") {
  for (const std::string system : systems) {
    INFO(system);
    CHECK(solvers::load_system(system).is_symmetric);
    const std::string family = system.substr(0, system.find(':'));
    for (const char* size : {"0", "1", "2", "3", "17"}) {
      const auto made = solvers::load_system(family + ":" + size + ":double");
      CHECK(made.is_symmetric);
      CHECK(std::isfinite(solvers::feature_of(made, solvers::number::diag_var)));
      CHECK(std::isfinite(solvers::feature_of(made, solvers::krylov::least_ritz)));
    }
  }
}

TEST_CASE("an unknown family is named with those that there are") {
  std::string said;
  try {
    solvers::load_system("spheres:9:double");
  } catch (const std::runtime_error& error) {
    said = error.what();
  }
  CHECK(said.find("'spheres' is neither a file nor a family: laplace") != std::string::npos);
}

TEST_CASE("the reduction is that of conjugate gradients with the diagonal") {
  for (const char* name : {"laplace:900:double", "mesh:900:double", "banded:500:double",
                           "scaled:400:double:decades=2", "chain:500:double"}) {
    INFO(name);
    const auto s = solvers::load_system(name);
    const auto size = static_cast<std::size_t>(s.size());
    solvers::vector r(size);
    solvers::vector z(size);
    solvers::vector q(size);
    const auto scaled = [&] {
      double product = 0;
      for (std::size_t i = 0; i < size; ++i) {
        z[i] = r[i] / s.diagonal[i];
        product += r[i] * z[i];
      }
      return product;
    };
    for (std::size_t i = 0; i < size; ++i) r[i] = solvers::start_of(static_cast<int>(i));
    const double first = scaled();
    double rz = first;
    double least = 1;
    solvers::vector p = z;
    for (int step = 0; step < solvers::lanczos_steps; ++step) {
      spmv::csr_serial(s.a, p, q);
      double curvature = 0;
      for (std::size_t i = 0; i < size; ++i) curvature += p[i] * q[i];
      for (std::size_t i = 0; i < size; ++i) r[i] -= rz / curvature * q[i];
      const double now = scaled();
      for (std::size_t i = 0; i < size; ++i) p[i] = z[i] + now / rz * p[i];
      rz = now;
      least = std::min(least, std::sqrt(rz / first));
    }
    CHECK(solvers::feature_of(s, solvers::krylov::reduction) == approx(least).epsilon(1e-6));
  }
}

TEST_CASE("indefinite systems have a negative Ritz value and no reduction") {
  for (const char* name : {"twofold:900:double", "blocks:300:double:indefinite=1"}) {
    INFO(name);
    const auto s = solvers::load_system(name);
    CHECK(solvers::feature_of(s, solvers::krylov::least_ritz) < 0);
    CHECK(solvers::feature_of(s, solvers::krylov::reduction) == 2);
  }
}
