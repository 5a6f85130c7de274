# fettle_add_tests: one Catch2 program a folder of tests, with a ctest entry a file, and twins under
# the sanitizers.
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

# Options with which a program runs the test cases of named files. No test case is an error; Catch2 3
# reports it by default.
set(fettle_by_file --filenames-as-tags)
if(Catch2_VERSION VERSION_LESS 3)
  list(APPEND fettle_by_file --warn NoTests)
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
# Tests with a twin, by their names: readers of damaged files, memory that threads or erased types
# share, and tuned programs, which the presets asan and tsan leave out; these run all other tests.
set(
  fettle_twins_asan
  "^core[.]"
  "^model[.](.*_reader|.*_stage|.*model.*|predictor|svm_lanes|forest)$"
  "^variant[.](call[.]|registration[.]|parameters[.]parameter_expression|selection[.](model_cache|threads))"
  "^variant[.]code_variant$"
  "^ndp[.](tuned[.]programs|host[.](partial_results|work_stealing))$"
)
set(
  fettle_twins_tsan
  "^variant[.](evaluation[.]|call[.]|online[.]|registration[.]|selection[.](model_cache|threads))"
)

# Tests' programs are not optimised, which halves the time to compile them, unless
# FETTLE_TEST_OPTIMIZED; but for those that time something or have vectors of the compiler's types.
option(FETTLE_TEST_OPTIMIZED "Optimise the programs of all tests" OFF)
set(fettle_optimised_tests "^measure(_cuda)?$|^ndp_host_gather_lanes$")

# What the preset quick builds and runs: tests that compile in seconds and need no GPU.
add_custom_target(quick_tests)
set(fettle_quick_programs "^test_(core|model|measure|variant(_[a-z]+)?|ndp_(base|operator|sequence))$")
set(fettle_not_quick "_(cuda|asan|tsan)$")

# main(), the same for all flavours: most of it is Catch2, which takes twice as long to compile with a
# sanitizer. The linker takes what a test program instantiates too from the program.
add_library(fettle_test_main OBJECT support/catch_main.cpp)
target_link_libraries(fettle_test_main PRIVATE Catch2::Catch2)
target_compile_options(fettle_test_main PRIVATE -O0)

# What every test program of a flavour compiles and links with.
foreach(flavour IN LISTS fettle_flavours)
  add_library(fettle_test_${flavour} INTERFACE)
  target_link_libraries(
    fettle_test_${flavour}
    INTERFACE fettle_settings Threads::Threads ${CMAKE_DL_LIBS}
  )
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
    if(flavour STREQUAL asan)
      # Half of the code and a third of the time to compile it; the preset asan checks these too.
      list(APPEND flags -fno-sanitize=null,alignment,vptr)
    endif()
    # -Wmaybe-uninitialized has false alarms in instrumented code.
    target_compile_options(fettle_test_${flavour} INTERFACE ${flags} -Wno-maybe-uninitialized)
    target_link_options(fettle_test_${flavour} INTERFACE ${flags})
    # fettle::compiled, with the sanitizer.
    add_library(fettle_compiled_${flavour} STATIC ${CMAKE_BINARY_DIR}/fettle_compiled.cpp)
    target_compile_definitions(fettle_compiled_${flavour} PUBLIC FETTLE_COMPILED)
    target_compile_options(fettle_compiled_${flavour} PRIVATE ${flags} -Wno-maybe-uninitialized)
    target_link_libraries(fettle_compiled_${flavour} PUBLIC fettle::fettle)
    target_link_libraries(fettle_test_${flavour} INTERFACE fettle_compiled_${flavour})
  else()
    target_link_libraries(fettle_test_${flavour} INTERFACE fettle::compiled)
  endif()
endforeach()

# Idle OpenMP threads sleep, because the tests start more of them than there are cores. Sanitizers
# stop at the first finding; what oneTBB, which is not built for the thread sanitizer,
# does to its own tasks is left out of its reports, and so are the leaks of the CUDA driver.
set(suppressions suppressions=${CMAKE_CURRENT_SOURCE_DIR}/support/thread_sanitizer.supp)
set(
  fettle_test_environment
  OMP_WAIT_POLICY=passive
  ASAN_OPTIONS=detect_leaks=1
  LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/support/leak_sanitizer.supp
  UBSAN_OPTIONS=print_stacktrace=1
  TSAN_OPTIONS=halt_on_error=1:${suppressions}
)

# fettle_precompile(PROGRAM): compiles what all tests include once for all programs with the same
# options and libraries, which saves one to two seconds a file. With ccache it does nothing: a file
# that includes something precompiled is not found again in another clone.
set(
  fettle_precompiled
  <algorithm>
  <chrono>
  <filesystem>
  <fstream>
  <functional>
  <map>
  <memory>
  <mutex>
  <numeric>
  <random>
  <ranges>
  <set>
  <sstream>
  <thread>
  <unordered_map>
  <vector>
  ${CMAKE_CURRENT_SOURCE_DIR}/support/catch.hpp
)
function(fettle_precompile program)
  if(FETTLE_CCACHE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  get_target_property(options ${program} COMPILE_OPTIONS)
  if(NOT options)
    set(options)
  endif()
  get_target_property(libraries ${program} LINK_LIBRARIES)
  string(MD5 kind "${options} ${libraries}")
  set(shared fettle_precompiled_${kind})
  if(NOT TARGET ${shared})
    file(CONFIGURE OUTPUT ${shared}.cpp CONTENT "")
    add_library(${shared} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${shared}.cpp)
    target_compile_options(${shared} PRIVATE ${options})
    target_link_libraries(${shared} PRIVATE ${libraries})
    target_precompile_headers(${shared} PRIVATE ${fettle_precompiled})
  endif()
  target_precompile_headers(${program} REUSE_FROM ${shared})
endfunction()

# What is built where only GPU tests are wanted.
add_custom_target(gpu_tests)
find_program(
  FETTLE_COMPUTE_SANITIZER_PROGRAM
  compute-sanitizer
  HINTS ${fettle_cuda_folder} ${fettle_cuda_folder}/../compute-sanitizer
)
mark_as_advanced(FETTLE_COMPUTE_SANITIZER_PROGRAM)

# fettle_add_compute_sanitizer_tests(TEST PROGRAM FILES): TEST.<tool> for every tool, by
# support/compute_sanitizer.sh, with few sizes of each kind (FETTLE_TEST_SIZES=small), because the
# tools make kernels many times slower. `ctest -L racecheck` runs one tool's.
function(fettle_add_compute_sanitizer_tests test program files)
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
        $<TARGET_FILE:${program}> ${fettle_by_file} ${files}
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

# Sets ${result} to whether a source file is compiled by itself rather than joined with others: it
# adds to a namespace that is not its own, checks the name of its own, or includes itself.
function(fettle_compiled_alone source result)
  file(STRINGS ${source} cases REGEX "_cases[.]hpp\"")
  set(files ${source})
  foreach(line IN LISTS cases)
    string(REGEX REPLACE ".*\"(.*)\".*" "${PROJECT_SOURCE_DIR}/tests/\\1" header ${line})
    list(APPEND files ${header})
  endforeach()
  set(${result} OFF PARENT_SCOPE)
  foreach(file IN LISTS files)
    file(
      STRINGS ${file}
      found
      REGEX "^(namespace (fettle|std|outer)|template <>|#error)"
      LIMIT_COUNT 1
    )
    if(found)
      set(${result} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Adds the sources to a program, joined by up to `size`: a file costs two to ten seconds to compile
# alone, half of it for headers and templates that its neighbours have in common.
function(fettle_join_sources program size)
  set(files)
  set(number 0)
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest source)
    fettle_compiled_alone(${source} alone)
    if(alone)
      target_sources(${program} PRIVATE ${source})
    else()
      list(APPEND files ${source})
    endif()
    list(LENGTH files count)
    if(count GREATER_EQUAL size OR (files AND NOT rest))
      math(EXPR number "${number} + 1")
      cmake_path(GET source EXTENSION LAST_ONLY extension)
      set(unit ${CMAKE_CURRENT_BINARY_DIR}/joined/${program}_${number}${extension})
      add_custom_command(
        OUTPUT ${unit}
        COMMAND ${FETTLE_PYTHON} ${PROJECT_SOURCE_DIR}/tests/support/join_tests.py ${unit} ${files}
        DEPENDS ${files} ${PROJECT_SOURCE_DIR}/tests/support/join_tests.py
        COMMENT "Joining tests of ${program}"
        VERBATIM
      )
      target_sources(${program} PRIVATE ${unit})
      set(files)
    endif()
  endwhile()
endfunction()

# Tests of a GPU that the preset test does not even compile where there is none: what they check has a
# shorter test beside it.
set(
  fettle_thorough_cuda_tests
  "^ndp[.](execute[.](.*forms|types.*|large|halo|epilogue|deep)_cuda"
  "|cuda[.](adaptive_rows|byte_rows|default_rule_tiles|structures|unknown_rows))$"
)
string(CONCAT fettle_thorough_cuda_tests ${fettle_thorough_cuda_tests})

# Programs whose tests all need a GPU (see fettle_add_cuda_program). ndp_execute_sizes_cuda, the
# headers' test and what the tuner's tests build are compiled and linked everywhere.
set(
  fettle_gpu_only_tests
  "^(ndp_(cuda|execute(_checked)?|sequence|tuned_(execute|training|programs))|variant_training)_cuda$"
)

# fettle_add_test_program(NAME FLAVOUR sources...): one Catch2 program, the target test_NAME.
function(fettle_add_test_program name flavour)
  set(program test_${name})
  if(name MATCHES "${fettle_gpu_only_tests}")
    fettle_add_cuda_program(${program})
    if(fettle_checks_least_cuda)
      target_compile_definitions(${program} PRIVATE FETTLE_TEST_ONLY_COMPILED)
    endif()
  else()
    add_executable(${program})
  endif()
  if(ARGN MATCHES "[.]cu")
    set(files_of_a_unit 6)
    if(fettle_only_checks_cuda)
      set(files_of_a_unit 12) # without machine code, headers are half of what a unit costs
    endif()
    fettle_join_sources(${program} ${files_of_a_unit} ${ARGN})
    add_dependencies(gpu_tests ${program})
  else()
    fettle_join_sources(${program} 12 ${ARGN})
  endif()
  if(program MATCHES "${fettle_quick_programs}" AND NOT program MATCHES "${fettle_not_quick}")
    add_dependencies(quick_tests ${program})
  endif()
  target_link_libraries(${program} PRIVATE fettle_test_${flavour} fettle_test_main)
  # Only where it is wanted: what is compiled with it is of no use to other clones.
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} names_folder REGEX FETTLE_SOURCE_DIR LIMIT_COUNT 1)
    if(names_folder)
      target_compile_definitions(${program} PRIVATE FETTLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
      break()
    endif()
  endforeach()
  if(NOT FETTLE_TEST_OPTIMIZED AND NOT name MATCHES "${fettle_optimised_tests}")
    target_compile_options(${program} PRIVATE ${fettle_not_optimised})
  endif()
  if(name MATCHES "^ndp")
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
endfunction()

# fettle_add_tests(NAME [LINK library...] SOURCES source...): the programs test_NAME, test_NAME_cuda
# of the sources for nvcc, and test_NAME_asan and test_NAME_tsan of those that have a twin; and for
# each source a ctest entry, which runs its test cases: Catch2 tags them with their file's name.
function(fettle_add_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 tests "" "" "LINK;SOURCES")
  foreach(flavour IN ITEMS ${fettle_flavours} cuda)
    set(suffix)
    if(NOT flavour STREQUAL plain)
      set(suffix _${flavour})
    endif()
    set(wanted)
    foreach(source IN LISTS tests_SOURCES)
      fettle_test_name(${source} test)
      if(source MATCHES "[.]cu$")
        if(flavour STREQUAL cuda AND NOT (fettle_checks_least_cuda
                                          AND test MATCHES "${fettle_thorough_cuda_tests}")
        )
          list(APPEND wanted ${source})
        endif()
      elseif(flavour STREQUAL plain)
        list(APPEND wanted ${source})
      elseif(NOT flavour STREQUAL cuda)
        foreach(pattern IN LISTS fettle_twins_${flavour})
          if(test MATCHES "${pattern}")
            list(APPEND wanted ${source})
            break()
          endif()
        endforeach()
      endif()
    endforeach()
    if(NOT wanted)
      continue()
    endif()
    if(flavour STREQUAL cuda)
      fettle_add_test_program(${name}${suffix} plain ${wanted})
      set(suffix) # the names of the files end with it
    else()
      fettle_add_test_program(${name}${suffix} ${flavour} ${wanted})
    endif()
    if(flavour STREQUAL cuda)
      set(program test_${name}_cuda)
    else()
      set(program test_${name}${suffix})
    endif()
    if(tests_LINK)
      target_link_libraries(${program} PRIVATE ${tests_LINK})
    elseif(NOT flavour STREQUAL cuda AND NOT name MATCHES "${fettle_optimised_tests}")
      fettle_precompile(${program}) # not the optimised ones: no other program has their options
    endif()
    get_target_property(type ${program} TYPE)
    if(NOT type STREQUAL EXECUTABLE)
      continue()
    endif()
    foreach(source IN LISTS wanted)
      fettle_test_name(${source} test)
      fettle_add_test_entry(${test}${suffix} ${program} ${source})
    endforeach()
  endforeach()
endfunction()

# Sets ${result} to a source's name among ctest's entries: core.crc32 of tests/core/crc32_test.cpp.
function(fettle_test_name source result)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tests OUTPUT_VARIABLE name)
  string(REGEX REPLACE "_test[.](cpp|cu)$" "" name ${name})
  string(REPLACE / . name ${name})
  set(${result} ${name} PARENT_SCOPE)
endfunction()

function(fettle_add_test_entry test program source)
  string(REGEX REPLACE "[.].*" "" top_room ${test})
  string(REGEX REPLACE "[.][^.]*$" "" room ${test})
  cmake_path(GET source STEM LAST_ONLY stem)
  # Test cases that two platforms share are in a header; a tag without a test case is an error. Not the
  # hidden ones, which other test cases start.
  set(tagged)
  file(STRINGS ${source} own REGEX "TEST_CASE" LIMIT_COUNT 1)
  if(own)
    list(APPEND tagged "[#${stem}]~[.]")
  endif()
  file(STRINGS ${source} cases REGEX "_cases[.]hpp\"")
  foreach(line IN LISTS cases)
    string(REGEX REPLACE ".*/(.*)[.]hpp\".*" "[#\\1]~[.]" header ${line})
    list(APPEND tagged ${header})
  endforeach()
  list(JOIN tagged "," files)
  add_test(NAME ${test} COMMAND ${program} ${fettle_by_file} ${files})
  set_tests_properties(
    ${test}
    PROPERTIES
      TIMEOUT ${fettle_patience}
      SKIP_RETURN_CODE ${fettle_skip}
      ENVIRONMENT "${fettle_test_environment}"
      LABELS "cxx;${top_room};${room}"
  )
  if(program MATCHES "${fettle_quick_programs}" AND NOT program MATCHES "${fettle_not_quick}")
    set_property(TEST ${test} APPEND PROPERTY LABELS quick)
  endif()
  # Not the test whose kernel stops on purpose: that is what the tools would report.
  if(FETTLE_COMPUTE_SANITIZER AND source MATCHES "[.]cu$" AND NOT stem MATCHES "^checked_cuda")
    fettle_add_compute_sanitizer_tests(${test} ${program} ${files})
  endif()
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

# Programs of one file: macros, instructions or specialisations that hold for all of a program; a
# test on CUDA that needs no GPU, unlike its neighbours; and one whose vectors are the compiler's own
# types and not optimised, unlike those of its neighbours: it would take a minute.
set(
  alone
  ndp/execute/checked_test.cpp
  ndp/execute/checked_cuda_test.cu
  ndp/execute/sizes_cuda_test.cu
  ndp/host/gather_lanes_test.cpp
  ndp/host/short_rows_test.cpp
  ndp/tuned/execute_test.cpp
  ndp/tuned/execute_cuda_test.cu
  ndp/tuned/training_test.cpp
  ndp/tuned/training_cuda_test.cu
)
list(TRANSFORM alone PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
list(REMOVE_ITEM sources ${alone})
if(NOT CMAKE_CUDA_COMPILER)
  list(FILTER alone EXCLUDE REGEX "[.]cu$")
endif()
foreach(source IN LISTS alone)
  fettle_test_name(${source} name)
  string(REPLACE . _ name ${name})
  string(REGEX REPLACE "_cuda$" "" name ${name})
  fettle_add_tests(${name} SOURCES ${source})
endforeach()
# What only these processors have is compiled, and so tested, where this one has it.
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo avx512 REGEX "avx512f.*avx512vl" LIMIT_COUNT 1)
  if(avx512)
    target_compile_options(test_ndp_host_gather_lanes PRIVATE -march=x86-64-v4)
    set_target_properties(test_ndp_host_gather_lanes PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endif()

# One program a room.
set(folders ${sources})
list(TRANSFORM folders REPLACE "/[^/]*$" "")
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
  set(in_folder ${sources})
  list(FILTER in_folder INCLUDE REGEX "^${folder}/[^/]*$")
  cmake_path(
    RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE name
  )
  string(REPLACE / _ name ${name})
  fettle_add_tests(${name} SOURCES ${in_folder})
endforeach()

add_executable(test_variant_without_rtti variant/without_rtti.cpp)
target_compile_options(test_variant_without_rtti PRIVATE -fno-rtti -O0)
target_link_libraries(test_variant_without_rtti PRIVATE fettle_settings Threads::Threads)
add_dependencies(quick_tests test_variant_without_rtti)
add_test(NAME variant.without_rtti COMMAND test_variant_without_rtti)
set_tests_properties(variant.without_rtti PROPERTIES LABELS "cxx;variant;quick")

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
      COMMAND test_variant_evaluation_tsan "[.race][${place}]"
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
