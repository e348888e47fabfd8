# Tests of the Python package. They are always registered, and skip themselves, saying why, where Python is
# not there. Under the sanitizers those that are marked for it, at once.
set(spn_python_run ${CMAKE_COMMAND} -E env CC=${CMAKE_C_COMPILER})
if(SPN_SANITIZE)
  add_test(NAME python/sanitize COMMAND ${spn_python_run} SANITIZE=1
    ${CMAKE_CURRENT_SOURCE_DIR}/python/run ${PROJECT_BINARY_DIR})
  set_tests_properties(python/sanitize PROPERTIES LABELS unit TIMEOUT ${spn_patience} SKIP_RETURN_CODE 77)
  return()
endif()
if(SPN_SANITIZE_THREAD)
  return()
endif()

file(GLOB python_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/tests/test_*.py)
foreach(file ${python_tests})
  get_filename_component(name ${file} NAME_WE)
  string(REPLACE test_ "" name ${name})
  add_test(NAME python/${name} COMMAND ${spn_python_run}
    ${CMAKE_CURRENT_SOURCE_DIR}/python/run ${PROJECT_BINARY_DIR} ${file})
  set_tests_properties(python/${name} PROPERTIES TIMEOUT ${spn_patience} SKIP_RETURN_CODE 77)
endforeach()
add_test(NAME python/wheel COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/python/wheel ${PROJECT_BINARY_DIR})
set_tests_properties(python/wheel PROPERTIES TIMEOUT ${spn_patience} SKIP_RETURN_CODE 77)
