// Wrong numbers of arguments, and arguments in another order: each message says what the function
// takes.
#include <fettle/ndp.hpp>
#include <fettle/ndp/explain.hpp>
#include <fettle/ndp/program.hpp>

namespace ndp = fettle::ndp;

using doubles = ndp::sequence<double>;
using ints = ndp::sequence<const int>;

#ifndef MISUSE
auto twin(doubles x, ints at) { return ndp::gather(x, at); }
#endif

// expect somewhere: error.*gather: takes two arguments, gather\(sequence, indices\)
#ifdef CASE_gather
auto gather_of(doubles x) { return ndp::gather(x); }
#endif

// expect somewhere: error.*scatter: takes three arguments, .*destination
#ifdef CASE_scatter
auto scatter_of(doubles x, ints at) { return ndp::scatter(x, at); }
#endif

// expect somewhere: error.*filter: takes two arguments
#ifdef CASE_filter
auto filter_of(doubles x) { return ndp::filter(x); }
#endif

// expect somewhere: error.*partition: takes two arguments
#ifdef CASE_partition
auto partition_of(doubles x) { return ndp::partition(x); }
#endif

// expect somewhere: error.*unique: takes one argument, .*by ==
#ifdef CASE_unique
auto unique_of(doubles x) { return ndp::unique(ndp::less{}, x); }
#endif

// expect somewhere: error.*cyclic: takes two arguments
#ifdef CASE_cyclic
auto cyclic_of(doubles x) { return ndp::cyclic(x); }
#endif

// expect somewhere: error.*halo: takes three arguments, .*boundary::clamp
#ifdef CASE_halo
auto halo_of(doubles x) { return ndp::halo(x, 1); }
#endif

// expect somewhere: error.*windows: takes two or three arguments
#ifdef CASE_windows
auto windows_of(doubles x) { return ndp::windows(x); }
#endif

// expect somewhere: error.*make_grid: takes three arguments
#ifdef CASE_make_grid
auto make_grid_of(doubles x) { return ndp::make_grid(x, 3); }
#endif

// expect somewhere: error.*reverse: takes one argument
#ifdef CASE_reverse
auto reverse_of(doubles x) { return ndp::reverse(x, x); }
#endif

// expect somewhere: error.*reduce_by_index: takes five arguments, .*number of bins
#ifdef CASE_reduce_by_index
auto reduce_by_index_of(doubles x, ints at) { return ndp::reduce_by_index(ndp::plus{}, x, at); }
#endif

// expect somewhere: error.*histogram: takes two arguments
#ifdef CASE_histogram
auto histogram_of(ints at) { return ndp::histogram(at); }
#endif

// expect somewhere: error.*transpose: takes one or two arguments
#ifdef CASE_transpose
auto transpose_of(doubles x) { return ndp::transpose(x, 2, 3); }
#endif

// expect somewhere: error.*striding: takes two arguments
#ifdef CASE_striding
auto striding_of(doubles x) { return ndp::striding(x); }
#endif

// expect somewhere: error.*replicate: takes two arguments
#ifdef CASE_replicate
auto replicate_of() { return ndp::replicate(0.0); }
#endif

// expect somewhere: error.*map: takes a function and one or more sequences
#ifdef CASE_map
auto map_of() { return ndp::map(); }
#endif

// expect somewhere: error.*nest: takes two or three arguments
#ifdef CASE_nest
auto nest_of(doubles x) { return ndp::nest(x); }
#endif

// expect somewhere: error.*runs_by_key: takes four arguments, .*seed
#ifdef CASE_runs_by_key
auto runs_by_key_of(doubles x, ints at) { return ndp::runs_by_key(ndp::plus{}, x, at); }
#endif

// expect somewhere: error.*run_lengths: takes one argument
#ifdef CASE_run_lengths
auto run_lengths_of(doubles x, ints at) { return ndp::run_lengths(x, at); }
#endif

// expect somewhere: error.*split: takes two arguments
#ifdef CASE_split
auto split_of(doubles x) { return ndp::split(x); }
#endif

// expect somewhere: error.*sort: takes one or two arguments
#ifdef CASE_sort
auto sort_of(doubles x, ints at) { return ndp::sort(ndp::less{}, at, x); }
#endif

// expect somewhere: error.*sort_by_key: takes two or three arguments
#ifdef CASE_sort_by_key
auto sort_by_key_of(ints at) { return ndp::sort_by_key(at); }
#endif

// expect somewhere: error.*zip: takes one or more sequences
#ifdef CASE_zip
auto zip_of() { return ndp::zip(); }
#endif

// expect somewhere: error.*join: takes one or more sequences
#ifdef CASE_join
auto join_of() { return ndp::join(); }
#endif

// expect somewhere: error.*range: takes two or three numbers, .*range\(0, n\)
#ifdef CASE_range
auto range_of() { return ndp::range(5); }
#endif

// expect somewhere: error.*inspect_rows: takes rows that offsets delimit
#ifdef CASE_inspect_rows
auto inspect_rows_of(doubles x) { return ndp::inspect_rows(x, ndp::platform::openmp{}); }
#endif

// expect somewhere: error.*execute: the name of a computation has a control character
#ifdef CASE_name_of_two_lines
void name_of_two_lines(doubles x) { ndp::execute<"two\nlines">(ndp::map(ndp::negate{}, x), x); }
#endif

// expect somewhere: error.*split: the tile length must be an integer
#ifdef CASE_split_the_other_way
auto split_the_other_way(doubles x) { return ndp::split(3, x); }
#endif

// expect somewhere: error.*make_grid: the height and the width must be integers
#ifdef CASE_grid_the_other_way
auto grid_the_other_way(doubles x) { return ndp::make_grid(2, 5, x); }
#endif

// expect somewhere: error.*replicate: the length must be an integer
#ifdef CASE_replicate_by_text
auto replicate_by_text() { return ndp::replicate(10, "3"); }
#endif

// expect somewhere: error.*explain: the second argument is neither a destination
#ifdef CASE_explain_on_a_number
auto explain_on_a_number(doubles x) { return ndp::explain(ndp::map(ndp::negate{}, x), 3); }
#endif

// expect somewhere: error.*program: a destination must be a sequence, also of one value
#ifdef CASE_program_into_a_variable
void program_into_a_variable(doubles x, double& y) {
  ndp::program p;
  p.add<"a">(ndp::reduce(ndp::plus{}, x), y);
}
#endif

// expect somewhere: error.*reduce, scan, reduce_by_key: the operator comes first
#ifdef CASE_reduce_the_other_way
auto reduce_the_other_way(doubles x) { return ndp::reduce(x, ndp::plus{}, 0.0); }
#endif

// expect somewhere: error.*map: give the sequences after the function
#ifdef CASE_map_the_other_way
auto map_the_other_way(doubles x) { return ndp::map(x, ndp::negate{}); }
#endif

// expect somewhere: error.*filter, partition: the function comes first
#ifdef CASE_filter_the_other_way
auto filter_the_other_way(doubles x) { return ndp::filter(x, ndp::negate{}); }
#endif

// expect somewhere: error.*sort, sort_by_key: the comparison comes first
#ifdef CASE_sort_the_other_way
auto sort_the_other_way(doubles x) { return ndp::sort(x, ndp::less{}); }
#endif
