#!/bin/sh
# One tool of compute-sanitizer over a program that runs kernels, which is told to keep sizes small:
#
#   compute_sanitizer.sh memcheck|racecheck|initcheck|synccheck PROGRAM [argument...]
#
# Ends with 77 and says why where there is no GPU or no compute-sanitizer (COMPUTE_SANITIZER, or on
# PATH); with 99 where the tool found something; else with the program's own status.
# `cmake --workflow --preset compute-sanitizer` does it for every GPU test and every tool.
set -eu

usage() {
  sed -n 's/^# \{0,1\}//; 2,7p' "$0" >&2
  exit 2
}
[ "$#" -ge 2 ] || usage
tool=$1
shift
sanitizer=${COMPUTE_SANITIZER:-compute-sanitizer}
if ! command -v "$sanitizer" > /dev/null 2>&1; then
  echo "skipped: needs $sanitizer, which comes with the CUDA toolkit"
  exit 77
fi
# Every test program says before anything else whether there is a GPU.
status=0
answer=$("$1" -h 2>&1) || status=$?
if [ "$status" -ne 0 ]; then
  echo "$answer"
  exit "$status"
fi
case $tool in
  # Tests of error messages make calls that fail: those are no findings.
  memcheck) set -- --report-api-errors no "$@" ;;
  racecheck | initcheck | synccheck) ;;
  *) usage ;;
esac
FETTLE_TEST_SIZES=small
export FETTLE_TEST_SIZES
exec "$sanitizer" --tool "$tool" --error-exitcode 99 "$@"
