#include <fettle/core/text.hpp>

#include "support/catch.hpp"

TEST_CASE("the one header brings files, percent encoding, numbers and JSON") {
  CHECK(fettle::percent_decode("a%20b") == "a b");
  CHECK(fettle::parse_number<int>("42") == 42);
  std::string out;
  fettle::json_writer(out).begin_array().value(fettle::percent_encode("a b")).end_array();
  CHECK(out == R"(["a%20b"])");
  CHECK_THROWS_AS(fettle::read_file(""), fettle::error);
}
