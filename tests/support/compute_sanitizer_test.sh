#!/bin/sh
# compute_sanitizer.sh against stand-ins: what it passes on, and when it skips.
set -eu

script=$(dirname "$0")/compute_sanitizer.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/sanitizer" << 'EOF'
#!/bin/sh
echo "sizes=$FETTLE_TEST_SIZES $*"
exit 99
EOF
cat > "$folder/program" << 'EOF'
#!/bin/sh
exit 0
EOF
cat > "$folder/without_gpu" << 'EOF'
#!/bin/sh
echo "skipped: needs a GPU"
exit 77
EOF
chmod +x "$folder/sanitizer" "$folder/program" "$folder/without_gpu"

# expect STATUS TEXT command...
expect() {
  status=$1
  text=$2
  shift 2
  got=0
  said=$("$@" 2>&1) || got=$?
  if [ "$got" != "$status" ] || ! echo "$said" | grep -qF -- "$text"; then
    echo "$*: wanted $status and '$text', got $got and '$said'"
    exit 1
  fi
}

run() { COMPUTE_SANITIZER=$1 sh "$script" "$2" "$3" case; }
expect 99 "sizes=small --tool racecheck --error-exitcode 99 $folder/program case" \
  run "$folder/sanitizer" racecheck "$folder/program"
expect 99 "--tool memcheck --error-exitcode 99 --report-api-errors no $folder/program case" \
  run "$folder/sanitizer" memcheck "$folder/program"
expect 77 "skipped: needs a GPU" run "$folder/sanitizer" memcheck "$folder/without_gpu"
expect 77 "skipped: needs $folder/none" run "$folder/none" memcheck "$folder/program"
expect 2 "memcheck|racecheck|initcheck|synccheck PROGRAM" \
  run "$folder/sanitizer" leakcheck "$folder/program"
echo "compute_sanitizer.sh passes on what it should, and skips where it should"
