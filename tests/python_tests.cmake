# The Python tests: one ctest entry a file tests/python/**/test_*.py, against the package in the
# build tree; and fettle_add_pytest for tests of Python files elsewhere.

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
)

# fettle_add_pytest(NAME FILE): one test file as one ctest entry; skipped where pytest is missing.
function(fettle_add_pytest name file)
  set(probe "${FETTLE_PYTHON} -m pytest --version")
  fettle_add_checked_test(${name} "${probe}"
    ${FETTLE_PYTHON} -m pytest -q -p no:cacheprovider --rootdir ${PROJECT_SOURCE_DIR}
    -c ${PROJECT_SOURCE_DIR}/python/pyproject.toml ${file}
  )
  set_tests_properties(
    ${name}
    PROPERTIES TIMEOUT ${fettle_patience} LABELS python ENVIRONMENT "${fettle_python_environment}"
  )
endfunction()

if(TARGET fettle_python)
  # Tests of the preset quick: they compile nothing and take seconds.
  set(fettle_quick_python "^(core|data|processes|store)[.]")
  add_dependencies(quick_tests fettle_python)
  file(
    GLOB_RECURSE sources
    CONFIGURE_DEPENDS
    RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/python
    ${CMAKE_CURRENT_SOURCE_DIR}/python/test_*.py
  )
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "\\.py$" "" name ${source})
    string(REPLACE "/" "." name ${name})
    string(REPLACE "test_" "" name ${name})
    fettle_add_pytest(python.${name} ${CMAKE_CURRENT_SOURCE_DIR}/python/${source})
    if(name MATCHES "${fettle_quick_python}")
      set_property(TEST python.${name} APPEND PROPERTY LABELS quick)
    endif()
  endforeach()
else()
  message(STATUS "Python tests: left out, because the Python package is not built")
endif()
