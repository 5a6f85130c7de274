// Misuse of sequences and operators: each message names the operator and the remedy.
#include <list>
#include <string_view>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/explain.hpp>
#include <fettle/ndp/openmp.hpp>
#include <fettle/ndp/prepare.hpp>
#include <fettle/ndp/shape/arithmetic.hpp>

namespace ndp = fettle::ndp;

struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};
struct row_scan {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::scan(ndp::plus{}, row, 0.0);
  }
};
struct five_points {
  template <typename Cells>
  double operator()(const Cells& n) const {
    return n(0, 0) + n(-1, 0) + n(1, 0) + n(0, -1) + n(0, 1);
  }
};
struct nothing {
  void operator()(double) const {}
};

using doubles = ndp::sequence<double>;
using ints = ndp::sequence<const int>;

// A platform of the user's: OpenMP with other words.
struct cores {
  static constexpr std::string_view name = "cores";
  static constexpr bool runs_on_host = true;
};
template <>
struct fettle::ndp::platform_traits<cores> : platform_traits<platform::openmp> {
  template <typename E, typename D>
  static void run_default(const cores& /*on*/, const computation& named, const E& e,
                          const D& destination) {
    platform_traits<platform::openmp>::run_default({}, named, e, destination);
  }
};
static_assert(ndp::platform_with_rules<cores>);

#ifndef MISUSE
void twin(doubles x, ints at, std::vector<double>& v) {
  static_cast<void>(ndp::make_sequence(v));
  static_cast<void>(ndp::scatter(x, at, x));
  static_cast<void>(ndp::reduce(ndp::plus{}, ndp::gather(x, at), 0.0));
  ndp::execute(ndp::map(ndp::negate{}, x), x, ndp::platform::openmp{});
  ndp::execute(ndp::map(ndp::negate{}, x), x, cores{});
  ndp::execute(ndp::map(nothing{}, x), ndp::platform::openmp{});
  ndp::execute(ndp::map(row_scan{}, ndp::nest(x, at)), x, ndp::platform::openmp{});
  ndp::execute(ndp::map(row_sum{}, ndp::windows(x, 5)), x, ndp::platform::openmp{});
  ndp::execute(ndp::map(row_sum{}, ndp::windows(x, ndp::constant<5>{}, 2)), x);
  const auto grid = ndp::make_grid(x, 2, 3);
  ndp::execute(ndp::map(row_sum{}, ndp::halo(grid, 1, ndp::boundary::constant{0})), x);
  ndp::execute(ndp::map(five_points{}, ndp::halo(grid, ndp::constant<1>{}, ndp::boundary::wrap{})),
               x, ndp::platform::openmp{});
}
#endif

// expect: error.*make_sequence: the container is a temporary, .* give it a name that lives
#ifdef CASE_temporary_vector
auto f() { return ndp::make_sequence(std::vector<int>(3)); }
#endif

// expect: error.*make_sequence: these iterators have no random access; copy the elements
#ifdef CASE_list
auto f(std::list<int>& list) { return ndp::make_sequence(list); }
#endif

// expect: error.*map: give the sequences after the function: map\(f, s1
#ifdef CASE_map_of_nothing
auto f() { return ndp::map(ndp::negate{}); }
#endif

// expect: error.*map: the function cannot be called with one element of each sequence
#ifdef CASE_function_of_other_elements
auto f(ndp::sequence<std::vector<int>> s) { return ndp::map(ndp::negate{}, s, s); }
#endif

// expect somewhere: is_invocable_v<const .*negate *&, .*vector<int.*vector<int
#ifdef CASE_function_of_elements_that_are_named
auto f(ndp::sequence<std::vector<int>> s) { return ndp::map(ndp::negate{}, s, s); }
#endif

// expect: error.*map: the function cannot be called .*operator\(\) must be const
#ifdef CASE_function_that_is_not_const
struct counter {
  int n = 0;
  int operator()(double) { return ++n; }
};
auto f(doubles x) { return ndp::map(counter{}, x); }
#endif

// expect: error.*map: every argument after the function must be a sequence .* realise a reduce
#ifdef CASE_map_over_a_scan
auto f(doubles x) { return ndp::map(ndp::negate{}, ndp::scan(ndp::plus{}, x, 0.0)); }
#endif

// expect: error.*map: every argument after the function must be a sequence .* make_sequence
#ifdef CASE_map_over_a_vector
auto f(const std::vector<double>& v) { return ndp::map(ndp::negate{}, v); }
#endif

// expect: error.*reduce, scan, reduce_by_key: the source must be a sequence .* realise a scan
#ifdef CASE_reduce_of_a_scan
auto f(doubles x) { return ndp::reduce(ndp::plus{}, ndp::scan(ndp::plus{}, x, 0.0), 0.0); }
#endif

// expect: error.*: this operator is marked as not associative .* depends on the order
#ifdef CASE_reduce_by_minus
auto f(doubles x) { return ndp::reduce(ndp::minus{}, x, 0.0); }
#endif

// expect: error.*: this operator is marked as not associative
#ifdef CASE_scan_by_divides
auto f(doubles x) { return ndp::scan(ndp::divides{}, x, 0.0); }
#endif

// expect: error.*: the operator cannot be called with the seed and an element of the source
#ifdef CASE_seed_of_another_type
auto f(doubles x) { return ndp::reduce(ndp::plus{}, x, "zero"); }
#endif

// expect: error.*: the operator cannot be called with the seed and an element of the source
#ifdef CASE_seed_of_another_type_that_is_executed
double f(doubles x) {
  return ndp::execute(ndp::reduce(ndp::plus{}, x, "zero"), ndp::platform::openmp{});
}
#endif

// expect: error.*a value to which the seed does not convert, or that does not combine with further
#ifdef CASE_seed_that_makes_another_value
struct meters {
  double value;
  friend meters operator+(double a, meters b) { return {a + b.value}; }
};
auto f(ndp::sequence<const meters> x) { return ndp::reduce(ndp::plus{}, x, 0.0); }
#endif

// expect: error.*reduce: takes three arguments, reduce\(operator, sequence, seed\); the seed
#ifdef CASE_reduce_of_nothing
void f(double& sum) { ndp::execute(ndp::reduce(ndp::plus{}), sum, ndp::platform::openmp{}); }
#endif

// expect: error.*reduce, scan, inclusive_scan: without a seed they begin with the operator's
#ifdef CASE_reduce_without_seed
struct later {
  double operator()(double /*a*/, double b) const { return b; }
};
void f(doubles x, double& last) {
  ndp::execute(ndp::reduce(later{}, x), last, ndp::platform::openmp{});
}
#endif

// expect: error.*reduce, scan, inclusive_scan: the operator cannot be called with two elements of
#ifdef CASE_reduce_without_seed_of_another_type
struct count_one {
  int operator()(int count, const char* /*element*/) const { return count + 1; }
};
auto f(ndp::sequence<const char* const> x) { return ndp::reduce(count_one{}, x); }
#endif

// expect: error.*reduce, scan, reduce_by_key: the source must be a sequence with a subscript
#ifdef CASE_reduce_of_a_number_without_seed
auto f(double x) { return ndp::reduce(ndp::plus{}, x); }
#endif

// expect: error.*reduce, scan, reduce_by_key: the source must be a sequence with a subscript
#ifdef CASE_inclusive_scan_of_a_scan
auto f(doubles x) { return ndp::inclusive_scan(ndp::plus{}, ndp::scan(ndp::plus{}, x)); }
#endif

// expect: error.*reduce, scan, inclusive_scan: without a seed they begin with the operator's
#ifdef CASE_reduce_without_seed_by_hand
struct pair {
  double x, y;
  friend pair operator+(pair a, pair b) { return {a.x + b.x, a.y + b.y}; }
};
pair f(ndp::sequence<const pair> x) {
  return ndp::execute(ndp::reduce(ndp::plus{}, x), ndp::platform::openmp{},
                      ndp::schedule::cooperative<>{});
}
#endif

// expect: error.*reduce, scan, inclusive_scan: without a seed they begin with the operator's
#ifdef CASE_reduce_of_rows_without_seed
struct smaller {
  double operator()(double a, double b) const { return a < b ? a : b; }
};
struct row_mean {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(smaller{}, row) / row.size();
  }
};
void f(doubles x, ints at) {
  ndp::execute(ndp::map(row_mean{}, ndp::nest(x, at)), x, ndp::platform::openmp{});
}
#endif

// expect: error.*reduce, scan, inclusive_scan: without a seed they begin with the operator's
#ifdef CASE_scan_without_seed
struct earlier {
  double operator()(double a, double /*b*/) const { return a; }
};
void f(doubles x) { ndp::execute(ndp::scan(earlier{}, x), x, ndp::platform::openmp{}); }
#endif

// expect: error.*scan: takes three arguments, scan\(operator, sequence, seed\); the seed
#ifdef CASE_scan_of_four_arguments
void f(doubles x) { ndp::execute(ndp::scan(ndp::plus{}, x, x, 0.0), x, ndp::platform::openmp{}); }
#endif

// expect: error.*inclusive_scan: takes three arguments, inclusive_scan\(operator, sequence, seed\)
#ifdef CASE_inclusive_scan_of_four_arguments
void f(doubles x) {
  ndp::execute(ndp::inclusive_scan(ndp::plus{}, x, x, 0.0), x, ndp::platform::openmp{});
}
#endif

// expect: error.*filter, partition, unique: the source must be a sequence with a subscript
#ifdef CASE_filter_of_a_scan
struct positive {
  bool operator()(double x) const { return x > 0; }
};
auto f(doubles x) { return ndp::filter(positive{}, ndp::scan(ndp::plus{}, x, 0.0)); }
#endif

// expect: error.*filter, partition: the function must take an element of the source and return
#ifdef CASE_filter_by_two_elements
auto f(doubles x) { return ndp::filter(ndp::plus{}, x); }
#endif

// expect: error.*filter, partition, unique: the elements of the source are rows or computations
#ifdef CASE_unique_rows
auto f(doubles x, ints at) { return ndp::unique(ndp::nest(x, at)); }
#endif

// expect: error.*unique: the elements of the source have no operator ==
#ifdef CASE_unique_without_comparison
struct sample {
  double x;
};
auto f(ndp::sequence<const sample> x) { return ndp::unique(x); }
#endif

// expect: error.*reduce_by_key, runs_by_key, run_lengths: keys have no operator ==
#ifdef CASE_keys_without_comparison
struct sample {
  double x;
};
auto f(doubles x, ndp::sequence<const sample> keys) {
  return ndp::reduce_by_key(ndp::plus{}, x, keys, 0.0);
}
#endif

// expect: error.*run_lengths: keys have no operator ==
#ifdef CASE_run_lengths_without_comparison
struct sample {
  double x;
};
auto f(ndp::sequence<const sample> keys) { return ndp::run_lengths(keys); }
#endif

// expect: error.*the operator cannot be called with the seed and an element
#ifdef CASE_greatest_of_what_has_no_order
struct sample {
  double x;
};
auto f(ndp::sequence<const sample> x) { return ndp::reduce(ndp::maximum{}, x, sample{}); }
#endif

// expect: error.*execute: each result is a value, and the destination's elements are sequences
#ifdef CASE_values_into_rows
void f(doubles x, ints at) {
  ndp::execute(ndp::map(row_sum{}, ndp::nest(x, at)), ndp::nest(x, at), ndp::platform::openmp{});
}
#endif

// expect: error.*map: the function cannot be called .*temporaries, to be taken by value or const&
#ifdef CASE_function_of_a_reference_to_a_row
auto f(doubles x, ints at) {
  return ndp::map([](auto& row) { return row[0]; }, ndp::nest(x, at));
}
#endif

// expect: error.*execute: filter, partition, unique, runs_by_key, reduce_by_index, sort and
#ifdef CASE_filter_of_rows
struct row_uniques {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::unique(row);
  }
};
void f(doubles x, ints at) {
  ndp::execute(ndp::map(row_uniques{}, ndp::nest(x, at)), x, ndp::platform::openmp{});
}
#endif

// expect: error.*execute: a counted destination is for filter, partition, unique, runs_by_key
#ifdef CASE_counted_map
void f(doubles x, ndp::sequence<int> n) {
  ndp::execute(ndp::map(ndp::negate{}, x), ndp::counted(x, n), ndp::platform::openmp{});
}
#endif

// expect: error.*counted: the second argument takes the number of results; it must be a sequence
#ifdef CASE_counted_by_a_number
void f(doubles x, int& n) {
  ndp::execute(ndp::unique(x), ndp::counted(x, n), ndp::platform::openmp{});
}
#endif

// expect: error.*execute: the results of runs_by_key, run_lengths and sort_by_key are pairs
#ifdef CASE_run_lengths_into_one_sequence
void f(doubles x) { ndp::execute(ndp::run_lengths(x), x, ndp::platform::openmp{}); }
#endif

// expect: error.*reduce_by_index, histogram: the indices must be a sequence of integers
#ifdef CASE_histogram_of_values
auto f(doubles x) { return ndp::histogram(x, 10); }
#endif

// expect: error.*reduce_by_index: the elements are rows; sort them by their index
#ifdef CASE_rows_by_index
struct add_rows {
  template <typename A, typename B>
  auto operator()(const A& a, const B& b) const {
    return ndp::map(ndp::plus{}, a, b);
  }
};
auto f(doubles x, ints at) {
  return ndp::reduce_by_index(add_rows{}, ndp::split(x, 3), at, 5, ndp::replicate(0.0, 3));
}
#endif

// expect: error.*sort, sort_by_key: the comparison must take two keys and return whether the first
#ifdef CASE_sort_without_order
struct colour {
  int red;
};
auto f(ndp::sequence<const colour> x) { return ndp::sort(x); }
#endif

// expect: error.*sort, sort_by_key: the keys are rows or computations; sort indices of them
#ifdef CASE_sort_rows
auto f(doubles x, ints at) { return ndp::sort(ndp::nest(x, at)); }
#endif

// expect: error.*sort_by_key: the last argument must be a sequence of values with a subscript
#ifdef CASE_sort_by_key_of_one_value
auto f(doubles x) { return ndp::sort_by_key(x, 1.0); }
#endif

// expect: error.*execute: the results of runs_by_key, run_lengths and sort_by_key are pairs
#ifdef CASE_sort_by_key_into_one_sequence
void f(doubles x) { ndp::execute(ndp::sort_by_key(x, x), x, ndp::platform::openmp{}); }
#endif

// expect: error.*prepare: this computation returns how many results it has, for which a call would
#ifdef CASE_prepare_a_filter
auto f(doubles x) { return ndp::prepare(ndp::unique(x), x, ndp::platform::openmp{}); }
#endif

// expect: error.*prepare: this computation needs a destination in memory, also a reduce
#ifdef CASE_prepare_without_destination
auto f(doubles x) { return ndp::prepare(ndp::reduce(ndp::plus{}, x), ndp::platform::openmp{}); }
#endif

// expect: error.*explain: the first argument must be an expression
#ifdef CASE_explain_a_sequence
auto f(doubles x) { return ndp::explain(x, ndp::platform::openmp{}); }
#endif

// expect: error.*reduce_by_key: takes four arguments, reduce_by_key\(operator, sequence, keys, seed
#ifdef CASE_reduce_by_key_without_seed
void f(doubles x, ints at) {
  ndp::execute(ndp::reduce_by_key(ndp::plus{}, x, at), x, ndp::platform::openmp{});
}
#endif

// expect: error.*reduce_by_key: the keys must be a sequence with a subscript
#ifdef CASE_one_key
auto f(doubles x) { return ndp::reduce_by_key(ndp::plus{}, x, 7, 0.0); }
#endif

// expect: error.*gather: the second argument must be a sequence of integers, the indices
#ifdef CASE_gather_by_floats
auto f(doubles x) { return ndp::gather(x, x); }
#endif

// expect: error.*gather: the first argument must be a sequence with a subscript; make one with
#ifdef CASE_gather_from_a_vector
auto f(const std::vector<double>& v, ints at) { return ndp::gather(v, at); }
#endif

// expect: error.*nest: the second argument must be a sequence of integers, the offsets
#ifdef CASE_nest_by_floats
auto f(doubles x) { return ndp::nest(x, x); }
#endif

// expect: error.*scatter: the third argument is updated: it must .* memory that is not const
#ifdef CASE_scatter_into_constants
auto f(doubles x, ints at) { return ndp::scatter(x, at, ndp::sequence<const double>{}); }
#endif

// expect: error.*scatter: the third argument is updated: it must be a sequence
#ifdef CASE_scatter_into_computed_elements
auto f(doubles x, ints at) { return ndp::scatter(x, at, ndp::map(ndp::negate{}, x)); }
#endif

// expect: error.*zip: every argument must be a sequence with a subscript
#ifdef CASE_zip_of_a_number
auto f(doubles x) { return ndp::zip(x, 3); }
#endif

// expect: error.*join: every argument must be a sequence with a subscript
#ifdef CASE_join_of_a_number
auto f(doubles x) { return ndp::join(x, 3); }
#endif

// expect: error.*split: the tile length must be an integer
#ifdef CASE_split_by_half
auto f(doubles x) { return ndp::split(x, 2.5); }
#endif

// expect: error.*cyclic: the tile length must be an integer
#ifdef CASE_cyclic_by_truth
auto f(doubles x) { return ndp::cyclic(x, true); }
#endif

// expect: error.*striding: the stride must be an integer
#ifdef CASE_striding_by_half
auto f(doubles x) { return ndp::striding(x, 1.5); }
#endif

// expect: error.*replicate: the length must be an integer
#ifdef CASE_replicate_by_half
auto f() { return ndp::replicate(1.0, 2.5); }
#endif

// expect: error.*make_grid: the height and the width must be integers
#ifdef CASE_grid_of_half_a_row
auto f(doubles x) { return ndp::make_grid(x, 2.5, 2); }
#endif

// expect: error.*histogram: the number of bins must be an integer
#ifdef CASE_half_a_bin
auto f(ints at) { return ndp::histogram(at, 2.9); }
#endif

// expect: error.*reduce_by_index: the number of bins must be an integer
#ifdef CASE_by_index_into_half_a_bin
auto f(doubles x, ints at) { return ndp::reduce_by_index(ndp::plus{}, x, at, 2.9, 0.0); }
#endif

// expect: error.*make_sequence: the length must be an integer
#ifdef CASE_memory_of_half_a_length
auto f(double* x) { return ndp::make_sequence(x, 2.5); }
#endif

// expect: error.*subsequence: the beginning and the length must be integers
#ifdef CASE_subsequence_from_half
auto f(doubles x) { return ndp::subsequence(x, 0.5, 2); }
#endif

// expect: error.*split: the first argument must be a sequence with a subscript
#ifdef CASE_split_of_a_vector
auto f(const std::vector<double>& v) { return ndp::split(v, 3); }
#endif

// expect: error.*cyclic: the first argument must be a sequence with a subscript
#ifdef CASE_cyclic_of_a_scan
auto f(doubles x) { return ndp::cyclic(ndp::scan(ndp::plus{}, x, 0.0), 3); }
#endif

// expect: error.*striding: the first argument must be a sequence with a subscript
#ifdef CASE_striding_of_a_vector
auto f(const std::vector<double>& v) { return ndp::striding(v, 3); }
#endif

// expect: error.*reverse: the argument must be a sequence with a subscript
#ifdef CASE_reverse_of_a_vector
auto f(const std::vector<double>& v) { return ndp::reverse(v); }
#endif

// expect: error.*transpose: the argument must be a sequence of sequences
#ifdef CASE_transpose_of_numbers
auto f(doubles x) { return ndp::transpose(x); }
#endif

// expect: error.*transpose: these rows do not say how long they are .*transpose\(rows, columns\)
#ifdef CASE_transpose_of_rows_of_unknown_length
auto f(doubles x, ints offsets) { return ndp::transpose(ndp::nest(x, offsets)); }
#endif

// expect: error.*range: the elements have to be numbers
#ifdef CASE_range_of_truths
auto f() { return ndp::range(false, true, true); }
#endif

// expect: error.*: the operator has no known identity for elements that are not numbers; use
#ifdef CASE_sum_of_structs
struct money {
  int cents;
  friend money operator+(money a, money b) { return {a.cents + b.cents}; }
};
auto f(ndp::sequence<const money> all) { return ndp::sum(all); }
#endif

// expect: error.*execute: the destination is read only; make it from memory that is not const
#ifdef CASE_destination_of_constants
void f(doubles x, ndp::sequence<const double> y) {
  ndp::execute(ndp::map(ndp::negate{}, x), y, ndp::platform::openmp{});
}
#endif

// expect: error.*execute: the destination must be a sequence: make_sequence\(v\) of a vector
#ifdef CASE_destination_that_is_a_vector
void f(doubles x, std::vector<double>& y) {
  ndp::execute(ndp::map(ndp::negate{}, x), y, ndp::platform::openmp{});
}
#endif

// expect: error.*execute: the destination must be a sequence: make_sequence\(v\) of a vector
#ifdef CASE_destination_that_is_a_pointer_by_hand
void f(doubles x, double* y) {
  ndp::execute(ndp::map(ndp::negate{}, x), y, ndp::platform::openmp{},
               ndp::schedule::independent<>{});
}
#endif

// expect: error.*execute: the reduced value does not convert to the variable; .* make_sequence
#ifdef CASE_reduce_into_a_vector
void f(doubles x, std::vector<double>& y) {
  ndp::execute(ndp::reduce(ndp::plus{}, x, 0.0), y, ndp::platform::openmp{});
}
#endif

// expect: error.*execute: these arguments are in no order that execute takes: .* needs a platform
#ifdef CASE_schedule_without_platform
void f(doubles x) { ndp::execute(ndp::map(ndp::negate{}, x), x, ndp::schedule::independent<>{}); }
#endif

// expect: error.*execute: these arguments are in no order that execute takes: .* needs a platform
#ifdef CASE_policy_without_schedule
void f(doubles x) {
  ndp::execute(ndp::map(ndp::negate{}, x), x, ndp::platform::openmp{}, ndp::openmp::policy{});
}
#endif

// expect: error.*map: every argument after the function must be a sequence .* make_sequence
#ifdef CASE_error_in_an_inner_operator
void f(doubles x, const std::vector<double>& v) {
  const auto squares = ndp::map(ndp::multiplies{}, v, v);
  const auto taken = ndp::gather(ndp::reverse(ndp::zip(x, squares)), squares);
  ndp::execute(ndp::map(ndp::plus{}, ndp::sum(ndp::split(taken, 3)) - 3.0, x), x,
               ndp::platform::openmp{});
}
#endif

// expect: error.*execute: this expression yields a sequence and needs a destination
#ifdef CASE_no_destination
void f(doubles x) { ndp::execute(ndp::map(ndp::negate{}, x), ndp::platform::openmp{}); }
#endif

// expect: error.*execute: a scatter, or a map whose function returns void, .* no destination
#ifdef CASE_destination_of_nothing
void f(doubles x) { ndp::execute(ndp::map(nothing{}, x), x, ndp::platform::openmp{}); }
#endif

// expect: error.*execute: the first argument must be an expression, built by map, reduce, scan
#ifdef CASE_data_is_no_expression
void f(doubles x) { ndp::execute(x, x, ndp::platform::openmp{}); }
#endif

// expect: error.*execute: a flat destination for nested results needs an argument with contiguous
#ifdef CASE_flat_destination_of_cycles
void f(doubles x) {
  ndp::execute(ndp::map(row_scan{}, ndp::cyclic(x, 3)), x, ndp::platform::openmp{});
}
#endif

// expect: error.*execute: the results do not convert to the destination's elements
#ifdef CASE_results_of_another_type
void f(doubles x, ndp::sequence<int*> y) {
  ndp::execute(ndp::map(ndp::negate{}, x), y, ndp::platform::openmp{});
}
#endif

// expect: error.*execute: the destination is a zip, so each result must be an ndp::tuple
#ifdef CASE_one_value_into_a_zip
void f(doubles x) {
  ndp::execute(ndp::map(ndp::negate{}, x), ndp::zip(x, x), ndp::platform::openmp{});
}
#endif

// expect: error.*execute: the destination is read only.*vector<char>
#ifdef CASE_flags_as_bits
void f(std::vector<bool>& flags, doubles x) {
  ndp::execute(ndp::map(ndp::negate{}, x), ndp::make_sequence(flags), ndp::platform::openmp{});
}
#endif

// expect: error.*(reduce cannot be independent|independent).*use cooperative or sequential
#ifdef CASE_independent_reduce
void f(doubles x, ints offsets) {
  namespace schedule = ndp::schedule;
  ndp::execute(ndp::map(row_sum{}, ndp::nest(x, offsets)), x, ndp::platform::openmp{},
               schedule::independent<schedule::independent<>>{});
}
#endif

// expect: error.*flattened needs .* contiguous rows \(nest or split\)
#ifdef CASE_flattened_without_rows
void f(doubles x) {
  ndp::execute(ndp::map(row_sum{}, ndp::cyclic(x, 3)), x, ndp::platform::openmp{},
               ndp::schedule::flattened<>{});
}
#endif

// expect within 12 lines: error.*platform::cuda needs nvcc: compile this file as CUDA
#ifdef CASE_cuda_without_nvcc
void f(doubles x) { ndp::execute(ndp::map(ndp::negate{}, x), x, ndp::platform::cuda{}); }
#endif

// expect: error.*This platform's traits are not known here: include the platform's header
#ifdef CASE_platform_without_traits
struct fpga {
  static constexpr std::string_view name = "fpga";
  static constexpr bool runs_on_host = false;
};
void f(doubles x) { ndp::execute(ndp::map(ndp::negate{}, x), x, fpga{}); }
#endif

// expect: error.*execute: platform_traits of this platform lack a member: .*platform_traits.hpp
#ifdef CASE_platform_that_does_not_run
struct idle {
  static constexpr std::string_view name = "idle";
  static constexpr bool runs_on_host = true;
};
template <>
struct fettle::ndp::platform_traits<idle> : openmp::detail::rules, host::detail::training<idle> {};
void f(doubles x) { ndp::execute(ndp::map(ndp::negate{}, x), x, idle{}); }
#endif

// expect: error.*execute: platform_traits of this platform lack a member: .*platform_traits.hpp
#ifdef CASE_platform_without_rules
struct lawless {
  static constexpr std::string_view name = "lawless";
  static constexpr bool runs_on_host = true;
};
template <>
struct fettle::ndp::platform_traits<lawless> {
  using policy = openmp::policy;
  using default_policy = policy;
  template <typename E, typename D>
  static void run_default(const lawless&, const computation&, const E&, const D&) {}
};
void f(doubles x) { ndp::execute(ndp::map(ndp::negate{}, x), x, lawless{}); }
#endif

// expect: error.*platform::tbb needs oneTBB: include <fettle/ndp/tbb.hpp> and link
#ifdef CASE_tbb_without_its_header
void f(doubles x) { ndp::execute(ndp::map(ndp::negate{}, x), x, ndp::platform::tbb{}); }
#endif

// expect: error.*windows: the first argument must be a sequence with a subscript; .* a reduce
#ifdef CASE_windows_of_a_scan
auto f(doubles x) { return ndp::windows(ndp::scan(ndp::plus{}, x, 0.0), 5); }
#endif

// expect: error.*windows: the length and the stride must be integers, or integers in a type such as
#ifdef CASE_windows_of_a_fraction
auto f(doubles x) { return ndp::windows(x, 2.5); }
#endif

// expect: error.*windows: the length and the stride have to be positive: a constant is not
#ifdef CASE_windows_of_no_element
auto f(doubles x) { return ndp::windows(x, ndp::constant<0>{}); }
#endif

// expect: error.*windows: the length and the stride have to be positive: a constant is not
#ifdef CASE_windows_with_no_stride
auto f(doubles x) { return ndp::windows(x, 5, ndp::constant<0>{}); }
#endif

// expect: error.*execute: a flat destination .* contiguous rows .*, not windows, .* give a nested
#ifdef CASE_windows_scanned_into_flat_memory
void f(doubles x) {
  ndp::execute(ndp::map(row_scan{}, ndp::windows(x, 5)), x, ndp::platform::openmp{});
}
#endif

// expect: error.*make_grid: the first argument must be a sequence with a subscript; make one with
#ifdef CASE_grid_of_a_vector
auto f(std::vector<double>& v) { return ndp::make_grid(v, 2, 3); }
#endif

// expect: error.*halo: the first argument must be a grid; make one of a sequence with make_grid
#ifdef CASE_halo_of_no_grid
auto f(doubles x) { return ndp::halo(x, 1, ndp::boundary::clamp{}); }
#endif

// expect: error.*halo: the radius must be an integer, or one in a type such as constant<1>
#ifdef CASE_halo_of_a_fraction
auto f(doubles x) { return ndp::halo(ndp::make_grid(x, 2, 3), 1.5, ndp::boundary::clamp{}); }
#endif

// expect: error.*halo: the radius has to be from 0 to 16383: a constant is not
#ifdef CASE_halo_of_a_negative_radius
auto f(doubles x) {
  return ndp::halo(ndp::make_grid(x, 2, 3), ndp::constant<-1>{}, ndp::boundary::clamp{});
}
#endif

// expect: error.*halo: what is beyond the borders must be boundary::clamp.*boundary::constant.value
#ifdef CASE_halo_beyond_which_is_a_number
auto f(doubles x) { return ndp::halo(ndp::make_grid(x, 2, 3), 1, 0.0); }
#endif

// expect: error.*halo: what is beyond the borders must be .* a value that converts to a cell
#ifdef CASE_halo_beyond_which_is_something_else
auto f(doubles x) {
  return ndp::halo(ndp::make_grid(x, 2, 3), 1, ndp::boundary::constant{nothing{}});
}
#endif
