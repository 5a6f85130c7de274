// What Fettle's three text formats are read and written with: whole files, percent-encoded names,
// numbers in their shortest form, JSON. A table of contents.
#pragma once

#include <fettle/core/file.hpp>         // read_file(path)
#include <fettle/core/json_writer.hpp>  // json_writer(string).begin_object().field("a", 1)...
#include <fettle/core/number.hpp>       // append_number, number_text, parse_number, is_finite
#include <fettle/core/percent.hpp>      // percent_encode, percent_decode
