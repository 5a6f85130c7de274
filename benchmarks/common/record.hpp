// record_row: a benchmark program's figures, for record.py to file under results/.
//
//   std::string row;
//   fettle::json_writer(row).begin_object().field("case", "svm").field("ns", 61.5).end_object();
//   fettle_benchmarks::record_row(row);
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace fettle_benchmarks {

/// Appends one JSON object as a line to the file that $FETTLE_BENCHMARK_ROWS names; without it, the
/// program runs on its own and nothing is recorded. Ends the program where the file can't be
/// written.
inline void record_row(const std::string& json_object) {
  const char* path = std::getenv("FETTLE_BENCHMARK_ROWS");
  if (path == nullptr) return;
  std::FILE* file = std::fopen(path, "a");
  if (file == nullptr || std::fprintf(file, "%s\n", json_object.c_str()) < 0 ||
      std::fclose(file) != 0) {
    std::fprintf(stderr, "cannot write the benchmark's figures to %s\n", path);
    std::exit(1);
  }
}

}  // namespace fettle_benchmarks
