# Distribution packages: which of ${fettle_packages} are missing, and how they are installed. See
# setup.cmake.

# Sets ${result} to the packages whose program or header cannot be found, cheaply: a few look-ups,
# no package manager.
function(fettle_missing_packages result)
  find_program(nvcc nvcc PATHS /usr/local/cuda/bin NO_CACHE)
  cmake_path(GET nvcc PARENT_PATH nvcc_folder)
  set(missing)
  foreach(package IN LISTS fettle_packages)
    if(DEFINED fettle_program_${package})
      find_program(found NAMES ${fettle_program_${package}} NO_CACHE)
    else()
      find_path(
        found
        NAMES ${fettle_header_${package}} NO_CACHE
        PATHS /usr/local/include /usr/include ${nvcc_folder}/../include
      )
    endif()
    if(NOT found)
      list(APPEND missing ${package})
    endif()
    unset(found)
  endforeach()
  if(NOT fettle_base_python)
    list(APPEND missing python3 python3-venv python3-dev)
  endif()
  set(${result} "${missing}" PARENT_SCOPE)
endfunction()

# Sets ${result} to the words before apt-get that let it run as root: none for root itself, sudo
# otherwise.
function(fettle_root_command result)
  execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(command_line "")
  if(NOT user STREQUAL "0")
    find_program(sudo sudo NO_CACHE)
    set(usable 1)
    if(sudo)
      # Without a terminal sudo cannot ask for a password, so it has to work without one.
      execute_process(
        COMMAND sh -c "sudo -n true || : < /dev/tty"
        RESULT_VARIABLE usable
        OUTPUT_QUIET
        ERROR_QUIET
      )
    endif()
    if(NOT usable EQUAL 0)
      string(JOIN " " packages ${ARGN})
      message(
        FATAL_ERROR
        "Fettle needs packages that only root can install, and neither is this user root nor does "
        "sudo work here. Run this as root, then the same command again:\n"
        "  apt-get update && apt-get install -y --no-install-recommends ${packages}"
      )
    endif()
    set(command_line ${sudo})
  endif()
  set(${result} "${command_line}" PARENT_SCOPE)
endfunction()

function(fettle_install_packages)
  fettle_missing_packages(missing)
  if(NOT missing)
    return()
  endif()
  string(JOIN " " packages ${missing})
  find_program(apt_get apt-get NO_CACHE)
  if(NOT apt_get)
    message(
      FATAL_ERROR
      "Fettle's presets install missing packages through apt-get, which this machine does not have."
      " Install what these Debian packages hold, then run the same command again: ${packages}"
    )
  endif()
  message(STATUS "Missing on this machine; apt-get installs it now:")
  foreach(package IN LISTS missing)
    if(DEFINED fettle_why_${package})
      message(STATUS "  ${package}: ${fettle_why_${package}}")
    else()
      message(STATUS "  ${package}: the tuner is a Python package with an extension module")
    endif()
  endforeach()
  fettle_root_command(root ${missing})

  set(
    apt
    ${root}
    env
    DEBIAN_FRONTEND=noninteractive
    ${apt_get}
    -q
    -y
  )
  set(install ${apt} install --no-install-recommends ${missing})
  set(log ${CMAKE_BINARY_DIR}/apt-get.log)
  set(
    into_log
    INPUT_FILE
    /dev/null
    OUTPUT_FILE
    ${log}
    ERROR_FILE
    ${log}
  )
  file(GLOB package_lists /var/lib/apt/lists/*_Packages*)
  set(failed 1)
  if(package_lists)
    execute_process(COMMAND ${install} RESULT_VARIABLE failed ${into_log})
  endif()
  if(failed) # no package lists, or lists so old that their packages are gone
    execute_process(COMMAND ${apt} update ${into_log})
    execute_process(COMMAND ${install} RESULT_VARIABLE failed ${into_log})
  endif()
  if(failed)
    file(READ ${log} said)
    message(
      FATAL_ERROR
      "apt-get could not install ${packages}. Is this machine online? Once it is, "
      "run the same command again. What apt-get said:\n${said}"
    )
  endif()
  if(NOT fettle_base_python)
    fettle_find_base_python()
    set(fettle_base_python "${fettle_base_python}" PARENT_SCOPE)
    if(NOT fettle_base_python)
      message(
        FATAL_ERROR
        "Fettle needs Python >= 3.10 with venv, ensurepip and its headers; /usr/bin/python3 is not "
        "that even with python3-venv and python3-dev installed. Put a newer python3 on PATH."
      )
    endif()
  endif()
endfunction()
