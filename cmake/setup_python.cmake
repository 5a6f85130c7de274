# The Python side of setup.cmake: a virtual environment in the build tree with the packages that
# python/pyproject.toml lists, made once for each state of that file.

# Sets fettle_base_python to a python3 that can make virtual environments and compile extension
# modules; "" if none.
function(fettle_find_base_python)
  set(
    suitable
    "import sys, venv, ensurepip, os, sysconfig
header = os.path.join(sysconfig.get_paths()['include'], 'Python.h')
sys.exit(sys.version_info < (3, 10) or not os.path.exists(header))"
  )
  find_program(on_path python3 NO_CACHE)
  set(fettle_base_python "" PARENT_SCOPE)
  foreach(python IN ITEMS ${on_path} /usr/bin/python3)
    execute_process(
      COMMAND ${python} -c "${suitable}"
      RESULT_VARIABLE failed
      OUTPUT_QUIET
      ERROR_QUIET
    )
    if(failed EQUAL 0)
      set(fettle_base_python ${python} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(fettle_install_python_packages)
  set(pyproject ${CMAKE_CURRENT_SOURCE_DIR}/python/pyproject.toml)
  set(environment ${CMAKE_BINARY_DIR}/venv)
  set(stamp ${environment}/fettle-requirements.stamp)
  file(SHA256 ${pyproject} fingerprint)
  string(APPEND fingerprint " ${fettle_python_extras}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pyproject})

  if(EXISTS ${stamp})
    file(READ ${stamp} installed)
    execute_process(
      COMMAND ${environment}/bin/python -c ""
      RESULT_VARIABLE broken
      OUTPUT_QUIET
      ERROR_QUIET
    )
    if(installed STREQUAL fingerprint AND broken EQUAL 0)
      return()
    endif()
  endif()

  execute_process(
    COMMAND ${environment}/bin/python -c "import pip"
    RESULT_VARIABLE broken
    OUTPUT_QUIET
    ERROR_QUIET
  )
  if(NOT broken EQUAL 0)
    message(STATUS "Making a Python virtual environment: ${environment}")
    execute_process(
      COMMAND ${fettle_base_python} -m venv --clear ${environment}
      RESULT_VARIABLE failed
    )
    if(failed)
      message(
        FATAL_ERROR
        "${fettle_base_python} could not make a virtual environment in ${environment}."
      )
    endif()
  endif()
  execute_process(
    COMMAND
      ${environment}/bin/python ${CMAKE_CURRENT_SOURCE_DIR}/cmake/python_requirements.py
      ${pyproject} ${fettle_python_extras}
    OUTPUT_VARIABLE requirements
    OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE failed
  )
  if(failed)
    message(
      FATAL_ERROR
      "The requirements in ${pyproject} could not be read; the message stands above."
    )
  endif()
  string(REPLACE "\n" ", " listed "${requirements}")
  message(STATUS "Installing the tuner's Python packages into it: ${listed}")
  string(REPLACE "\n" ";" requirements "${requirements}")
  execute_process(
    COMMAND
      ${environment}/bin/python -m pip install --quiet --disable-pip-version-check --no-input
      --use-pep517 ${requirements}
    RESULT_VARIABLE failed
    INPUT_FILE /dev/null
  )
  if(failed)
    message(
      FATAL_ERROR
      "pip could not install the tuner's Python packages (its own message stands above). Is this "
      "machine online? Run the same command again when it is."
    )
  endif()
  file(WRITE ${stamp} "${fingerprint}")
endfunction()
