# fettle::compiled: a static library of all functions of Fettle that are not templates. What links it
# compiles in a fraction of the time, because its headers then only declare those functions.
#
# It is made where it is used, by the project's own compiler and flags, from what its headers
# include: there is no binary that could differ from them. Nothing is built where nothing links it.
if(NOT TARGET fettle_compiled)
  file(
    CONFIGURE
    OUTPUT ${CMAKE_BINARY_DIR}/fettle_compiled.cpp
    CONTENT "#include <fettle/compiled.ipp>\n"
  )
  add_library(fettle_compiled STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/fettle_compiled.cpp)
  add_library(fettle::compiled ALIAS fettle_compiled)
  set_target_properties(fettle_compiled PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_definitions(fettle_compiled PUBLIC FETTLE_COMPILED)
  target_link_libraries(fettle_compiled PUBLIC fettle::fettle)
endif()
