# The documentation as pages, in ${PROJECT_BINARY_DIR}/site/html (target documentation): the Markdown
# files and a reference of all public names, made from their comments. The build fails on a public name
# that the reference lacks, and on a link that leads nowhere.

find_program(FETTLE_DOXYGEN doxygen)
mark_as_advanced(FETTLE_DOXYGEN)
execute_process(
  COMMAND ${FETTLE_PYTHON} -c "import breathe, furo, myst_parser, sphinx"
  RESULT_VARIABLE failed
  ERROR_QUIET
)
if(NOT FETTLE_DOXYGEN OR NOT failed EQUAL 0 OR NOT TARGET fettle_python)
  message(
    FATAL_ERROR
    "FETTLE_BUILD_DOCS needs Doxygen, Fettle's Python package, and Sphinx, Furo, MyST and Breathe in "
    "${FETTLE_PYTHON}. `cmake --workflow --preset docs` installs them."
  )
endif()

set(site ${PROJECT_SOURCE_DIR}/docs/site)
set(built ${PROJECT_BINARY_DIR}/site)
set(
  environment
  ${CMAKE_COMMAND}
  -E
  env
  PYTHONPATH=${fettle_python_folder}
  PYTHONDONTWRITEBYTECODE=1
  FETTLE_DOCS=${built}
)
add_custom_target(
  documentation
  COMMAND ${CMAKE_COMMAND} -E make_directory ${built}/doxygen
  COMMAND ${environment} ${FETTLE_PYTHON} ${site}/stage.py ${built}
  COMMAND ${environment} ${FETTLE_DOXYGEN} ${site}/Doxyfile
  COMMAND
    ${environment} ${FETTLE_PYTHON} -m sphinx -q -W --keep-going -c ${site} ${built}/pages
    ${built}/html
  COMMAND ${environment} ${FETTLE_PYTHON} ${site}/check.py ${built}/html
  COMMENT "Building the documentation"
  VERBATIM
)
add_dependencies(documentation fettle_python)
