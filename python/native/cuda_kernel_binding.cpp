#include "cuda_kernel_binding.hpp"

#include <pybind11/stl.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fettle/core/error.hpp>
#include <fettle/ndp/cuda/policy/flattened_memory.hpp>
#include <fettle/ndp/cuda/policy/kernel.hpp>
#include <fettle/ndp/cuda/policy/scan_block.hpp>
#include <fettle/ndp/cuda/policy/staged_rows.hpp>
#include <fettle/ndp/schedule/policy_text.hpp>

#include "schedule_text.hpp"

namespace fettle_native {

namespace {

namespace py = pybind11;
namespace cuda = fettle::ndp::cuda;

struct cuda_kernel {
  std::string name;
  std::string description;
  std::set<std::string> fields;
};

cuda_kernel kernel_of(const std::vector<std::string>& operators, const std::string& schedule) {
  if (operators.empty()) throw fettle::error("a computation has one operator at least");
  const std::vector<std::string_view> names(operators.begin(), operators.end());
  const cuda::detail::scheduled_operators its{nodes_of(schedule), names};
  const cuda::detail::kernel kernel = cuda::detail::kernel_of(its);
  cuda_kernel out{std::string(to_string(kernel)), std::string(description(kernel)), {}};
  cuda::detail::visit_fields_read(its, [&](int level, std::string_view name) {
    out.fields.insert(fettle::ndp::detail::field_name(level, name));
  });
  return out;
}

}  // namespace

void bind_cuda_kernel(py::module_& module) {
  py::class_<cuda_kernel>(module, "CudaKernel", "The kernel of a schedule on CUDA.")
      .def(py::init(&kernel_of), py::arg("operators"), py::arg("schedule"),
           "operators: one a nesting level, outermost first.")
      .def_readonly("name", &cuda_kernel::name)
      .def_readonly("description", &cuda_kernel::description)
      .def_readonly("fields", &cuda_kernel::fields, "The fields of a policy that it reads.");
  module.def("cuda_steps_per_thread", &cuda::detail::steps_per_thread, py::arg("threads"),
             py::arg("grain"), py::arg("value_bytes"),
             "How many steps of a flattened tile a thread takes.");
  module.def(
      "cuda_scan_grain",
      [](std::size_t value_bytes) {
        return cuda::detail::scan_grain_for(cuda::detail::scan_threads_for(value_bytes),
                                            value_bytes);
      },
      py::arg("value_bytes"), "What a thread of an untuned scan's block scans at a time.");
  module.attr("cuda_staged_value_bytes") = cuda::detail::staged_value_bytes;
}

}  // namespace fettle_native
