// The judge of the SpMV example: agreement of results, shares of best, the lists of matrices.
#include <limits>
#include <set>

#include "../../examples/spmv/evaluation_report.hpp"
#include "../../examples/spmv/generated_list.hpp"
#include "support/catch.hpp"

TEST_CASE("results agree within rounding of the largest element, and not beyond") {
  const std::vector<double> reference = {1e6, 1.0, 0.0};
  CHECK(spmv::agree(reference, reference));
  CHECK(spmv::agree(reference, {1e6, 1.0 + 5e-5, 0.0}));
  CHECK_FALSE(spmv::agree(reference, {1e6, 1.0 + 5e-4, 0.0}));
  CHECK_FALSE(spmv::agree(reference, {1e6, 1.0, std::numeric_limits<double>::quiet_NaN()}));
  CHECK_FALSE(spmv::agree(reference, {1e6, 1.0}));
  CHECK(spmv::agree({}, {}));
  CHECK_FALSE(spmv::agree({0.0}, {1e-300}));
}

TEST_CASE("shares of best are summarised") {
  const auto one = spmv::share_summary::of("one", {0.5});
  CHECK(one.mean == 0.5);
  CHECK(one.p5 == 0.5);
  CHECK(one.worst == 0.5);
  CHECK(one.best_on == 0);
  std::vector<double> shares;
  for (int i = 100; i >= 0; --i) shares.push_back(i / 100.0);
  const auto many = spmv::share_summary::of("many", shares);
  CHECK(many.mean == approx(0.5));
  CHECK(many.p5 == approx(0.05));
  CHECK(many.worst == 0);
  CHECK(many.best_on == 1);
  CHECK(spmv::share_summary::of("two", {1.0, 0.0}).p5 == approx(0.05));
}

TEST_CASE("the tuned function pays for its selection, a missing format counts as nothing") {
  const auto measured = [](std::size_t selected, double selection_seconds) {
    spmv::evaluation e;
    e.matrix = "m";
    e.nonzeros = 1;
    e.seconds.assign(std::size(spmv::variants), 4.0);
    e.seconds[1] = 1.0;
    e.seconds[5] = spmv::not_applicable;
    e.selected = {selected, spmv::variants[selected].name, fettle::selection_reason::model};
    e.selection_seconds = selection_seconds;
    e.tuned_call_seconds = 8.0;
    return e;
  };
  const spmv::evaluation right = measured(1, 25.0);
  CHECK(right.best_seconds() == 1.0);
  CHECK(right.tuned_seconds() == 1.25);
  CHECK(right.share(right.tuned_seconds()) == 0.8);
  CHECK(right.share(right.seconds[5]) == 0.0);

  const spmv::evaluation_report report({right, measured(0, 0.0)});
  CHECK(report.tuned.mean == approx((0.8 + 0.25) / 2));
  CHECK(report.tuned_free.mean == approx((1.0 + 0.25) / 2));
  CHECK(report.tuned_loop.mean == approx(1.0 / 8));
  CHECK(report.fixed.front().name == spmv::variants[1].name);
  CHECK(report.fixed.front().mean == 1.0);
  CHECK(report.fixed.front().best_on == 2);
  CHECK(report.fixed.back().name == spmv::variants[5].name);
  CHECK(report.fixed.back().mean == 0.0);
  CHECK(report.json().find("\"selection_seconds\":25") != std::string::npos);
}

TEST_CASE("every variant is measured where its format exists, and only there") {
  fettle::context context(fettle::context_options{.on_warning = [](std::string_view) {}});
  spmv::tuned_spmv function(context);
  spmv::set_up(function);
  for (const std::string name :
       {"generate:stencil:points=5,side=12,seed=3",
        "generate:uniform:rows=90,columns=80,mean=4,spread=3,reach=0,seed=3",
        "generate:uniform:rows=5,columns=7,mean=0,spread=0,reach=0,seed=3"}) {
    INFO(name);
    const auto matrix = spmv::load(name);
    const auto result = spmv::evaluate(function, name, 0.0);
    REQUIRE(result.seconds.size() == std::size(spmv::variants));
    CHECK(result.nonzeros == matrix.csr.nonzeros());
    for (std::size_t k = 0; k < result.seconds.size(); ++k) {
      const auto& variant = spmv::variants[k];
      const bool applies = variant.applies == nullptr || variant.applies(matrix);
      INFO(variant.name);
      CHECK(std::isfinite(result.seconds[k]) == applies);
      if (applies) CHECK(result.seconds[k] > 0);
    }
    CHECK(result.selection_seconds > 0);
    CHECK(result.tuned_call_seconds > 0);
  }
}

TEST_CASE("the tuned function computes the product, whatever it selects") {
  fettle::context context(fettle::context_options{.on_warning = [](std::string_view) {}});
  spmv::tuned_spmv function(context);
  spmv::set_up(function);
  const auto a = spmv::load("generate:banded:rows=70,width=5,density=0.9,seed=2");
  const auto x = spmv::some_vector(a.csr.columns_count);
  std::vector<double> expected(70);
  spmv::csr_serial(a.csr, x, expected);
  std::vector<double> y(70, -1.0);
  function(a, x, y);
  CHECK(spmv::agree(expected, y));
  for (const auto& variant : spmv::variants) {
    if (variant.applies != nullptr && !variant.applies(a)) continue;
    std::fill(y.begin(), y.end(), -1.0);
    variant.run(a, x, y);
    INFO(variant.name);
    CHECK(spmv::agree(expected, y));
  }
}

TEST_CASE("training and test matrices are many and have nothing in common") {
  const auto train = spmv::generated_list(spmv::matrix_set::train);
  const auto test = spmv::generated_list(spmv::matrix_set::test);
  CHECK(train.size() == 810);
  CHECK(test.size() == 120);
  CHECK(train == spmv::generated_list(spmv::matrix_set::train));
  std::set<std::string> seeds;
  std::set<std::string> parameters;
  for (const auto& name : train) parameters.insert(name.substr(0, name.rfind(',')));
  for (const auto& name : test) CHECK(parameters.insert(name.substr(0, name.rfind(','))).second);
  for (const auto* list : {&train, &test})
    for (std::size_t n = 0; n < list->size(); ++n) {
      const std::string& name = (*list)[n];
      INFO(name);
      CHECK(seeds.insert(name.substr(name.rfind(','))).second);
      if (n >= 45) continue;  // three of each family are enough to know that they are understood
      const auto a = spmv::generate_by_name(name);
      CHECK(a.nonzeros() > 0);
      CHECK(a.nonzeros() < 10'000'000);
    }
}
