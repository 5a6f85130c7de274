#include <fettle/core/percent.hpp>

#include "support/catch.hpp"

using fettle::percent_decode;
using fettle::percent_encode;

TEST_CASE("only what separates or controls is encoded") {
  CHECK(percent_encode("csr_vector") == "csr_vector");
  CHECK(percent_encode("two words, 100% = all\n") == "two%20words%2C%20100%25%20%3D%20all%0A");
  CHECK(percent_encode("größe") == "größe");
  CHECK(percent_encode("\x7f") == "%7F");
}

TEST_CASE("every byte survives the round trip") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(percent_decode(percent_encode(all)) == all);
}

TEST_CASE("a broken escape is no text") {
  for (const char* text : {"%", "a%2", "%zz", "%2", "%%20", "%-1"}) {
    INFO(text);
    CHECK(percent_decode(text) == std::nullopt);
  }
  CHECK(percent_decode("%2f%2F") == "//");
}
