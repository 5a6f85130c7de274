// The text form of both platforms' policies: written, read back, refused.
#include <set>
#include <string>
#include <string_view>

#include <fettle/core/error.hpp>
#include <fettle/ndp/cuda/policy/policy.hpp>
#include <fettle/ndp/openmp/policy/policy.hpp>
#include <fettle/ndp/schedule/policy_text.hpp>

#include "support/catch.hpp"

namespace cuda = fettle::ndp::cuda;
namespace openmp = fettle::ndp::openmp;

namespace {

template <typename Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const fettle::error& e) {
    return e.what();
  }
  return "no error";
}

std::string refusal(std::string_view text) {
  return message_of([&] { static_cast<void>(cuda::parse_policy(text)); });
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Another value than the field has.
void change(bool& field) { field = !field; }
void change(int& field) { field += 7; }
template <fettle::ndp::named_enumeration Field>
void change(Field& field) {
  const std::size_t values = names_of(field).size();
  field = static_cast<Field>((static_cast<std::size_t>(field) + 1) % values);
}

// Changes one field after the other: each has to show in the text, alone, and come back.
template <typename Policy, typename Parse>
void check_every_field(Parse&& parse) {
  std::size_t fields = 0;
  visit_fields(Policy{}, [&](int, std::string_view, std::string_view, const auto&) { ++fields; });
  std::set<std::string> texts;
  Policy all;
  for (std::size_t wanted = 0; wanted < fields; ++wanted) {
    Policy changed;
    std::string begin;
    std::string by_paper_name;
    std::size_t place = 0;
    visit_fields(changed,
                 [&](int level, std::string_view name, std::string_view paper_name, auto& field) {
                   if (place++ != wanted) return;
                   change(field);
                   const std::string at = level == 0 ? "" : std::to_string(level) + ".";
                   begin = at + std::string(name) + "=";
                   by_paper_name = at + std::string(paper_name) + "=";
                 });
    place = 0;
    visit_fields(all, [&](int, std::string_view, std::string_view, auto& field) {
      if (place++ == wanted) change(field);
    });
    const std::string text = to_string(changed);
    CAPTURE(text);
    CHECK(text.rfind(begin, 0) == 0);
    CHECK(text.find(' ') == std::string::npos);
    CHECK(parse(text) == changed);
    CHECK(parse(by_paper_name + text.substr(begin.size())) == changed);
    CHECK(changed != Policy{});
    texts.insert(text);
  }
  CHECK(texts.size() == fields);
  CHECK(parse(to_string(all)) == all);
}

}  // namespace

TEST_CASE("a policy's text holds what differs from the defaults") {
  CHECK(to_string(cuda::policy{}).empty());
  CHECK(to_string(openmp::policy{}).empty());
  const cuda::policy on_gpu{
      .block_size_x = 128,
      .logical_warp_size = 8,
      .level = {{.grain_size = 2}, {.resource = cuda::execution_resource::warp}}};
  CHECK(to_string(on_gpu) == "block_size_x=128 logical_warp_size=8 1.grain_size=2 2.resource=warp");
  const openmp::policy on_cpu{
      .num_threads = 4,
      .enable_nesting = true,
      .level = {{.schedule = openmp::omp_schedule::static_, .chunk_size = 16}, {.unroll = 4}}};
  CHECK(to_string(on_cpu) ==
        "num_threads=4 enable_nesting=true 1.schedule=static 1.chunk_size=16 "
        "2.unroll=4");
}

TEST_CASE("every field of cuda::policy survives its text") {
  check_every_field<cuda::policy>(cuda::parse_policy);
}

TEST_CASE("every field of openmp::policy survives its text") {
  check_every_field<openmp::policy>(openmp::parse_policy);
}

TEST_CASE("every value of an enumeration survives its text") {
  for (const std::string_view name : names_of(cuda::block_reduce_algorithm{})) {
    const std::string text = "2.block_reduce_algo=" + std::string(name);
    const std::string back = to_string(cuda::parse_policy(text));
    CHECK(back == (name == "warp_reductions" ? "" : text));
  }
  for (const std::string_view name : names_of(openmp::omp_schedule{})) {
    const std::string text = "3.schedule=" + std::string(name);
    CHECK(to_string(openmp::parse_policy(text)) == (name == "automatic" ? "" : text));
  }
}

TEST_CASE("blanks around fields do not matter, nor does their order") {
  CHECK(cuda::parse_policy("") == cuda::policy{});
  CHECK(cuda::parse_policy(" \n\t") == cuda::policy{});
  CHECK(cuda::parse_policy("  1.grain_size=2\n block_size_x=64 ") ==
        cuda::parse_policy("block_size_x=64 1.grain_size=2"));
  CHECK(openmp::parse_policy("enable_nesting=1").enable_nesting);
  CHECK_FALSE(openmp::parse_policy("enable_nesting=0").enable_nesting);
}

TEST_CASE("a text that is no policy is refused with the field and the reason") {
  CHECK(has(refusal("blok_size=1"), "\"blok_size=1\": there is no such field; there are"));
  CHECK(has(refusal("blok_size=1"), "block_size_x, block_size_y"));
  CHECK(has(refusal("1.num_threads=2"), "there is no such field"));
  CHECK(has(refusal("1.grain_size=two"), "1.grain_size is a whole number"));
  CHECK(has(refusal("1.grain_size=2x"), "1.grain_size is a whole number"));
  CHECK(has(refusal("1.grain_size="), "1.grain_size is a whole number"));
  CHECK(has(refusal("1.grain_size=99999999999"), "1.grain_size is a whole number"));
  CHECK(has(message_of([] { static_cast<void>(openmp::parse_policy("enable_nesting=yes")); }),
            "enable_nesting is true or false"));
  CHECK(openmp::parse_policy("2.enable_unroll=8").level.second.unroll == 8);  // the paper's name
  // As texts before had it.
  CHECK(has(refusal("1.enable_unroll=true"), "unroll is a whole number"));
  CHECK(has(refusal("2.resource=team"), "2.resource is one of automatic, thread, warp, block"));
  CHECK(has(refusal("grain_size=2"), "grain_size belongs to a level, 1 to 3, as in 1.grain_size"));
  CHECK(has(refusal("4.grain_size=2"), "grain_size belongs to a level, 1 to 3"));
  CHECK(has(refusal("2.block_size_x=32"), "block_size_x belongs to the whole computation"));
  CHECK(has(refusal("block_size_x"), "a field needs a value, as in block_size_x=128"));
  CHECK(has(refusal("block_size_x=1 block_size_x=2"), "block_size_x is given twice"));
  CHECK(has(refusal("2.resource=warp 2.execution_resource=warp"), "2.resource is given twice"));
  CHECK(has(refusal("0.grain_size=1"), "a level is a number from 1"));
  CHECK(has(refusal("x.grain_size=1"), "a level is a number from 1"));
  CHECK(has(refusal(".=1"), "a level is a number from 1"));
  CHECK(has(refusal("=1"), "there is no such field"));
  CHECK(has(refusal("a=1"), "cuda policy: "));
  CHECK(has(message_of([] { static_cast<void>(openmp::parse_policy("a=1")); }),
            "openmp policy: \"a=1\""));
}
