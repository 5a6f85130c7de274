// record_outcome: what a contender did on an input, as a row of a benchmark's record.
#pragma once

#include <string>

#include <fettle/core/json_writer.hpp>

#include "../record.hpp"
#include "comparison.hpp"

namespace fettle_benchmarks {

/// Records the input, the contender, and its times or what is wrong. add_fields(row) adds what
/// a benchmark says beside them.
template <typename AddFields>
void record_outcome(const input& on, const outcome& one, const AddFields& add_fields) {
  std::string json;
  fettle::json_writer row(json);
  row.begin_object()
      .field("work", on.work)
      .field("input", on.name)
      .field("type", on.type)
      .field("rows", on.rows)
      .field("elements", on.elements)
      .field("bytes", on.bytes)
      .field("contender", one.name);
  add_fields(row);
  if (one.good()) {
    row.field("call_us", one.call_us).field("batch_us", one.batch_us);
  } else {
    row.field("problem", one.problem);
  }
  row.end_object();
  record_row(json);
}

}  // namespace fettle_benchmarks
