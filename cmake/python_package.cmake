# The Python package in the build tree: ${PROJECT_BINARY_DIR}/python/fettle holds a copy of
# python/fettle with the extension module _native beside it, kept up to date by every build (target
# fettle_python). Where the presets made a virtual environment, `import fettle` and the command
# `fettle` work in it.

set(fettle_python_folder ${PROJECT_BINARY_DIR}/python)

# Without pybind11 (a plain `cmake -B build` installs nothing) the package is left out, and the
# tests say so.
execute_process(
  COMMAND ${FETTLE_PYTHON} -m pybind11 --cmakedir
  OUTPUT_VARIABLE pybind11_DIR
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET
  RESULT_VARIABLE failed
)
if(NOT failed EQUAL 0)
  message(
    STATUS
    "Python package: left out, because ${FETTLE_PYTHON} has no pybind11. `cmake --workflow --preset "
    "demo` installs what it needs; or name a Python that has it: -DFETTLE_PYTHON=PATH"
  )
  return()
endif()

add_custom_target(
  fettle_python_sources
  ALL
  COMMAND
    ${CMAKE_COMMAND} -D source=${PROJECT_SOURCE_DIR}/python/fettle -D
    destination=${fettle_python_folder}/fettle -P
    ${PROJECT_SOURCE_DIR}/cmake/mirror_python_sources.cmake
  # Programs of the tests, which write no bytecode, start in two thirds of the time.
  COMMAND ${FETTLE_PYTHON} -m compileall -q ${fettle_python_folder}/fettle
  COMMENT ""
  VERBATIM
)
add_custom_target(fettle_python ALL DEPENDS fettle_python_sources)

if(EXISTS ${PROJECT_SOURCE_DIR}/python/native/module.cpp)
  set(Python_EXECUTABLE ${FETTLE_PYTHON})
  add_subdirectory(${PROJECT_SOURCE_DIR}/python ${fettle_python_folder}-build)
  set_target_properties(_native PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${fettle_python_folder}/fettle)
  target_link_libraries(_native PRIVATE fettle::compiled)
  # Bindings, and readers of short files: -O2 costs a quarter more to compile, to no use.
  target_compile_options(_native PRIVATE $<IF:$<BOOL:${FETTLE_OPTIMIZE_PROGRAMS}>,-O1,-O0>)
  add_dependencies(fettle_python _native)
endif()

# The environment in the build tree finds the package through a .pth file, and gets the command line
# tool.
if(FETTLE_PYTHON STREQUAL "${PROJECT_BINARY_DIR}/venv/bin/python")
  file(GLOB site_packages ${PROJECT_BINARY_DIR}/venv/lib/python3*/site-packages)
  file(WRITE ${site_packages}/fettle.pth "${fettle_python_folder}\n")
  file(
    CONFIGURE
    OUTPUT ${PROJECT_BINARY_DIR}/venv/bin/fettle
    @ONLY
    CONTENT "#!@FETTLE_PYTHON@\nfrom fettle.cli import main\n\nraise SystemExit(main())\n"
  )
  file(
    CHMOD ${PROJECT_BINARY_DIR}/venv/bin/fettle
    PERMISSIONS
      OWNER_READ
      OWNER_WRITE
      OWNER_EXECUTE
      GROUP_READ
      GROUP_EXECUTE
      WORLD_READ
      WORLD_EXECUTE
  )
endif()
