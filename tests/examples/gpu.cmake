# The GPU forms of the examples against the host, on a few inputs of each kind: sizes 0 and 1 too. They
# run where there is a GPU and the target examples_gpu was built.
function(fettle_add_gpu_example_test name)
  if(NOT TARGET example_${name}_gpu)
    return()
  endif()
  set(program $<TARGET_FILE:example_${name}_gpu>)
  fettle_add_checked_test(
    examples.${name}_gpu "nvidia-smi -L && test -x ${program}" ${program} --check ${ARGN}
  )
endfunction()

fettle_add_gpu_example_test(
  sort
  uniform:0:float
  uniform:1:double
  few_unique:33:float
  uniform:5000:float:nan=0.05
  runs:9000:double
  swapped:30000:float
  uniform:3000000:double
)
fettle_add_gpu_example_test(
  histogram
  uniform:0:u8
  uniform:1:u16
  noise:7:u32:bins=1
  uniform:3001:u8:bins=7
  flat:9000:u8
  salt:4001:u32:bins=5000
  noise:30000:u16:bins=65536
  uniform:3000000:u32:bins=1048576
)
fettle_add_gpu_example_test(
  spmv
  generate:stencil:points=5,side=1,seed=1
  generate:stencil:points=9,side=20,seed=1
  generate:banded:rows=901,width=5,density=0.5,seed=1
  generate:power_law:rows=2000,mean=5,exponent=1.5,seed=1
  generate:empty_rows:rows=1000,mean=2,empty=0.9,seed=3
  generate:long_rows:rows=1000,mean=3,count=3,fill=0.6,seed=2
)
fettle_add_gpu_example_test(
  transpose
  general:0x5:double
  general:1:double
  general:1x40:double
  wide:40x1:float
  general:30x42:double:columns=1
  square:1000:float
  general:64x3000:double
  general:3000x33:float
  tall:4000x2:double
  general:7x64:float
  skinny_tall:5000000:double
  skinny_wide:8000000:float
  general:3000x4000:double
  general:30000x700:double
  coprime:3000000:float
)
