# The library's targets: fettle::fettle, headers without any dependency; fettle::compiled, the same
# with functions that are not templates compiled once (compiled_library.cmake); and fettle::tbb, which
# adds oneTBB for parallel and asynchronous feature evaluation (fettle/variant/parallel_evaluation.hpp).

add_library(fettle INTERFACE)
add_library(fettle::fettle ALIAS fettle)
target_compile_features(fettle INTERFACE cxx_std_20)
# CMake 3.25 does not know nvcc's C++20 as a CUDA_STANDARD, and drops it; a later standard stays.
set(fettle_has_no_later_standard "$<VERSION_LESS:0$<TARGET_PROPERTY:CUDA_STANDARD>,21>")
target_compile_options(
  fettle
  INTERFACE "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,${fettle_has_no_later_standard}>:-std=c++20>"
)
target_include_directories(fettle INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
# In projects that use Fettle the compiler, not the linker, says that fettle::tbb is needed.
set(fettle_used_by_another_project "$<NOT:$<BOOL:${PROJECT_IS_TOP_LEVEL}>>")
target_compile_definitions(
  fettle
  INTERFACE $<BUILD_INTERFACE:$<${fettle_used_by_another_project}:FETTLE_CMAKE_TARGET>>
            $<INSTALL_INTERFACE:FETTLE_CMAKE_TARGET>
)

include(${CMAKE_CURRENT_LIST_DIR}/compiled_library.cmake)

# oneTBB is optional: where it is absent, the installed package says so to projects that ask for the
# component tbb.
find_package(TBB QUIET)
if(TARGET TBB::tbb)
  add_library(fettle_tbb INTERFACE)
  add_library(fettle::tbb ALIAS fettle_tbb)
  set_target_properties(fettle_tbb PROPERTIES EXPORT_NAME tbb)
  target_link_libraries(fettle_tbb INTERFACE fettle TBB::tbb)
  target_compile_definitions(
    fettle_tbb INTERFACE $<${fettle_used_by_another_project}:FETTLE_LINKS_TBB>
  )
endif()
