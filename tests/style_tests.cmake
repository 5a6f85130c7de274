# Style and types: clang-format, ruff, mypy.

set(
  python_sources
  python
  tests
  benchmarks
  examples
  cmake
  docs
)
set(ruff ${FETTLE_PYTHON} -m ruff)
set(ruff_settings --no-cache --config python/pyproject.toml ${python_sources})
fettle_add_checked_test(style.ruff_check "${ruff} --version" ${ruff} check ${ruff_settings})
fettle_add_checked_test(style.ruff_format "${ruff} --version"
                        ${ruff} format --check ${ruff_settings}
)
fettle_add_checked_test(style.mypy "${FETTLE_PYTHON} -m mypy --version"
                        ${FETTLE_PYTHON} -m mypy --config-file python/pyproject.toml
                        --cache-dir ${PROJECT_BINARY_DIR}/mypy_cache python/fettle
)

# Every header in one translation unit, which tests/headers generates.
find_program(FETTLE_CLANG_TIDY NAMES clang-tidy-14 clang-tidy)
mark_as_advanced(FETTLE_CLANG_TIDY)
fettle_add_checked_test(style.clang_tidy "${FETTLE_CLANG_TIDY} --version | grep 'version 14'"
  ${FETTLE_CLANG_TIDY} --quiet --config-file=.clang-tidy
  ${CMAKE_CURRENT_BINARY_DIR}/headers/all_first.cpp -- -std=c++20 -Iinclude
)

cmake_path(GET FETTLE_PYTHON PARENT_PATH fettle_python_bin)
find_program(FETTLE_CLANG_FORMAT NAMES clang-format HINTS ${fettle_python_bin})
mark_as_advanced(FETTLE_CLANG_FORMAT)
# Not the golden files: they hold what the generators of headers write.
set(patterns "-name '*.[chi]pp' -o -name '*.cu' -o -name '*.cuh'")
fettle_add_checked_test(style.clang_format "${FETTLE_CLANG_FORMAT} --version | grep 'version 19'"
  sh -c "find include tests examples benchmarks python -name golden -prune -o \\( ${patterns} \\) \
-exec ${FETTLE_CLANG_FORMAT} --dry-run -Werror {} +"
)
