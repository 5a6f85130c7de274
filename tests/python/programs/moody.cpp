// A program whose variants crash, hang, throw, err or wait for a file "gate" when the input says
// so. Arguments: N MOOD.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>

#include <fettle/variant.hpp>

#include "fettle_config.hpp"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int n = std::atoi(argv[1]);
  const std::string mood = argv[2];
  int out = 0;

  fettle::context shared;
  fettle::code_variant<fettle::tuning_policies::work, std::tuple<int, int&>> work(shared);
  work.add_variant("grows", [&](int size, int& result) {
    while (mood == "wait" && !std::filesystem::exists("gate")) std::this_thread::yield();
    result = size;
    return size * 1e-3;
  });
  work.add_variant("fixed", [](int size, int& result) {
    result = size;
    return 10.5e-3;
  });
  work.add_variant("moody", [&](int size, int& result) {
    if (mood == "crash") std::raise(SIGSEGV);
    if (mood == "hang") std::this_thread::sleep_for(std::chrono::hours(1));
    if (mood == "exit") std::_Exit(3);
    if (mood == "throw") throw std::runtime_error("in a \xff mood");
    result = mood == "wrong" ? size + 1 : size;
    return 1.0;
  });
  work.add_variant("picky", [](int size, int& result) {
    result = size;
    return 2.0;
  });
  work.add_constraint("picky", [](int size, const int&) { return size % 2 == 0; });
  work.add_input_feature("n", [&](int size, const int&) {
    if (mood == "blind") throw std::runtime_error("no \xff sight");
    return size;
  });
  work.set_verify([](int, const int& result) { return result; });
  work(n, out);
  const auto chosen = work.last_selection();
  std::printf("%s %d\n", chosen ? std::string(chosen->variant).c_str() : "training", out);
  return 0;
}
