// Misuse of programs and row programs: each message says what the program cannot know, and the
// remedy.
#include <string_view>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/openmp.hpp>

namespace ndp = fettle::ndp;

struct is_large {
  bool operator()(double x) const { return x > 1; }
};
struct centred {
  template <typename Row>
  auto operator()(const Row& row) const {
    const double least = ndp::reduce(ndp::minimum{}, row, 0.0);
    return ndp::reduce(ndp::plus{}, row, 0.0) - least;
  }
};

struct total_of {
  template <typename Values>
  auto operator()(const Values& values) const {
    return ndp::reduce(ndp::plus{}, values, 0.0);
  }
};
struct twice_of {
  template <typename Values>
  auto operator()(const Values& values) const {
    return ndp::map(ndp::plus{}, values, values);
  }
};

// Another platform than the program's.
struct cores {
  static constexpr std::string_view name = "cores";
  static constexpr bool runs_on_host = true;
};

using doubles = ndp::sequence<double>;
using ints = ndp::sequence<ndp::index_t>;

#ifndef MISUSE
void twin(doubles x, doubles y, ints count) {
  ndp::program p;
  const auto a = p.add<"a">(ndp::map(ndp::negate{}, x));
  p.add<"large">(ndp::filter(is_large{}, x), ndp::counted(y, count));
  static_cast<void>(p.add<"rows">(ndp::map(centred{}, ndp::split(a, 3))));
  static_cast<void>(p.add<"b", "total">(ndp::map(ndp::negate{}, x), total_of{}));
  p.execute(ndp::platform::openmp{});
}
#endif

// expect: error.*program: a computation needs a name: add<"name">\(e\)
#ifdef CASE_program_without_a_name
void f(ndp::sequence<const double> x, ndp::sequence<double> y) {
  ndp::program p;
  p.add(ndp::map(ndp::negate{}, x), y);
}
#endif

// expect: error.*program: give each computation a name
#ifdef CASE_computation_without_a_name
void f(doubles x) {
  ndp::program p;
  p.add<"">(ndp::map(ndp::negate{}, x));
}
#endif

// expect: error.*program: how many results this computation has is not known before it runs:
#ifdef CASE_filter_without_destination
void f(doubles x) {
  ndp::program p;
  p.add<"large">(ndp::filter(is_large{}, x));
}
#endif

// expect: error.*program: this computation returns how many results it has, .*counted\(destination,
#ifdef CASE_filter_that_is_not_counted
void f(doubles x, doubles y) {
  ndp::program p;
  p.add<"large">(ndp::filter(is_large{}, x), y);
}
#endif

// expect: error.*program: ndp::program runs on the preferred platform .*basic_program
#ifdef CASE_program_on_another_platform
void f(doubles x) {
  ndp::program p;
  static_cast<void>(p.add<"a">(ndp::map(ndp::negate{}, x)));
  p.execute(cores{});
}
#endif

// expect: error.*program: a result of an earlier computation cannot be read through this operator;
#ifdef CASE_result_in_a_sequence_of_the_users
template <typename S>
struct every_other {
  using value_type = typename S::value_type;
  S source;
  ndp::index_t size() const { return source.size() / 2; }
  auto operator[](ndp::index_t i) const { return source[2 * i]; }
};
void f(doubles x, doubles y) {
  ndp::program p;
  const auto a = p.add<"a">(ndp::map(ndp::negate{}, x));
  p.add<"half">(ndp::map(ndp::negate{}, every_other<decltype(a)>{a}), y);
}
#endif

// expect: error.*program: what is added with the maps before it has to be a reduction to one value
#ifdef CASE_pass_that_ends_with_a_map
void f(doubles x) {
  ndp::program p;
  static_cast<void>(p.add<"a", "b">(ndp::map(ndp::negate{}, x), twice_of{}));
}
#endif

// expect: error.*program: a reduction is added with maps as .*make_sequence, and the last argument
#ifdef CASE_pass_into_a_vector
void f(doubles x, std::vector<double>& y) {
  ndp::program p;
  p.add<"a", "total">(ndp::map(ndp::negate{}, x), y, total_of{});
}
#endif

// expect within 25 lines: error.*map: every argument after the function must .* realise a reduce
#ifdef CASE_row_program_that_maps_a_scan
struct scanned {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, ndp::map(ndp::negate{}, ndp::scan(ndp::plus{}, row, 0.0)), 0.0);
  }
};
auto f(doubles x) { return ndp::map(scanned{}, ndp::split(x, 3)); }
#endif
