// Reads a support vector machine from a libsvm model file, strictly: unlike svm_load_model it
// trusts no count, changes no locale, and explains what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/model/limits.hpp>
#include <fettle/model/line_reader.hpp>
#include <fettle/model/svm_view.hpp>

namespace fettle::inline FETTLE_ABI::model::detail {

/// A machine and the tables that it consists of.
struct svm_content {
  std::uint32_t inputs = 0;
  double gamma = 0;
  std::vector<std::uint16_t> labels;
  std::vector<std::uint32_t> class_begin;
  std::vector<double> rho;
  std::vector<double> vector_values;
  std::vector<double> coefficients;

  /// Points at this object's tables.
  [[nodiscard]] svm_view view() const noexcept;

  /// What an embedded model calls these tables.
  static constexpr std::string_view constants = "svm_constants";

  /// The template arguments of that.
  [[nodiscard]] std::vector<std::size_t> shape() const {
    return {labels.size(), class_begin.back(), inputs};
  }

  /// Calls `visit(name, table)` for the members of that, in their order.
  template <typename Visitor>
  void visit_tables(Visitor&& visit) const {
    visit("gamma", gamma);
    visit("labels", labels);
    visit("class_begin", class_begin);
    visit("rho", rho);
    visit("vector_values", vector_values);
    visit("coefficients", coefficients);
  }
};

/// The header of the file: everything before the support vectors, which the reader stands at then.
class svm_header_reader {
 public:
  svm_header_reader(line_reader& lines, std::size_t variants)
      : lines_(lines), variants_(variants) {}

  svm_content read(std::uint32_t& total);

 private:
  void read_entry(std::string_view key);

  void read_labels();

  void check_complete() const;

  void once(bool& seen, const char* key);

  void expect(bool& seen, std::string_view wanted, const char* key);

  line_reader& lines_;
  std::size_t variants_;
  svm_content machine_;
  std::size_t classes_ = 0;
  std::uint32_t total_ = 0;
  bool typed_ = false;
  bool kernel_ = false;
  bool gamma_ = false;
  bool counted_ = false;
  bool totalled_ = false;
  bool rho_ = false;
  bool labelled_ = false;
  bool sized_ = false;
};

/// The machine in `text`, the content of the file called `file`, for `inputs` model inputs and
/// classes that are variants below `variants`. Throws fettle::error.
[[nodiscard]] svm_content read_svm(const std::string& file, std::string_view text,
                                   std::size_t inputs, std::size_t variants);

}  // namespace fettle::model::detail

#ifndef FETTLE_COMPILED
#include <fettle/model/svm_reader.ipp>
#endif
