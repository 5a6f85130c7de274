// The program of a group of computations on the processor: FETTLE_SUITE_LIST names its list.
#include FETTLE_SUITE_LIST

#include "driver.hpp"
#include "processor.hpp"

int main(int count, char** arguments) {
  return suite::run_program<suite::host>(count, arguments, suite::all{});
}
