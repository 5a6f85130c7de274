# Tests of the NDP examples: their headers by Catch2 programs, their programs by running them. The
# programs compare what they compute with serial loops themselves; those for a GPU are
# programs where there is one (fettle_add_cuda_program).
if(NOT TARGET ndp_reduction_openmp OR FETTLE_SANITIZE MATCHES thread)
  return()  # the thread sanitizer cannot see into OpenMP's library
endif()

file(GLOB sources CONFIGURE_DEPENDS ndp_*_test.cpp)
if(NOT TARGET ndp_kmeans_openmp)
  list(FILTER sources EXCLUDE REGEX "kmeans")
endif()
fettle_add_tests(examples_ndp LINK ndp_example_headers SOURCES ${sources})

# Sets ${result} to whether a target is there and a program, not only objects.
function(fettle_is_program target result)
  set(type)
  if(TARGET ${target})
    get_target_property(type ${target} TYPE)
  endif()
  if(type STREQUAL EXECUTABLE)
    set(${result} ON PARENT_SCOPE)
  else()
    set(${result} OFF PARENT_SCOPE)
  endif()
endfunction()

# fettle_run_ndp_program(NAME TEST arguments...): runs ndp_NAME_openmp and ndp_NAME_cuda.
function(fettle_run_ndp_program name test)
  foreach(program IN ITEMS ndp_${name}_openmp ndp_${name}_cuda)
    fettle_is_program(${program} is_program)
    if(is_program)
      add_test(NAME examples.${program}_${test} COMMAND ${program} ${ARGN})
      # Threads that wait yield: tests share the processor with others.
      set_tests_properties(
        examples.${program}_${test}
        PROPERTIES
          SKIP_RETURN_CODE ${fettle_skip}
          ENVIRONMENT OMP_WAIT_POLICY=passive
          LABELS examples
      )
    endif()
  endforeach()
endfunction()

fettle_run_ndp_program(reduction in_tiles 20001 64)
fettle_run_ndp_program(reduction in_one_tile 1000 5000)
fettle_run_ndp_program(scan in_tiles 20001 64)
fettle_run_ndp_program(scan in_one_tile 1000 5000)
fettle_run_ndp_program(spmv stencil generate:stencil:points=5,side=30,seed=1)
fettle_run_ndp_program(spmv power_law generate:power_law:rows=2000,mean=8,exponent=2.1,seed=2)
fettle_run_ndp_program(spmv empty_rows generate:empty_rows:rows=3000,mean=6,empty=0.7,seed=3)
fettle_run_ndp_program(kmeans small 1000 8 5 5)
fettle_run_ndp_program(kmeans one_cluster 100 3 1 2)
fettle_run_ndp_program(comd small 5 32)
fettle_run_ndp_program(pagerank small 3000 5 10)
fettle_run_ndp_program(pagerank one_page 1 1 3)
fettle_run_ndp_program(conjugate_gradients small 20 10)
fettle_run_ndp_program(conjugate_gradients converged 2 8)
fettle_run_ndp_program(attention small 300 16)
fettle_run_ndp_program(attention few_keys 4 1)

foreach(program IN ITEMS reduction scan spmv kmeans comd)
  if(TARGET ndp_${program}_openmp)
    fettle_add_output_test(
      examples.ndp_${program}_refuses_nonsense
      1
      "${program}: .*nonsense.*"
      $<TARGET_FILE:ndp_${program}_openmp>
      nonsense
    )
  endif()
endforeach()

set(row_sums "^1\n5\n0\n15\n")
fettle_add_output_test(
  examples.ndp_hello_openmp 0 "${row_sums}" $<TARGET_FILE:ndp_hello_openmp>
)
fettle_is_program(ndp_hello_cuda is_program)
if(is_program)
  fettle_add_checked_test(examples.ndp_hello_cuda "nvidia-smi -L" $<TARGET_FILE:ndp_hello_cuda>)
  set_tests_properties(
    examples.ndp_hello_cuda
    PROPERTIES PASS_REGULAR_EXPRESSION "${row_sums}$" LABELS examples
  )
endif()
