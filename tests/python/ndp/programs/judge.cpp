// Judges policies: for each line of the input, "platform\tschedule\tbytes of a
// value\tpolicy\twhat", where "what" holds "scan" and "ordered" where the values are so combined, a
// line of output: the policy's text form, a tab, and why it cannot be used with the schedule.
// "steps\tthreads\tgrain\tbytes" asks for the steps that a thread takes of a flattened share.
#include <array>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/cuda/flattened/flattened_share.hpp>
#include <fettle/ndp/openmp.hpp>

namespace ndp = fettle::ndp;
namespace schedule = fettle::ndp::schedule;

namespace {

schedule::nodes parse_schedule(const std::string& text) {
  schedule::nodes nodes;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, '>');) {
    bool known = false;
    for (const auto kind : {schedule::kind::independent, schedule::kind::cooperative,
                            schedule::kind::sequential, schedule::kind::flattened}) {
      if (schedule::to_string(kind) != word) continue;
      nodes.push_back(kind);
      known = true;
    }
    if (!known) throw std::runtime_error("no schedule: " + text);
  }
  return nodes;
}

std::string judged(const std::array<std::string, 5>& field) {
  if (field[0] == "steps") {
    return std::to_string(ndp::cuda::steps_per_thread(std::stoi(field[1]), std::stoi(field[2]),
                                                      std::stoul(field[3])));
  }
  const schedule::nodes nodes = parse_schedule(field[1]);
  if (field[0] == "cuda") {
    const auto policy = ndp::cuda::parse_policy(field[3]);
    const ndp::cuda::workload work{.value_bytes = std::stoul(field[2]),
                                   .is_scan = field[4].find("scan") != std::string::npos,
                                   .is_commutative = field[4].find("ordered") == std::string::npos};
    return to_string(policy) + '\t' + std::string(violation(policy, nodes, work));
  }
  const auto policy = ndp::openmp::parse_policy(field[3]);
  return to_string(policy) + '\t' + std::string(violation(policy, nodes));
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream fields(line);
    std::array<std::string, 5> field;
    for (std::string& one : field) std::getline(fields, one, '\t');
    std::cout << judged(field) << '\n';
  }
}
