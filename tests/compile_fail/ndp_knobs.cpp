// Misuse of the knobs of a policy, which change what is computed.
#include <vector>

#include <fettle/ndp.hpp>

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;
using ndp::platform::openmp;
using policy = ndp::openmp::policy;

inline std::vector<double> x(100), y(100);
inline std::vector<int> n(100);
inline const auto s = ndp::make_sequence(x);
inline const auto whole = ndp::make_sequence(n);

template <policy P, typename Schedule, typename E>
double value(const E& e, Schedule as) {
  return static_cast<double>(ndp::execute(e, openmp{}, as, ndp::constant<P>{}));
}
template <policy P, typename E>
void elements(const E& e) {
  ndp::execute(e, ndp::make_sequence(y), openmp{}, schedule::independent<>{}, ndp::constant<P>{});
}
struct row_sum {
  template <typename Row>
  auto operator()(const Row& row) const {
    return ndp::reduce(ndp::plus{}, row, 0.0);
  }
};

#ifndef MISUSE
void twin() {
  const schedule::cooperative<> together;
  value<policy{.sample = 4}>(ndp::reduce(ndp::plus{}, s, 0.0), together);
  value<policy{.accumulation = ndp::precision::single}>(ndp::reduce(ndp::minimum{}, s, 0.0),
                                                        together);
  elements<policy{.perforate = 2}>(ndp::map(ndp::negate{}, s));
  ndp::execute(ndp::map(row_sum{}, ndp::split(s, 10)), ndp::make_sequence(y), openmp{},
               schedule::flattened<>{}, ndp::constant<policy{.sample = 2}>{});
}
#endif

// expect: sample: the reduction has to be of floating-point numbers
#ifdef CASE_sample_of_integers
void f() {
  value<policy{.sample = 4}>(ndp::reduce(ndp::plus{}, whole, 0), schedule::cooperative<>{});
}
#endif

// expect: sample: this operator's result on all elements cannot be estimated from a sample
#ifdef CASE_sample_of_minimum
void f() {
  value<policy{.sample = 4}>(ndp::reduce(ndp::minimum{}, s, 0.0), schedule::cooperative<>{});
}
#endif

// expect: sample: only a reduce, or a map of reduces, reads a sample
#ifdef CASE_sample_of_map
void f() { elements<policy{.sample = 4}>(ndp::map(ndp::negate{}, s)); }
#endif

// expect: perforate: only a map of floating-point numbers, or of reductions to such
#ifdef CASE_perforated_integers
void f() { elements<policy{.perforate = 2}>(ndp::map(ndp::negate{}, whole)); }
#endif

// expect: perforate: only a map of floating-point numbers, or of reductions to such
#ifdef CASE_perforated_reduce
void f() {
  value<policy{.perforate = 2}>(ndp::reduce(ndp::plus{}, s, 0.0), schedule::cooperative<>{});
}
#endif

// expect: accumulation=single: there is no reduction of doubles here that could add up in float
#ifdef CASE_integers_in_float
void f() {
  value<policy{.accumulation = ndp::precision::single}>(ndp::reduce(ndp::plus{}, whole, 0),
                                                        schedule::cooperative<>{});
}
#endif

// expect: this policy breaks one of the platform's limits with this schedule
#ifdef CASE_perforated_flattened
void f() {
  ndp::execute(ndp::map(row_sum{}, ndp::split(s, 10)), ndp::make_sequence(y), openmp{},
               schedule::flattened<>{}, ndp::constant<policy{.perforate = 2}>{});
}
#endif
