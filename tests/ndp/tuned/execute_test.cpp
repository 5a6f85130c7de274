#include "ndp/tuned/execute_cases.hpp"

TEST_CASE(
    "few elements are not given to the team that the model chooses, but to the default rule") {
  write_model("sums", row_variants, row_features, 1000.0, 1, 2);
  // Flattened from 1001 rows on, of 1.5 elements each on average.
  for (const index_t rows : {1001, 5000}) {
    check_sums<"sums">(rows);
    const std::string line = last_choice();
    CHECK(has(line, R"("variant":"default","reason":"constraint failed")"));
  }
  check_sums<"sums">(6000);
  CHECK(chose(last_choice(), "flattened"));
}
