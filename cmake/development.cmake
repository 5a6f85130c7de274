# Settings for Fettle's own programs (tests, examples, benchmarks): build type, warnings,
# sanitizers, CUDA, libraries. Nothing here reaches a project that uses Fettle.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
  endif()
  # -O2 rather than CMake's -O3 -DNDEBUG: what users build with, and assertions stay alive. nvcc
  # refuses a second -O; as an option of its host compiler, the last one holds.
  set(fettle_release_CXX -O2)
  set(fettle_release_CUDA -Xcompiler=-O2)
  foreach(language IN ITEMS CXX CUDA)
    if(
      CMAKE_${language}_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG"
      OR NOT DEFINED CMAKE_${language}_FLAGS_RELEASE
    )
      set(CMAKE_${language}_FLAGS_RELEASE ${fettle_release_${language}} CACHE STRING "" FORCE)
    endif()
  endforeach()
  find_program(FETTLE_CCACHE ccache)
  mark_as_advanced(FETTLE_CCACHE)
  if(FETTLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # A clone finds what was compiled in another one: paths in it are relative to the build folder.
    set(
      CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND}
      -E
      env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1
      ${FETTLE_CCACHE}
    )
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Without collecting garbage below 1 GB, GCC compiles templates in a tenth less time.
    string(APPEND CMAKE_CXX_FLAGS " --param ggc-min-heapsize=1000000")
  endif()
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# CUDA is optional: where there is no nvcc, the CUDA tests and benchmarks are left out.
execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE fettle_no_gpu OUTPUT_QUIET ERROR_QUIET)
# Device code that no GPU is here to run only has to compile: to PTX, hardly optimised, which saves a
# third of nvcc's time. What the tests of the tuner build is still compiled to machine code.
set(fettle_only_checks_cuda OFF)
if(fettle_no_gpu AND NOT FETTLE_OPTIMIZE_PROGRAMS)
  set(fettle_only_checks_cuda ON)
endif()
# There the preset test compiles a sample of it, and the preset thorough all.
set(fettle_checks_least_cuda OFF)
if(fettle_only_checks_cuda AND NOT FETTLE_THOROUGH_TESTS)
  set(fettle_checks_least_cuda ON)
endif()
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_ARCHITECTURES ${FETTLE_CUDA_ARCHITECTURES})
  enable_language(CUDA)
  # CMake 3.25 does not know nvcc's C++20 as a CUDA_STANDARD.
  string(APPEND CMAKE_CUDA_FLAGS " -std=c++20")
  if(fettle_only_checks_cuda)
    list(TRANSFORM CMAKE_CUDA_ARCHITECTURES REPLACE "-real$" "-virtual")
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      string(APPEND CMAKE_CUDA_FLAGS " --Ofast-compile=max")
    endif()
  endif()
endif()

# What is only to be checked is not optimised, fettle::compiled included.
if(NOT FETTLE_OPTIMIZE_PROGRAMS)
  target_compile_options(fettle_compiled PRIVATE -O0)
endif()

# Warnings and sanitizers, for everything of Fettle's own: link fettle_settings.
add_library(fettle_settings INTERFACE)
target_link_libraries(fettle_settings INTERFACE fettle::fettle)
set(
  fettle_warnings
  -Wall
  -Wextra
  -Wpedantic
  -Wconversion
  -Wshadow
)
if(FETTLE_WARNINGS_AS_ERRORS)
  list(APPEND fettle_warnings -Werror)
endif()
target_compile_options(fettle_settings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${fettle_warnings}>")
if(FETTLE_SANITIZE)
  set(sanitized -fsanitize=${FETTLE_SANITIZE} -fno-omit-frame-pointer)
  target_compile_options(
    fettle_settings
    INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${sanitized}>"
  )
  target_link_options(fettle_settings INTERFACE -fsanitize=${FETTLE_SANITIZE})
  # What it synchronises or allocates would be unseen, or seen as a fault of those who call it.
  target_compile_options(fettle_compiled PRIVATE ${sanitized})
endif()

# Without optimisation of the host's code, programs compile in about half of the time; device code
# is not affected.
set(fettle_not_optimised $<IF:$<COMPILE_LANGUAGE:CUDA>,-Xcompiler=-O0,-O0>)

# fettle_optimise_where_wanted(TARGET): compiles a program of the examples or benchmarks with -O0
# where FETTLE_OPTIMIZE_PROGRAMS is off.
function(fettle_optimise_where_wanted target)
  if(NOT FETTLE_OPTIMIZE_PROGRAMS)
    target_compile_options(${target} PRIVATE ${fettle_not_optimised})
  endif()
endfunction()

# fettle_add_cuda_program(TARGET sources...): an executable. Where no GPU is here to run it
# (fettle_only_checks_cuda), an object library instead, whose sources are only compiled to PTX: the
# compiler's pass over device code instantiates the host's templates too and reports the same errors,
# in half of the time.
function(fettle_add_cuda_program target)
  if(fettle_only_checks_cuda)
    add_library(${target} OBJECT ${ARGN})
    set_target_properties(${target} PROPERTIES CUDA_PTX_COMPILATION ON)
  else()
    add_executable(${target} ${ARGN})
  endif()
endfunction()

# libsvm, where it is found: what the tests and the benchmarks compare with. Debian ships no CMake
# package for it.
find_path(FETTLE_LIBSVM_INCLUDE libsvm/svm.h)
find_library(FETTLE_LIBSVM_LIBRARY svm)
mark_as_advanced(FETTLE_LIBSVM_INCLUDE FETTLE_LIBSVM_LIBRARY)
if(FETTLE_LIBSVM_INCLUDE AND FETTLE_LIBSVM_LIBRARY)
  add_library(fettle_libsvm INTERFACE)
  target_include_directories(fettle_libsvm SYSTEM INTERFACE ${FETTLE_LIBSVM_INCLUDE})
  target_link_libraries(fettle_libsvm INTERFACE ${FETTLE_LIBSVM_LIBRARY})
endif()

# Thrust, for thrust::tuple on the host: the CUDA toolkit's where there is one, a distribution's
# otherwise.
cmake_path(GET CMAKE_CUDA_COMPILER PARENT_PATH fettle_cuda_folder)
find_path(
  FETTLE_THRUST_INCLUDE
  thrust/tuple.h
  HINTS ${fettle_cuda_folder}/../include/cccl ${fettle_cuda_folder}/../include
)
mark_as_advanced(FETTLE_THRUST_INCLUDE)
if(FETTLE_THRUST_INCLUDE)
  add_library(fettle_thrust INTERFACE)
  target_include_directories(fettle_thrust SYSTEM INTERFACE ${FETTLE_THRUST_INCLUDE})
  target_compile_definitions(
    fettle_thrust
    INTERFACE $<$<COMPILE_LANGUAGE:CXX>:THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP>
  )
endif()

# The Python that has the tuner's packages: -DFETTLE_PYTHON=..., or else the build tree's own
# environment where the presets made one, or else the one on PATH.
if(NOT FETTLE_PYTHON)
  find_program(
    FETTLE_PYTHON
    NAMES python python3 NO_CACHE
    REQUIRED
    HINTS ${CMAKE_BINARY_DIR}/venv/bin
  )
endif()
