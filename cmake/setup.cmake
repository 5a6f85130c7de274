# Installs what a fresh Debian machine lacks, so that one command builds and tests everything:
# distribution packages through apt-get, Python packages into a virtual environment in the build
# tree. It acts only where FETTLE_INSTALL_MISSING is ON (the presets say so) and Fettle is the
# top-level project; the second time it finds its stamp and does nothing. Included before project(),
# because even Ninja may be missing.
if(NOT FETTLE_INSTALL_MISSING OR NOT CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)
  return()
endif()

# What each distribution package is needed for, and the programs or headers that tell that it is
# there.
set(
  fettle_packages
  ninja-build
  libtbb-dev
  libeigen3-dev
  liblzma-dev
  xz-utils
)
set(fettle_why_ninja-build "the build tool that the presets use")
set(fettle_why_libtbb-dev "oneTBB: parallel and asynchronous feature evaluation")
set(fettle_why_libeigen3-dev "Eigen: the library variant of the SpMV example")
set(fettle_why_liblzma-dev "reading matrices that are packed with xz")
set(fettle_why_xz-utils "reading data files that are packed with xz")
set(fettle_program_ninja-build ninja)
set(fettle_program_xz-utils xz)
set(fettle_header_libtbb-dev oneapi/tbb/parallel_for.h)
set(fettle_header_libeigen3-dev eigen3/Eigen/Core)
set(fettle_header_liblzma-dev lzma.h)
set(fettle_python_extras build)

if(NOT DEFINED FETTLE_BUILD_TESTS OR FETTLE_BUILD_TESTS)
  list(APPEND fettle_packages catch2 libthrust-dev redis-server)
  set(fettle_why_catch2 "Catch2: the C++ tests")
  set(fettle_why_libthrust-dev "thrust::tuple: the tests use it as an argument tuple")
  set(fettle_why_redis-server "Redis: the tests start servers for stores on free loopback ports")
  set(fettle_program_redis-server redis-server)
  set(fettle_header_catch2 catch2/catch.hpp catch2/catch_all.hpp)
  set(fettle_header_libthrust-dev thrust/tuple.h cccl/thrust/tuple.h)
  list(APPEND fettle_python_extras test)
endif()

if(NOT DEFINED FETTLE_BUILD_TESTS OR FETTLE_BUILD_TESTS OR FETTLE_BUILD_BENCHMARKS)
  list(APPEND fettle_packages libsvm-dev)
  set(fettle_why_libsvm-dev "libsvm: tests and benchmarks compare Fettle's predictions with it")
  set(fettle_header_libsvm-dev libsvm/svm.h)
endif()

if(FETTLE_BUILD_DOCS)
  list(APPEND fettle_packages doxygen)
  set(fettle_why_doxygen "Doxygen: the reference of the C++ names")
  set(fettle_program_doxygen doxygen)
  list(APPEND fettle_python_extras docs)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/setup_packages.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/setup_python.cmake)

fettle_find_base_python()
fettle_install_packages()
fettle_install_python_packages()
