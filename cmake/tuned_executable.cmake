# fettle_add_tuned_executable: an executable whose nested data-parallel computations are tuned while
# it is built. Comes with fettleConfig.cmake, too.
#
#   fettle_add_tuned_executable(spmv SOURCES spmv.cpp TUNE tune.py [DEPENDS matrix.hpp ...])
#   target_link_libraries(spmv PRIVATE OpenMP::OpenMP_CXX)
#
# The build runs `fettle tune` with the script, whose NdpTuner builds, measures and trains; then the
# sources are compiled with the header that it writes. That happens again when the script, the
# sources or what DEPENDS names have changed; what was measured is not measured again. Everything
# lies in the build tree, in <target>.tuned/. The script finds the C++ compiler of this build in CXX,
# and has the target's source folder as its working directory.
#
# FETTLE_TUNE=OFF leaves the tuning out: the computations run by their default rules.
option(FETTLE_TUNE "Tune the executables of fettle_add_tuned_executable" ON)

function(fettle_add_tuned_executable target)
  cmake_parse_arguments(PARSE_ARGV 1 its "" "TUNE" "SOURCES;DEPENDS")
  if(NOT its_SOURCES OR NOT its_TUNE OR its_UNPARSED_ARGUMENTS)
    message(
      FATAL_ERROR
      "fettle_add_tuned_executable(${target} ...) needs SOURCES and TUNE, as in: "
      "fettle_add_tuned_executable(${target} SOURCES spmv.cpp TUNE tune.py)"
    )
  endif()
  add_executable(${target} ${its_SOURCES})
  target_link_libraries(${target} PRIVATE fettle::fettle)
  if(NOT FETTLE_TUNE)
    return()
  endif()

  fettle_tuner_command(command needed)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.tuned)
  set(header ${folder}/fettle_config.hpp)
  set(script ${its_TUNE})
  cmake_path(ABSOLUTE_PATH script BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set(includes $<TARGET_PROPERTY:fettle::fettle,INTERFACE_INCLUDE_DIRECTORIES>)
  # The header is written last, and only where it changes; the stamp says that tuning was done.
  add_custom_command(
    OUTPUT ${folder}/tuned.stamp
    BYPRODUCTS ${header}
    COMMAND
      ${CMAKE_COMMAND} -E env CXX=${CMAKE_CXX_COMPILER} FETTLE_INCLUDE=${includes} ${command} tune
      --plain --allow-busy --output ${header} --build-directory ${folder}/build --model-directory
      ${folder}/models ${script}
    COMMAND ${CMAKE_COMMAND} -E touch ${folder}/tuned.stamp
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    DEPENDS ${script} ${its_SOURCES} ${its_DEPENDS} ${needed}
    COMMENT "Tuning ${target}"
    USES_TERMINAL
    VERBATIM
  )
  target_sources(${target} PRIVATE ${folder}/tuned.stamp ${header})
  # Before everything else, so that the sources need not include it, nor find an older one.
  target_compile_options(${target} PRIVATE "SHELL:-include ${header}")
endfunction()

# How `fettle` is started, and the targets that it needs: by FETTLE_PYTHON, else by the Python that
# CMake finds.
function(fettle_tuner_command command_variable needed_variable)
  if(TARGET fettle_python) # Fettle's own build: the package is made by it
    set(path PYTHONPATH=${fettle_python_folder})
    set(${command_variable} ${path} ${FETTLE_PYTHON} -m fettle PARENT_SCOPE)
    set(${needed_variable} fettle_python PARENT_SCOPE)
    return()
  endif()
  if(NOT FETTLE_PYTHON)
    find_package(Python3 3.10 COMPONENTS Interpreter QUIET)
    set(FETTLE_PYTHON ${Python3_EXECUTABLE})
  endif()
  execute_process(
    COMMAND ${FETTLE_PYTHON} -c "import fettle.ndp.tuner"
    RESULT_VARIABLE failed
    ERROR_VARIABLE said
  )
  if(NOT failed EQUAL 0)
    message(
      FATAL_ERROR
      "fettle_add_tuned_executable needs the Python package fettle, which '${FETTLE_PYTHON}' does "
      "not have: pip install it, name another Python (-DFETTLE_PYTHON=PATH), or build without "
      "tuning (-DFETTLE_TUNE=OFF).\n${said}"
    )
  endif()
  set(${command_variable} ${FETTLE_PYTHON} -m fettle PARENT_SCOPE)
  set(${needed_variable} "" PARENT_SCOPE)
endfunction()
