# The GPU forms of the examples against the host, on a few inputs of every family: sizes 0 and 1 too. They
# run where there is a GPU and the target examples_gpu was built. Where FETTLE_COMPUTE_SANITIZER wants it, the
# inputs up to SMALL are also run under memcheck and racecheck.
function(fettle_add_gpu_example_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SMALL;TOOLS;LARGE")
  if(NOT TARGET example_${name}_gpu)
    return()
  endif()
  set(program $<TARGET_FILE:example_${name}_gpu>)
  fettle_add_checked_test(
    examples.${name}_gpu "nvidia-smi -L && test -x ${program}"
    ${program} --check ${arg_SMALL} ${arg_LARGE}
  )
  if(NOT FETTLE_COMPUTE_SANITIZER)
    return()
  endif()
  set(sanitizer compute-sanitizer)
  if(FETTLE_COMPUTE_SANITIZER_PROGRAM)
    set(sanitizer ${FETTLE_COMPUTE_SANITIZER_PROGRAM})
  endif()
  foreach(tool IN LISTS arg_TOOLS)
    fettle_add_checked_test(
      examples.${name}_gpu.${tool} "nvidia-smi -L && test -x ${program} && ${sanitizer} --version"
      ${sanitizer} --tool ${tool} --error-exitcode 99
      ${program} --check ${arg_SMALL}
    )
    set_tests_properties(
      examples.${name}_gpu.${tool}
      PROPERTIES TIMEOUT 300 LABELS "compute_sanitizer;${tool}"
    )
  endforeach()
endfunction()

# Files that no generator makes: nothing at all, and a system that no solver solves.
set(folder ${CMAKE_CURRENT_BINARY_DIR}/gpu_inputs)
set(header "%%MatrixMarket matrix coordinate")
file(WRITE ${folder}/empty.mtx "${header} pattern general\n5 5 0\n")
set(turning "${header} real general\n20 20 20\n") # (0 I; -I 0)
foreach(row RANGE 1 10)
  math(EXPR other "${row} + 10")
  string(APPEND turning "${row} ${other} 1\n${other} ${row} -1\n")
endforeach()
file(WRITE ${folder}/turning.mtx "${turning}")
file(WRITE ${folder}/zero.pgm "P5\n0 0\n255\n")

fettle_add_gpu_example_test(
  sort
  TOOLS memcheck racecheck
  SMALL
    uniform:0:float
    uniform:1:double
    few_unique:33:float
    uniform:5000:float:nan=0.05
    normal:5000:float
    exponential:5000:double
    reverse:9000:double
    sorted:9000:float
    runs:30000:double
    swapped:30000:float
    nearly:20000:float
  LARGE runs:300000:double uniform:3000000:double
)
fettle_add_gpu_example_test(
  histogram
  TOOLS memcheck racecheck
  SMALL
    uniform:0:u8
    ${folder}/zero.pgm
    uniform:1:u16
    noise:7:u32:bins=1
    uniform:3001:u8:bins=7
    uniform:4096:u8:bins=256
    uniform:4097:u8:bins=255
    flat:9000:u8
    gradient:5000:u8
    text:5000:u8
    blobs:5000:u16
    waves:5000:u16
    salt:4001:u32:bins=5000
    noise:30000:u16:bins=65536
  LARGE uniform:3000000:u32:bins=1048576 flat:3000000:u32:bins=1048576
)
fettle_add_gpu_example_test(
  spmv
  TOOLS memcheck # racecheck reports kernels of cuSPARSE
  SMALL
    ${folder}/empty.mtx
    generate:stencil:points=5,side=1,seed=1
    generate:stencil:points=9,side=20,seed=1
    generate:finite_elements:nodes=60,block=3,neighbours=8,seed=1
    generate:banded:rows=901,width=5,density=0.5,seed=1
    generate:power_law:rows=2000,mean=5,exponent=1.5,seed=1
    generate:uniform:rows=900,columns=900,mean=8,spread=4,reach=0,seed=1
    generate:block_diagonal:blocks=20,size=9,seed=1
    generate:diagonals:rows=900,count=5,reach=60,seed=1
    generate:empty_rows:rows=1000,mean=2,empty=0.9,seed=3
    generate:long_rows:rows=1000,mean=3,count=3,fill=0.6,seed=2
)
fettle_add_gpu_example_test(
  transpose
  TOOLS memcheck racecheck
  SMALL
    general:0x5:double
    general:1:double
    general:1x40:double
    wide:40x1:float
    general:30x42:double:columns=1
    square:1000:float
    near_square:5000:double
    power_of_two:5000:float
    common_factor:5000:double
    coprime:30000:float
    general:7x64:float
    tall:4000x2:double
    general:60000x60:double
    general:1900x2001:double
  LARGE
    general:64x3000:double
    general:3000x33:float
    skinny_tall:5000000:double
    skinny_wide:8000000:float
    general:3000x4000:double
    general:30000x700:double
    coprime:3000000:float
)
fettle_add_gpu_example_test(
  bfs
  TOOLS memcheck racecheck
  SMALL
    ${folder}/empty.mtx
    rmat:0:directed
    rmat:1:undirected
    uniform:300:directed:degree=1
    rmat:2000:undirected:degree=9
    hubs:2000:undirected:degree=9
    geometric:2000:undirected:degree=9
    small_world:2000:undirected:degree=9
    ladder:100:undirected
    grid:2000:undirected
  LARGE grid:200000:undirected rmat:100000:undirected:degree=16
)
fettle_add_gpu_example_test(
  solvers
  TOOLS memcheck # racecheck reports kernels of cuSPARSE
  SMALL
    ${folder}/turning.mtx
    laplace:0:double
    laplace:1:double
    laplace:300:double:points=27
    anisotropic:300:double:ratio=1
    jumping:300:double:jump=3.16e+03
    shifted:300:double:shift=0.0173
    network:300:double:degree=8
    blocks:300:double:indefinite=1
    biharmonic:300:double
    waves:300:double:ratio=1,shift=0.0122
    stiff:300:double
    plates:300:double:ratio=38.7
    contrast:300:double:sigma=1.1
    mesh:300:double:degree=10,mass=0.01
    elastic:300:double:ratio=0.447
    banded:300:double:dominance=0.775
    scaled:300:double:decades=3.16
    periodic:300:double:mass=0.00316
    twofold:300:double:coupling=0.548
    layers:300:double:jump=1e+03
    chain:300:double:decades=0.775,mass=0.01
    tree:300:double:spread=32,mass=0.01
    fields:300:double:fields=4,coupling=3.16,indefinite=1
    cracked:300:double:missing=0.0707
  LARGE jumping:10000:double:jump=1000
)
fettle_add_gpu_example_test(
  spmv_anywhere
  TOOLS memcheck racecheck
  SMALL
    host:generate:stencil:points=5,side=1,seed=1
    resident:generate:stencil:points=9,side=20,seed=1
    host:generate:power_law:rows=2000,mean=5,exponent=1.5,seed=1
    resident:generate:empty_rows:rows=1000,mean=2,empty=0.9,seed=3
)
fettle_add_gpu_example_test(
  sort_anywhere
  TOOLS memcheck racecheck
  SMALL
    uniform:0:float
    uniform:1:double
    reverse:2:float
    few_unique:33:float
    uniform:5000:float:nan=0.05
    reverse:9000:double
    swapped:30000:float
  LARGE runs:300000:double
)
