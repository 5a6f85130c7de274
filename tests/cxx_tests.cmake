# fettle_add_test(SOURCE): one Catch2 program a test file, and a twin for each sanitizer flavour.
#
# Every program gets oneTBB, libsvm and Thrust where they are found. Twins are built where memory or
# threads are at stake; the presets asan and tsan cover the rest, all tests at once. GPU tests run
# under the tools of compute-sanitizer, where FETTLE_COMPUTE_SANITIZER wants it.

if(NOT Catch2_FOUND)
  find_package(Catch2 QUIET)
endif()
if(NOT TARGET Catch2::Catch2)
  message(
    FATAL_ERROR
    "Fettle's tests need Catch2 (2.13 or 3), which find_package does not find. "
    "`cmake --workflow --preset test` installs it; -DFETTLE_BUILD_TESTS=OFF leaves the tests out."
  )
endif()

find_package(Threads REQUIRED)
# What the nested data-parallel layer runs on; without it, it is serial and tested as such.
find_package(OpenMP QUIET COMPONENTS CXX)
set(fettle_flavours plain)
if(FETTLE_SANITIZER_TWINS)
  list(APPEND fettle_flavours asan tsan)
endif()
set(fettle_sanitizer_asan address,undefined)
set(fettle_sanitizer_tsan thread)
# Tests with a twin, by their names: readers of files, erased types and memory that they share;
# sizes and bounds of nested computations, and kernels' steps that run on the host.
set(
  fettle_twins_asan
  "^(core|model|machine|measure)[.]"
  "^variant[.](call[.]|parameters[.](parameter_expression|compiled)|registration[.])"
  "^variant[.](code_variant$|selection[.](model_cache|threads)|training[.]training|online[.])"
  "^ndp[.](sequence|shape|cuda)[.]"
  "^ndp[.](execute[.](sizes|checked)|tuned[.](execute|training|programs))$"
  "^ndp[.](openmp[.]by_key|host[.](partial_results|work_stealing|even_rows|gather_lanes|mostly_empty_rows))$"
)
set(fettle_twins_tsan "^(measure|variant)[.]")

# What every test program of a flavour compiles and links with; main() is compiled once a flavour.
foreach(flavour IN LISTS fettle_flavours)
  add_library(fettle_test_${flavour} INTERFACE)
  target_link_libraries(
    fettle_test_${flavour}
    INTERFACE fettle_settings Threads::Threads ${CMAKE_DL_LIBS}
  )
  # The twins compile everything with their sanitizer, and so the headers alone.
  if(flavour STREQUAL plain)
    target_link_libraries(fettle_test_${flavour} INTERFACE fettle::compiled)
  endif()
  foreach(library IN ITEMS fettle::tbb fettle_libsvm fettle_thrust)
    if(TARGET ${library})
      target_link_libraries(fettle_test_${flavour} INTERFACE ${library})
    endif()
  endforeach()
  if(TARGET Catch2::Catch2WithMain)
    target_link_libraries(fettle_test_${flavour} INTERFACE Catch2::Catch2WithMain)
  else()
    target_link_libraries(fettle_test_${flavour} INTERFACE Catch2::Catch2)
  endif()
  target_include_directories(fettle_test_${flavour} INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
  if(DEFINED fettle_sanitizer_${flavour})
    # Not optimised: that halves the time to compile templates with the instrumentation in them.
    set(
      flags
      -fsanitize=${fettle_sanitizer_${flavour}}
      -fno-sanitize-recover=all
      -fno-omit-frame-pointer
      -O0
      -g1
    )
    # -Wmaybe-uninitialized has false alarms in instrumented code.
    target_compile_options(fettle_test_${flavour} INTERFACE ${flags} -Wno-maybe-uninitialized)
    target_link_options(fettle_test_${flavour} INTERFACE ${flags})
  endif()
  add_library(fettle_test_main_${flavour} OBJECT support/catch_main.cpp)
  target_link_libraries(fettle_test_main_${flavour} PRIVATE fettle_test_${flavour})
endforeach()

# Idle OpenMP threads sleep, because the tests start more of them than there are cores. Sanitizers
# stop at the first finding; what oneTBB, which is not built for the thread sanitizer,
# does to its own tasks is left out of its reports.
set(suppressions suppressions=${CMAKE_CURRENT_SOURCE_DIR}/support/thread_sanitizer.supp)
set(
  fettle_test_environment
  OMP_WAIT_POLICY=passive
  ASAN_OPTIONS=detect_leaks=1
  UBSAN_OPTIONS=print_stacktrace=1
  TSAN_OPTIONS=halt_on_error=1:${suppressions}
)

# What is built where only GPU tests are wanted.
add_custom_target(gpu_tests)
find_program(
  FETTLE_COMPUTE_SANITIZER_PROGRAM
  compute-sanitizer
  HINTS ${fettle_cuda_folder} ${fettle_cuda_folder}/../compute-sanitizer
)
mark_as_advanced(FETTLE_COMPUTE_SANITIZER_PROGRAM)

# fettle_add_compute_sanitizer_tests(TEST PROGRAM): TEST.<tool> for every tool, by
# support/compute_sanitizer.sh, with few sizes of each kind (FETTLE_TEST_SIZES=small), because the
# tools make kernels many times slower. `ctest -L racecheck` runs one tool's.
function(fettle_add_compute_sanitizer_tests test program)
  set(environment ${fettle_test_environment})
  if(FETTLE_COMPUTE_SANITIZER_PROGRAM)
    list(APPEND environment COMPUTE_SANITIZER=${FETTLE_COMPUTE_SANITIZER_PROGRAM})
  endif()
  foreach(
    tool
    IN ITEMS
      memcheck
      racecheck
      initcheck
      synccheck
  )
    add_test(
      NAME ${test}.${tool}
      COMMAND
        sh ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/support/compute_sanitizer.sh ${tool}
        $<TARGET_FILE:${program}>
    )
    set_tests_properties(
      ${test}.${tool}
      PROPERTIES
        TIMEOUT 300
        SKIP_RETURN_CODE ${fettle_skip}
        ENVIRONMENT "${environment}"
        LABELS "compute_sanitizer;${tool}"
    )
  endforeach()
endfunction()

function(fettle_add_test source)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tests OUTPUT_VARIABLE place)
  cmake_path(GET place PARENT_PATH folder)
  string(REPLACE / . room ${folder})
  string(REGEX REPLACE "[.].*" "" top_room ${room})
  cmake_path(GET source STEM LAST_ONLY name)
  cmake_path(GET source EXTENSION LAST_ONLY extension)
  string(REGEX REPLACE "_test$" "" name ${name})
  # Only where it is wanted: what is compiled with it is of no use to other clones.
  file(STRINGS ${source} names_folder REGEX FETTLE_SOURCE_DIR LIMIT_COUNT 1)
  foreach(flavour IN LISTS fettle_flavours)
    if(NOT flavour STREQUAL plain)
      set(wanted OFF)
      foreach(pattern IN LISTS fettle_twins_${flavour})
        if(NOT extension STREQUAL ".cu" AND "${room}.${name}" MATCHES "${pattern}")
          set(wanted ON)
        endif()
      endforeach()
      if(NOT wanted)
        continue()
      endif()
    endif()
    set(suffix)
    if(NOT flavour STREQUAL plain)
      set(suffix _${flavour})
    endif()
    string(MAKE_C_IDENTIFIER test_${room}_${name}${suffix} program)
    add_executable(${program} ${source})
    target_link_libraries(${program} PRIVATE fettle_test_${flavour} fettle_test_main_${flavour})
    if(names_folder)
      target_compile_definitions(${program} PRIVATE FETTLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endif()
    if(top_room STREQUAL ndp)
      # Applications that compile with it see templates instantiated by them, on both platforms.
      target_compile_options(
        ${program}
        PRIVATE
          $<$<COMPILE_LANGUAGE:CXX>:-Werror=sign-conversion>
          $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror=sign-conversion>
      )
      if(TARGET OpenMP::OpenMP_CXX)
        target_link_libraries(${program} PRIVATE OpenMP::OpenMP_CXX)
      endif()
    endif()
    add_test(NAME ${room}.${name}${suffix} COMMAND ${program})
    set_tests_properties(
      ${room}.${name}${suffix}
      PROPERTIES
        TIMEOUT ${fettle_patience}
        SKIP_RETURN_CODE ${fettle_skip}
        ENVIRONMENT "${fettle_test_environment}"
        LABELS "cxx;${top_room};${room}"
    )
    if(extension STREQUAL ".cu")
      add_dependencies(gpu_tests ${program})
      # Not the test whose kernel stops on purpose: that is what the tools would report.
      if(FETTLE_COMPUTE_SANITIZER AND NOT name STREQUAL checked_cuda)
        fettle_add_compute_sanitizer_tests(${room}.${name} ${program})
      endif()
    endif()
  endforeach()
endfunction()

set(
  patterns
  benchmarks/*/*_test.cpp
  core/*_test.cpp
  measure/*_test.cpp
  machine/*_test.cpp
  model/*_test.cpp
  ndp/*_test.cpp
  ndp/*/*_test.cpp
  variant/*_test.cpp
  variant/*/*_test.cpp
)
if(CMAKE_CUDA_COMPILER)
  list(
    APPEND patterns
    core/*_test.cu
    measure/*_test.cu
    machine/*_test.cu
    model/*_test.cu
    ndp/*_test.cu
    ndp/*/*_test.cu
    variant/*_test.cu
    variant/*/*_test.cu
  )
endif()
file(GLOB sources CONFIGURE_DEPENDS ${patterns})
list(FILTER sources EXCLUDE REGEX "/ndp/tuned/programs_")  # ndp/CMakeLists.txt adds them
if(NOT TARGET fettle::tbb)
  list(FILTER sources EXCLUDE REGEX "/ndp/tbb/")
endif()
# What only these processors have is compiled, and so tested, where this one has it.
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo avx512 REGEX "avx512f.*avx512vl" LIMIT_COUNT 1)
  if(avx512)
    set_source_files_properties(
      ${CMAKE_CURRENT_SOURCE_DIR}/ndp/host/gather_lanes_test.cpp
      PROPERTIES COMPILE_OPTIONS -march=x86-64-v4
    )
  endif()
endif()
foreach(source IN LISTS sources)
  fettle_add_test(${source})
endforeach()

add_executable(test_variant_without_rtti variant/without_rtti.cpp)
target_compile_options(test_variant_without_rtti PRIVATE -fno-rtti)
target_link_libraries(test_variant_without_rtti PRIVATE fettle_settings Threads::Threads)
add_test(NAME variant.without_rtti COMMAND test_variant_without_rtti)
set_tests_properties(variant.without_rtti PROPERTIES LABELS "cxx;variant")

add_test(
  NAME support.compute_sanitizer
  COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/support/compute_sanitizer_test.sh
)

# The thread sanitizer must find the races that hidden tests make on purpose: what is left out of its
# reports must not hide more than it should.
if(tsan IN_LIST fettle_flavours AND TARGET fettle::tbb)
  set(race "data race [^\n]*parallel_evaluation_test.cpp:[0-9]+ in [^\n]*collide")
  foreach(place IN ITEMS constraints background)
    add_test(
      NAME variant.races_in_${place}_tsan
      COMMAND test_variant_parallel_evaluation_tsan "[.race][${place}]"
    )
    set_tests_properties(
      variant.races_in_${place}_tsan
      PROPERTIES
        TIMEOUT ${fettle_patience}
        PASS_REGULAR_EXPRESSION "SUMMARY: ThreadSanitizer: ${race}"
        ENVIRONMENT TSAN_OPTIONS=${suppressions}
        LABELS "cxx;variant"
    )
  endforeach()
endif()
