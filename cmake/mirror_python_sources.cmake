# Makes ${destination} mirror the sources in ${source}: new and changed files are copied, files
# whose source is gone are deleted, built files (the extension module, Python's caches) are left
# alone. Run as `cmake -P` by every build.
file(GLOB_RECURSE sources RELATIVE ${source} ${source}/*)
list(FILTER sources EXCLUDE REGEX "__pycache__|\\.so$")
foreach(name IN LISTS sources)
  configure_file(${source}/${name} ${destination}/${name} COPYONLY)
endforeach()
file(GLOB_RECURSE copies RELATIVE ${destination} ${destination}/*)
list(FILTER copies EXCLUDE REGEX "__pycache__|\\.so$")
list(REMOVE_ITEM copies ${sources})
foreach(name IN LISTS copies)
  file(REMOVE ${destination}/${name})
endforeach()
