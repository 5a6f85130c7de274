#include <cstdlib>
#include <sched.h>
#include <string>
#include <unistd.h>

#include <fettle/machine/description.hpp>

#include "support/catch.hpp"

TEST_CASE("the machine has processors, memory and a compiler") {
  const fettle::machine_description machine = fettle::describe_machine();
  CHECK(machine.cores >= 1);
  CHECK(machine.memory > (1L << 20));
  CHECK_FALSE(machine.compiler.empty());
  CHECK(machine.processor.find('\n') == std::string::npos);
}

TEST_CASE("the cores are those that the program may use") {
  cpu_set_t all;
  REQUIRE(sched_getaffinity(getpid(), sizeof all, &all) == 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t core = 0; CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
  REQUIRE(sched_setaffinity(getpid(), sizeof one, &one) == 0);
  CHECK(fettle::describe_machine().cores == 1);
  // An OpenMP library that binds threads has bound the first one, too.
  setenv("OMP_PROC_BIND", "true", 1);
  CHECK(fettle::describe_machine().cores == sysconf(_SC_NPROCESSORS_ONLN));
  unsetenv("OMP_PROC_BIND");
  REQUIRE(sched_setaffinity(getpid(), sizeof all, &all) == 0);
  CHECK(fettle::describe_machine().cores == CPU_COUNT(&all));
}

TEST_CASE("its JSON is one object with every field") {
  fettle::machine_description machine;
  machine.processor = "A \"quoted\" name";
  machine.cores = 3;
  machine.compiler = "gcc 1";
  std::string text;
  fettle::json_writer json(text);
  write_json(json, machine);
  CHECK(text == R"({"processor":"A \"quoted\" name","cores":3,"cache_line":0,"level1_cache":0,)"
                R"("level2_cache":0,"level3_cache":0,"memory":0,"compiler":"gcc 1"})");
}
