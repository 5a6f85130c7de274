# The Python tests, against the package in the build tree: one ctest entry a folder of tests/python,
# because starting the interpreter with its packages takes seconds; and one entry a file that compiles
# programs, which takes longest and runs beside others. fettle_add_pytest for tests elsewhere.

# What a test may rely on: the built package, a compiler, the headers; nothing is written into the
# source tree.
set(
  fettle_python_environment
  PYTHONPATH=${PROJECT_BINARY_DIR}/python
  PYTHONDONTWRITEBYTECODE=1
  MPLBACKEND=Agg
  FETTLE_CXX=${CMAKE_CXX_COMPILER}
  FETTLE_SOURCE_DIR=${PROJECT_SOURCE_DIR}
  FETTLE_BUILD_DIR=${PROJECT_BINARY_DIR}
  OPENBLAS_NUM_THREADS=1 # ctest runs a test a core
)

# fettle_add_pytest(NAME FILE...): test files as one ctest entry; skipped where pytest is missing.
function(fettle_add_pytest name)
  set(probe "${FETTLE_PYTHON} -m pytest --version")
  fettle_add_checked_test(${name} "${probe}"
    ${FETTLE_PYTHON} -m pytest -q -p no:cacheprovider --rootdir ${PROJECT_SOURCE_DIR}
    -c ${PROJECT_SOURCE_DIR}/python/pyproject.toml ${ARGN}
  )
  set_tests_properties(
    ${name}
    PROPERTIES TIMEOUT ${fettle_patience} LABELS python ENVIRONMENT "${fettle_python_environment}"
  )
endfunction()

if(TARGET fettle_python)
  # Tests of the preset quick: they compile nothing and take seconds.
  set(fettle_quick_python "^python[.](core|data|processes|store)$")
  add_dependencies(quick_tests fettle_python)
  # Test programs link it: a library older than the headers would not fit them.
  add_dependencies(fettle_python fettle_compiled)
  # What helpers of tests compile with; a file that names one of them compiles programs.
  set(fettle_compiling "COMPILER|[^_]build_command\\(|tuner_of|nvcc")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/python/test_*.py)
  if(NOT FETTLE_THOROUGH_TESTS)
    list(FILTER sources EXCLUDE REGEX "ndp/test_cuda_build") # test_cuda_compiles is shorter
  endif()
  set(folders)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(
      RELATIVE_PATH folder
      BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      OUTPUT_VARIABLE name
    )
    string(REPLACE / . name ${name})
    file(STRINGS ${source} compiles REGEX "${fettle_compiling}" LIMIT_COUNT 1)
    if(compiles OR name STREQUAL python)
      cmake_path(GET source STEM LAST_ONLY stem)
      string(REGEX REPLACE "^test_" "" stem ${stem})
      fettle_add_pytest(${name}.${stem} ${source})
      set_tests_properties(${name}.${stem} PROPERTIES COST 20) # the long ones start first
    else()
      list(APPEND folders ${name})
      list(APPEND fettle_files_of_${name} ${source})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(name IN LISTS folders)
    fettle_add_pytest(${name} ${fettle_files_of_${name}})
    set_tests_properties(${name} PROPERTIES COST 10)
    if(name MATCHES "${fettle_quick_python}")
      set_property(TEST ${name} APPEND PROPERTY LABELS quick)
    endif()
  endforeach()
else()
  message(STATUS "Python tests: left out, because the Python package is not built")
endif()
