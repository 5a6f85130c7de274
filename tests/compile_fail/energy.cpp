// Misuse of energy sensors.
#include <limits>
#include <string>

#include <fettle/measure/energy.hpp>

struct sensor {
  fettle::sensor_sample read() { return {}; }
  std::string name() const { return "mine"; }
  double counter_range() const { return std::numeric_limits<double>::infinity(); }
};

#ifndef MISUSE
void twin(sensor& mine) {
  fettle::measure_energy(mine, [] {});
}
#endif

// expect: measure_energy takes a sensor with sensor_sample read\(\), name\(\) and counter_range\(\)
#ifdef CASE_no_sensor
void no_sensor(int number) {
  fettle::measure_energy(number, [] {});
}
#endif

// expect: measure_energy runs a callable without arguments
#ifdef CASE_work_with_arguments
void work_with_arguments(sensor& mine) {
  fettle::measure_energy(mine, [](int) {});
}
#endif
