#include <fettle/model/svm_votes.hpp>

#include "support/catch.hpp"

using fettle::model::detail::vote_count;

TEST_CASE("most votes win, and the first class of several") {
  vote_count votes(3);
  votes.add(0, 1, -1.0);
  votes.add(0, 2, 1.0);
  votes.add(1, 2, 0.0);  // zero is a vote for the second
  CHECK(votes.winner() == 0);
  votes.add(1, 2, 0.5);
  CHECK(votes.winner() == 1);
}

TEST_CASE("scores rank by votes first, then by decision values, and name one winner") {
  vote_count votes(4);
  // One vote each for classes 0, 1 and 2; class 2 by far the clearest; none for class 3.
  votes.add(0, 1, 0.1);
  votes.add(1, 2, 0.1);
  votes.add(0, 2, -100.0);
  const std::uint16_t labels[] = {3, 0, 4, 1};
  double scores[6];
  votes.write_scores(labels, scores);
  CHECK(votes.winner() == 0);
  CHECK(scores[3] == 1.5);  // class 0 stands for variant 3
  CHECK(scores[4] > 1.48);
  CHECK(scores[4] < 1.5);
  CHECK(scores[0] == approx(1.0));
  CHECK(scores[1] == 0);
  CHECK(scores[2] == -fettle::model::never_chosen);
  CHECK(scores[5] == -fettle::model::never_chosen);
}
