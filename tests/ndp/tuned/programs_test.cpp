// Whole programs: what one says of its computations, what it does in training with shards, and how
// it runs with the header that it was tuned for.
#include <algorithm>
#include <string>
#include <vector>

#include "ndp/tuned/run_program.hpp"
#include "support/catch.hpp"

using test::outcome;
using test::run;
using test::trained;

namespace {

const std::string program = TRAINING " 2000 8 skewed";
const std::string both_shards = SHARD_1 ":" SHARD_2;

}  // namespace

TEST_CASE("a program says what it computes, before it looks for its input") {
  const test::scratch folder;
  const std::string file = folder / "lines";
  const outcome seen = run("OMP_NUM_THREADS=3 FETTLE_INTROSPECT=" + file, INTROSPECTED);
  CHECK(seen.status == 2);
  CHECK(seen.says("usage:"));
  std::vector<std::string> lines = test::lines_of(file);
  std::sort(lines.begin(), lines.end());
  REQUIRE(lines.size() == 3);
  const std::string schedules =
      R"("schedules":[{"schedule":"cooperative","parameters":["num_threads","enable_nesting",)"
      R"("omp_schedule_1","chunk_size_1"]},{"schedule":"sequential","parameters":["num_threads",)"
      R"("enable_nesting","enable_unroll_1"]}],"pruned":[],)";
  const std::string before =
      R"("expression":"reduce","input":"flat","elements":["double"],"result":"double",)"
      R"("platform":"openmp",)" +
      schedules;
  const std::string behind = R"("signature":"reduce flat double double",)"
                             R"("form":"value","features":["length"],)"
                             R"("value_bytes":8,"commutative":true,"limits":{"threads":3}})";
  CHECK(lines[0].starts_with(R"({"name":"spmv","function":"spmv.openmp","expression":"map>reduce",)"
                             R"("input":"irregular","elements":["double","int32"],)"
                             R"("result":"double","platform":"openmp","schedules":[)"));
  CHECK(lines[0].ends_with(
      R"(],"pruned":[],"knobs":["sample","perforate","accumulation"],)"
      R"("signature":"map>reduce irregular double,int32 double",)"
      R"("form":"destination","features":["rows","average_row_length","elements","longest_row",)"
      R"("row_variation","empty_rows","work_in_longest_rows","busiest_share"],"value_bytes":8,)"
      R"("commutative":true,"limits":{"threads":3}})"));
  CHECK(lines[1] == R"({"name":"total","function":"total.openmp",)" + before +
                        R"("knobs":["sample","accumulation"],)" + behind);
  CHECK(lines[2] ==
        R"({"name":null,"function":null,)" + before + R"("knobs":["accumulation"],)" + behind);
}

TEST_CASE("the first execute ends a program that only says what it computes") {
  const outcome seen = run("", INTROSPECTED " 1000 5");
  CHECK(seen.status == 0);
  CHECK(seen.says(R"({"name":"spmv",)"));
  CHECK_FALSE(seen.says("total 0"));
  CHECK(std::count(seen.text.begin(), seen.text.end(), '\n') == 3);
  const outcome nowhere = run("FETTLE_INTROSPECT=/no/such/folder", INTROSPECTED);
  CHECK(nowhere.status == 1);
  CHECK(nowhere.text ==
        "fettle: cannot write to /no/such/folder, which FETTLE_INTROSPECT names: No such file or "
        "directory; name a file that can be written, or unset it for standard output\n");
}

TEST_CASE("training runs the default and the candidates of all shards, in their order") {
  const trained seen = test::train("spmv.tested", both_shards, program);
  CHECK(seen.status == 0);
  CHECK(seen.says("total "));
  CHECK(seen.count(
            R"("variants":["default","independent>sequential num_threads=2","flattened"])") == 1);
  CHECK(seen.count(R"("variant":"default","event":"sample")") > 0);
  CHECK(seen.count(R"("variant":"independent>sequential num_threads=2","event":"sample")") > 0);
  CHECK(seen.count(R"("variant":"flattened","event":"sample")") > 0);
  CHECK(seen.count(R"("event":"end")") == 1);
  CHECK(seen.count("failed") == 0);
}

TEST_CASE("a shard may have candidates of one computation alone") {
  const trained seen = test::train("total.tested", SHARD_2 ":" SHARD_1, program);
  CHECK(seen.status == 0);
  CHECK(seen.count(R"("variants":["default","sequential"])") == 1);
  CHECK(seen.count(R"("variant":"sequential","event":"sample")") > 0);
  const trained none = test::train("total.tested", SHARD_2, program);
  CHECK(none.status == 0);
  CHECK(none.count(R"("variants":["default"])") == 1);
}

TEST_CASE("shards that cannot be used are named") {
  const auto refuses = [](const std::string& shards, const std::string& message) {
    const trained seen = test::train("spmv.tested", shards, program);
    CHECK(seen.status != 0);
    INFO(seen.output);
    CHECK(seen.says(message));
  };
  refuses(both_shards + ":/no/such/shard.so",
          "cannot open the shard /no/such/shard.so, which FETTLE_NDP_SHARDS names");
  refuses("no_such_shard.so",
          "cannot open the shard ./no_such_shard.so, which FETTLE_NDP_SHARDS names");
  refuses(NO_SHARD, "the shard " NO_SHARD " lists no candidates");
  refuses(OTHER_SHARD,
          "the shard " OTHER_SHARD " has candidates of spmv for other types than the program's");
}

TEST_CASE("a program with its header runs what its model says, but is not for training") {
  CHECK(run("", DEPLOYED " 1000 8").says("spmv.tested: no model"));
  for (const std::string variant :
       {"default", "'independent>sequential num_threads=2'", "flattened"}) {
    const test::scratch folder;
    const std::string trace = folder / "trace";
    const outcome seen = run("FETTLE_FORCE=spmv.tested=" + variant + " FETTLE_TRACE=" + trace,
                             DEPLOYED " 4000 8 skewed");
    CHECK(seen.status == 0);
    const std::vector<std::string> lines = test::lines_of(trace);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].find(R"("function":"spmv.tested","variant":")") != std::string::npos);
    CHECK(lines[0].find(R"("reason":"forced")") != std::string::npos);
    // The third computation has no name.
    CHECK(lines[2].find(R"("function":"execute.openmp","expression":"reduce")") !=
          std::string::npos);
  }
  const trained refused = test::train("spmv.tested", both_shards, DEPLOYED " 1000 8");
  CHECK(refused.status != 0);
  CHECK(refused.says("spmv.tested: this program was not compiled for training"));
}
