// Programs compiled with FETTLE_CHECKED: every operator names itself and what is wrong.
#define FETTLE_CHECKED
#include <deque>
#include <string>
#include <vector>

#include <fettle/ndp.hpp>
#include <fettle/ndp/shape/destination.hpp>

#include "ndp/support/message_of.hpp"
#include "ndp/support/values.hpp"
#include "support/catch.hpp"

namespace ndp = fettle::ndp;
using ndp::index_t;
using ndp_test::message_of;

namespace {

// What reading s[i] complains of.
template <typename S>
std::string reading(const S& s, index_t i) {
  return message_of([&] {
    static_cast<void>(s[i]);
    return 0;
  });
}

std::vector<int> x = {10, 11, 12, 13, 14};
const auto s = ndp::make_sequence(x);
const auto r = ndp::range(0, 5);

}  // namespace

TEST_CASE("an index out of range names the operator, the index and the length") {
  CHECK(reading(s, 5) == "sequence: index out of range (5, limit 5)");
  CHECK(reading(s, -1) == "sequence: index out of range (-1, limit 5)");
  CHECK(reading(r, 5) == "range: index out of range (5, limit 5)");
  CHECK(reading(ndp::replicate(1, 2), 2) == "replicate: index out of range (2, limit 2)");
  CHECK(reading(ndp::map(ndp::negate{}, s), 7) == "map: index out of range (7, limit 5)");
  CHECK(reading(ndp::zip(s, r), 7) == "zip: index out of range (7, limit 5)");
  CHECK(reading(ndp::join(s, r), 25) == "join: index out of range (25, limit 25)");
  CHECK(reading(ndp::reverse(s), 5) == "reverse: index out of range (5, limit 5)");
  CHECK(reading(ndp::striding(s, 2), 3) == "striding: index out of range (3, limit 3)");
  CHECK(reading(ndp::split(s, 2), 3) == "split: index out of range (3, limit 3)");
  CHECK(reading(ndp::split(r, 2)[2], 1) == "window: index out of range (1, limit 1)");
  CHECK(reading(ndp::cyclic(s, 2), 2) == "cyclic: index out of range (2, limit 2)");
  CHECK(reading(ndp::cyclic(s, 2)[1], 2) == "striding: index out of range (2, limit 2)");
  const std::deque<int> d = {1, 2};
  CHECK(reading(ndp::make_sequence(d), 2) == "iterator_sequence: index out of range (2, limit 2)");
}

TEST_CASE("indices that are data are checked too") {
  const std::vector<int> at = {0, 5, -1};
  const auto g = ndp::gather(s, ndp::make_sequence(at));
  CHECK(reading(g, 0) == "(no error)");
  CHECK(reading(g, 1) == "gather: index out of range (5, limit 5)");
  CHECK(reading(g, 2) == "gather: index out of range (-1, limit 5)");
  const auto update = ndp::scatter(ndp::range(0, 3), ndp::make_sequence(at), s);
  CHECK(message_of([&] {
          update.update(1);
          return 0;
        }) == "scatter: index out of range (5, limit 5)");
}

TEST_CASE("offsets that do not fit their source name nest") {
  const std::vector<int> offsets = {0, 3, 2, 9, -1};
  const auto rows = ndp::nest(s, ndp::make_sequence(offsets));
  CHECK(reading(rows, 4) == "nest: index out of range (4, limit 4)");
  CHECK(reading(rows, 0) == "(no error)");
  CHECK(reading(rows, 1) == "nest: offsets must not decrease: row length (-1, limit 0)");
  CHECK(reading(rows, 2) ==
        "nest: offsets must not exceed the source's length: source length (5, limit 9)");
}

TEST_CASE("rows of different lengths cannot be transposed") {
  const std::vector<int> offsets = {0, 3, 5};
  const auto t = ndp::transpose(ndp::nest(s, ndp::make_sequence(offsets)), 3);
  CHECK(reading(t, 3) == "transpose: index out of range (3, limit 3)");
  CHECK(reading(t[0], 2) == "transpose: index out of range (2, limit 2)");
  CHECK(reading(t[2], 0) == "(no error)");
  CHECK(reading(t[2], 1) == "transpose: row too short: index out of range (2, limit 2)");
}

TEST_CASE("sequences that are walked together have to be equally long") {
  const auto four = ndp::range(0, 4);
  CHECK(message_of([&] { return ndp::map(ndp::plus{}, s, four); }) ==
        "map: sequences of different lengths (4, limit 5)");
  CHECK(message_of([&] { return ndp::map(ndp::plus{}, four, s); }) ==
        "map: sequences of different lengths (5, limit 4)");
  CHECK(message_of([&] { return ndp::zip(s, r, four); }) ==
        "zip: sequences of different lengths (4, limit 5)");
  CHECK(message_of([&] { return ndp::scatter(four, s, s); }) ==
        "scatter: sequences of different lengths (5, limit 4)");
  CHECK(message_of([&] { return ndp::reduce_by_key(ndp::plus{}, s, four, 0); }) ==
        "reduce_by_key: sequences of different lengths (4, limit 5)");
}

TEST_CASE("a part of a sequence lies in the sequence") {
  CHECK(message_of([&] { return ndp::subsequence(s, 4, 2); }) ==
        "subsequence: index out of range (5, limit 5)");
  CHECK(message_of([&] { return ndp::subsequence(s, -1, 2); }) ==
        "subsequence: index out of range (-1, limit 5)");
  CHECK(message_of([&] { return ndp::subsequence(r, 4, 2); }) ==
        "subsequence: index out of range (5, limit 5)");
  CHECK(message_of([&] { return ndp::subsequence(ndp::subsequence(r, 1, 3), 2, 2); }) ==
        "subsequence: index out of range (3, limit 3)");
  CHECK(message_of([&] { return ndp::subsequence(s, 1, -1); }) ==
        "subsequence: negative length (-1, limit 0)");
  CHECK(ndp::subsequence(s, 5, 0).size() == 0);
}

TEST_CASE("what is right is not complained of") {
  const std::vector<int> at = {4, 0};
  const auto e = ndp::map(ndp::plus{}, ndp::gather(ndp::reverse(s), ndp::make_sequence(at)),
                          ndp::replicate(1, 2));
  CHECK(ndp_test::elements(e) == std::vector<int>{11, 15});
}
