# The tests with threads under ThreadSanitizer. Archer, which comes with clang's OpenMP library, tells it
# what OpenMP's barriers and joins order; without it every parallel loop would be reported.
get_filename_component(clang_folder ${CMAKE_C_COMPILER} REALPATH)
get_filename_component(clang_folder ${clang_folder} DIRECTORY)
find_library(SPN_ARCHER archer HINTS ${clang_folder}/../lib)
if(NOT SPN_ARCHER)
  message(FATAL_ERROR "libarcher was not found; it comes with clang's OpenMP library (libomp-dev)")
endif()
set(tsan_environment "OMP_TOOL_LIBRARIES=${SPN_ARCHER};OMP_NUM_THREADS=3;OMP_WAIT_POLICY=passive"
  "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:ignore_noninstrumented_modules=1")
add_test(NAME threads/program
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/threads/program $<TARGET_FILE:spinney>)
set_tests_properties(threads/program PROPERTIES LABELS threads)
foreach(name ${thread_tests})
  set_property(TEST unit/${name} PROPERTY ENVIRONMENT "${tsan_environment}")
endforeach()
set_property(TEST threads/program PROPERTY ENVIRONMENT "${tsan_environment}")
