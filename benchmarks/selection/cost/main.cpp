// What a selection costs: every way of it, beside libsvm's svm_predict on the same model file.
//
//   selection_cost [turns=200]
//   selection_cost show CONTENDER     one call, for lines.py
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "suite.hpp"

int main(int count, char** arguments) {
  if (count == 3 && std::strcmp(arguments[1], "show") == 0) {
    selection_cost::suite some(1);
    selection_cost::add_calls(some);
    selection_cost::add_execute(some);
    return some.show(arguments[2]) ? 0 : 2;
  }
  const long turns = count > 1 ? std::atol(arguments[1]) : 200;
  if (turns < 1) {
    std::fprintf(stderr, "usage: %s [turns | show CONTENDER]\n", arguments[0]);
    return 2;
  }
  selection_cost::suite all(static_cast<std::size_t>(turns));
  selection_cost::add_machines(all);
  selection_cost::add_trees(all);
  selection_cost::add_calls(all);
  selection_cost::add_execute(all);
  all.run();
}
