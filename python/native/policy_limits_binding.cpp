#include "policy_limits_binding.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <pybind11/stl.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/core/type_list.hpp>
#include <fettle/ndp/cuda.hpp>
#include <fettle/ndp/platforms.hpp>
#include <fettle/ndp/schedule/policy_limit.hpp>
#include <fettle/ndp/schedule/policy_text.hpp>

#include "schedule_text.hpp"

namespace fettle_native {

namespace {

namespace py = pybind11;
namespace ndp = fettle::ndp;

/// What limits depend on beside the policy.
struct situation {
  ndp::schedule::nodes nodes;
  ndp::cuda::workload work;
  ndp::cuda::device_limits device;
};

/// What is wrong with a policy where `holds` is false.
struct limit {
  std::vector<std::string> fields;
  bool holds;
  std::string reason;
};

/// The limits of a platform, judged for a policy in its text form.
template <typename Policy>
std::vector<limit> limits_of(const std::string& text, const situation& given) {
  const auto policy = ndp::detail::policy_parser<Policy>{}(text);
  std::vector<limit> found;
  const auto visit = [&](ndp::detail::field_names fields, bool holds, std::string_view reason) {
    found.push_back({{fields.begin(), fields.end()}, holds, std::string(reason)});
  };
  if constexpr (requires { visit_limits(policy, given.nodes, given.work, given.device, visit); }) {
    visit_limits(policy, given.nodes, given.work, given.device, visit);
  } else {
    visit_limits(policy, given.nodes, visit);
  }
  return found;
}

/// What is asked of a platform's policies.
struct policy_functions {
  std::vector<limit> (*limits)(const std::string& text, const situation& given) = nullptr;
  std::string (*text)(const std::string& text) = nullptr;
};

template <typename Policy>
constexpr policy_functions functions_of{
    .limits = &limits_of<Policy>, .text = [](const std::string& text) {
      return to_string(ndp::detail::policy_parser<Policy>{}(text));
    }};

policy_functions functions_of_platform(const std::string& platform) {
  policy_functions found;
  fettle::for_each(ndp::platforms{}, [&]<typename P>(fettle::type_tag<P>) {
    using policy = typename ndp::platform_traits<P>::policy;
    if (P::name == platform) found = functions_of<policy>;
  });
  if (found.limits == nullptr) throw fettle::error("there is no platform '" + platform + "'");
  return found;
}

class policy_limits {
 public:
  policy_limits(const std::string& platform, const std::string& schedule, std::size_t value_bytes,
                bool is_scan, bool is_commutative, const std::map<std::string, std::size_t>& device)
      : of_(functions_of_platform(platform)) {
    given_.nodes = nodes_of(schedule);
    given_.work.value_bytes = value_bytes;
    given_.work.is_scan = is_scan;
    given_.work.is_commutative = is_commutative;
    set(device, "threads_per_block", given_.device.threads_per_block);
    set(device, "block_dimension", given_.device.block_dimension);
    set(device, "shared_bytes", given_.device.shared_bytes);
  }

  /// The fields that each limit reads, and what is wrong where a policy does not keep it.
  [[nodiscard]] std::vector<std::pair<std::vector<std::string>, std::string>> all() const {
    std::vector<std::pair<std::vector<std::string>, std::string>> out;
    for (limit& one : of_.limits("", given_)) {
      out.emplace_back(std::move(one.fields), std::move(one.reason));
    }
    return out;
  }

  [[nodiscard]] bool holds(std::size_t index, const std::string& policy) const {
    return of_.limits(policy, given_).at(index).holds;
  }

  [[nodiscard]] std::string text(const std::string& policy) const { return of_.text(policy); }

  [[nodiscard]] std::string violation(const std::string& policy) const {
    for (const limit& one : of_.limits(policy, given_)) {
      if (!one.holds) return one.reason;
    }
    return {};
  }

 private:
  template <typename Number>
  static void set(const std::map<std::string, std::size_t>& device, const char* name,
                  Number& value) {
    const auto found = device.find(name);
    if (found != device.end()) value = static_cast<Number>(found->second);
  }

  policy_functions of_;
  situation given_;
};

}  // namespace

void bind_policy_limits(py::module_& module) {
  const ndp::cuda::workload usual;
  py::class_<policy_limits>(module, "PolicyLimits",
                            "What a platform's policies may be under a schedule.")
      .def(py::init<const std::string&, const std::string&, std::size_t, bool, bool,
                    const std::map<std::string, std::size_t>&>(),
           py::arg("platform"), py::arg("schedule"), py::kw_only(),
           py::arg("value_bytes") = usual.value_bytes, py::arg("is_scan") = usual.is_scan,
           py::arg("is_commutative") = usual.is_commutative,
           py::arg("device") = std::map<std::string, std::size_t>())
      .def("all", &policy_limits::all,
           "Tuples (names of the fields that a limit reads, what is wrong where it is broken). The "
           "name of a level's field stands for that field of every level.")
      .def("holds", &policy_limits::holds, py::arg("index"), py::arg("policy"),
           "Whether a policy in its text form keeps the limit of that index in all().")
      .def("text", &policy_limits::text, py::arg("policy"),
           "The text form of the policy that a text spells.")
      .def("violation", &policy_limits::violation, py::arg("policy"),
           "What is wrong with a policy in its text form; empty where nothing is.");
}

}  // namespace fettle_native
