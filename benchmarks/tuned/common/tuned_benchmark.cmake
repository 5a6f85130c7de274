# The five benchmarks of the Surge papers: programs that a tuner tunes and that then compare
# themselves with reference implementations. The folders beside this one call
# fettle_add_tuned_benchmark(NAME ...). What CMake builds is untuned, and checked by the tests; the
# targets benchmark_NAME_openmp and benchmark_NAME_cuda tune and measure, which takes many minutes,
# and are no part of the target benchmarks.
find_package(OpenMP QUIET)
find_package(Eigen3 3.3 NO_MODULE QUIET)
if(CMAKE_CUDA_COMPILER)
  find_package(CUDAToolkit QUIET)
  # Thrust for OpenMP comes with the CUDA toolkit; it needs no GPU.
  find_path(
    FETTLE_CCCL
    thrust/reduce.h
    HINTS ${CUDAToolkit_INCLUDE_DIRS}
    PATH_SUFFIXES cccl
    NO_CMAKE_SYSTEM_PATH
  )
  mark_as_advanced(FETTLE_CCCL)
endif()

# The target benchmark_NAME_PLATFORM: tune, compile, measure, record.
function(fettle_add_tuning name platform)
  set(options --platform ${platform} --folder ${PROJECT_BINARY_DIR}/ndp_tuned)
  if(name STREQUAL ndp_spmv)
    list(APPEND options --patterns ${FETTLE_MATRIX_CACHE})
    if(FETTLE_MKL_ROOT)
      list(APPEND options --mkl ${FETTLE_MKL_ROOT})
    endif()
  endif()
  add_custom_target(
    benchmark_${name}_${platform}
    COMMAND
      ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_BINARY_DIR}/python CXX=${CMAKE_CXX_COMPILER}
      FETTLE_CXX=${CMAKE_CXX_COMPILER} ${FETTLE_PYTHON} ${PROJECT_SOURCE_DIR}/benchmarks/common/record.py
      ${name}_${platform} -- ${FETTLE_PYTHON} ${PROJECT_SOURCE_DIR}/benchmarks/tuned/common/run.py
      ${name} ${options}
    COMMAND ${FETTLE_PYTHON} ${PROJECT_SOURCE_DIR}/benchmarks/common/pages
    COMMAND
      ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_BINARY_DIR}/python ${FETTLE_PYTHON}
      ${PROJECT_SOURCE_DIR}/benchmarks/tuned/common/figures.py
    COMMAND
      ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_BINARY_DIR}/python ${FETTLE_PYTHON}
      ${PROJECT_SOURCE_DIR}/benchmarks/tuned/common/tables.py
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    USES_TERMINAL
    VERBATIM
  )
  if(TARGET fettle_python)
    add_dependencies(benchmark_${name}_${platform} fettle_python)
  endif()
  if(name STREQUAL ndp_spmv AND TARGET matrix_patterns)
    add_dependencies(benchmark_${name}_${platform} matrix_patterns)
  endif()
endfunction()

# fettle_add_tuned_benchmark(NAME [NEEDS library...] [CUDA library...]): programs tuned_NAME_openmp
# from NAME.cpp and tuned_NAME_cuda from NAME.cu. NEEDS: targets (or Thrust) without which the
# program for OpenMP is left out.
function(fettle_add_tuned_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 benchmark "" "" "NEEDS;CUDA")
  set(missing)
  foreach(library IN LISTS benchmark_NEEDS)
    if(library STREQUAL "Thrust" AND NOT FETTLE_CCCL OR NOT library STREQUAL "Thrust" AND NOT TARGET
                                                        ${library}
    )
      list(APPEND missing ${library})
    endif()
  endforeach()
  if(missing)
    message(STATUS "Benchmark ${name} on OpenMP: left out, because ${missing} is not found")
  else()
    add_executable(tuned_${name}_openmp ${name}.cpp)
    target_link_libraries(tuned_${name}_openmp PRIVATE ndp_benchmark)
    target_compile_options(tuned_${name}_openmp PRIVATE -O3)
    fettle_optimise_where_wanted(tuned_${name}_openmp)
    foreach(library IN LISTS benchmark_NEEDS)
      if(library STREQUAL "Thrust")
        target_include_directories(tuned_${name}_openmp SYSTEM PRIVATE ${FETTLE_CCCL})
        target_compile_definitions(
          tuned_${name}_openmp PRIVATE THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP
        )
      else()
        target_link_libraries(tuned_${name}_openmp PRIVATE ${library})
      endif()
    endforeach()
  endif()

  fettle_add_tuning(${name} openmp)

  if(CMAKE_CUDA_COMPILER)
    fettle_add_tuning(${name} cuda)
    add_executable(tuned_${name}_cuda ${name}.cu)
    target_link_libraries(tuned_${name}_cuda PRIVATE ndp_benchmark ${benchmark_CUDA})
    fettle_optimise_where_wanted(tuned_${name}_cuda)
    # Half a minute each to compile, and nothing runs them: left to the preset programs.
    set_target_properties(tuned_${name}_cuda PROPERTIES EXCLUDE_FROM_ALL ${fettle_only_checks_cuda})
  endif()
endfunction()
