#include <array>
#include <limits>

#include <fettle/core/json_writer.hpp>

#include "support/catch.hpp"

using fettle::json_writer;

namespace {

std::string text_of(std::string_view value) {
  std::string out;
  json_writer(out).value(value);
  return out;
}

}  // namespace

TEST_CASE("a record of the training log") {
  std::string out;
  const std::array<double, 3> metric{1.02e-4, std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::quiet_NaN()};
  json_writer(out)
      .begin_object()
      .field("call", 0)
      .field("variant", "dia")
      .field("larger_is_better", false)
      .field("metric", std::span<const double>(metric))
      .key("machine")
      .raw(R"({"cores":2})")
      .end_object();
  CHECK(out ==
        R"({"call":0,"variant":"dia","larger_is_better":false,"metric":[0.000102,"inf","nan"],)"
        R"("machine":{"cores":2}})");
}

TEST_CASE("containers nest, empty ones included") {
  std::string out = "prefix,";
  json_writer(out)
      .begin_array()
      .begin_array()
      .end_array()
      .begin_object()
      .end_object()
      .value("[")
      .value(std::string("{"))
      .value(":")
      .value(1)
      .end_array();
  CHECK(out == R"(prefix,[[],{},"[","{",":",1])");
}

TEST_CASE("strings are escaped where JSON asks for it") {
  CHECK(text_of("plain") == R"("plain")");
  CHECK(text_of("a\"b\\c") == R"("a\"b\\c")");
  CHECK(text_of("a\nb\tc\x01") == R"("a\nb\tc\u0001")");
  CHECK(text_of("größe €  \xf0\x9f\x8e\xbb") == "\"größe €  \xf0\x9f\x8e\xbb\"");
}

TEST_CASE("bytes that are not UTF-8 become escapes that Python turns back") {
  CHECK(text_of("\xff") == R"("\udcff")");
  CHECK(text_of("\xc3") == R"("\udcc3")");
  CHECK(text_of("\xc0\x80") == R"("\udcc0\udc80")");            // an overlong zero
  CHECK(text_of("\xed\xa0\x80") == R"("\udced\udca0\udc80")");  // a surrogate
  CHECK(text_of("\xf4\x90\x80\x80") == R"("\udcf4\udc90\udc80\udc80")");
  CHECK(text_of("a\xe2\x82z") == R"("a\udce2\udc82z")");
}
