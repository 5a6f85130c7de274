# Installation and the CMake package: headers, fettleConfig.cmake, and the same package in the build
# tree, so that find_package(fettle) works from either.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(fettle_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/fettle)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fettle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fettle)

# fettle::tbb is not exported but made anew by fettleConfig.cmake: whether oneTBB exists is decided
# where Fettle is used.
install(TARGETS fettle EXPORT fettle_targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  EXPORT fettle_targets
  NAMESPACE fettle::
  FILE fettleTargets.cmake
  DESTINATION ${fettle_package_folder}
)
export(EXPORT fettle_targets NAMESPACE fettle:: FILE ${PROJECT_BINARY_DIR}/fettleTargets.cmake)

foreach(module IN ITEMS compiled_library.cmake tuned_executable.cmake)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${module} ${PROJECT_BINARY_DIR}/${module} COPYONLY)
endforeach()
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/fettleConfig.cmake.in
  ${PROJECT_BINARY_DIR}/fettleConfig.cmake
  INSTALL_DESTINATION ${fettle_package_folder}
)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/fettleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion # until version 1
  ARCH_INDEPENDENT
)
install(
  FILES
    ${PROJECT_BINARY_DIR}/fettleConfig.cmake
    ${PROJECT_BINARY_DIR}/fettleConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/compiled_library.cmake
    ${PROJECT_SOURCE_DIR}/cmake/tuned_executable.cmake
  DESTINATION ${fettle_package_folder}
)
