#include <string>

#include <fettle/machine/description.hpp>

#include "support/catch.hpp"

TEST_CASE("the machine has processors, memory and a compiler") {
  const fettle::machine_description machine = fettle::describe_machine();
  CHECK(machine.cores >= 1);
  CHECK(machine.memory > (1L << 20));
  CHECK_FALSE(machine.compiler.empty());
  CHECK(machine.processor.find('\n') == std::string::npos);
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
