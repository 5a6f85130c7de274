// Who follows whom where contenders take turns.
#include "../../../benchmarks/common/ndp/turns.hpp"

#include <cstddef>
#include <set>
#include <vector>

#include "support/catch.hpp"

using fettle_benchmarks::balanced_rounds;
using fettle_benchmarks::turn_of;

TEST_CASE("every contender has one turn a round, and every place equally often") {
  for (std::size_t count = 1; count <= 9; ++count) {
    std::vector<std::size_t> in_place(count * count);
    for (std::size_t round = 0; round < balanced_rounds(count); ++round) {
      std::set<std::size_t> met;
      for (std::size_t turn = 0; turn < count; ++turn) {
        const std::size_t who = turn_of(count, round, turn);
        REQUIRE(who < count);
        met.insert(who);
        ++in_place[who * count + turn];
      }
      REQUIRE(met.size() == count);
    }
    for (const std::size_t often : in_place) REQUIRE(often == balanced_rounds(count) / count);
  }
}

TEST_CASE("every contender follows every other one equally often in a round") {
  for (std::size_t count = 2; count <= 9; ++count) {
    std::vector<std::size_t> follows(count * count);
    for (std::size_t round = 0; round < balanced_rounds(count); ++round) {
      for (std::size_t turn = 1; turn < count; ++turn) {
        ++follows[turn_of(count, round, turn - 1) * count + turn_of(count, round, turn)];
      }
    }
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        REQUIRE(follows[a * count + b] == (a == b ? 0 : balanced_rounds(count) / count));
      }
    }
  }
}

TEST_CASE("rounds beyond a balanced set of them begin it again") {
  for (std::size_t count = 1; count <= 6; ++count) {
    for (std::size_t turn = 0; turn < count; ++turn) {
      CHECK(turn_of(count, balanced_rounds(count) + 1, turn) == turn_of(count, 1, turn));
    }
  }
}
