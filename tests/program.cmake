# Tests of the whole: the program from the command line (cli/...), the layers, the version, the installed
# libraries from outside (install), what they promise (abi), and the same bits from gcc and clang
# (compilers). Each is registered where its tools are installed.
find_program(SPN_BATS bats)
find_program(SPN_PYTHON python3)
find_program(SPN_GCC gcc)
find_program(SPN_CLANG clang)
find_program(SPN_READELF readelf)

add_test(NAME layers COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-layers)
if(SPN_GIT)
  add_test(NAME version COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/version/run)
  add_test(NAME release COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/release/run $<TARGET_FILE:spinney>)
endif()

if(SPN_BATS AND SPN_PYTHON)
  file(GLOB cli_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli/*.bats)
  foreach(file ${cli_tests})
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME cli/${name} COMMAND ${SPN_BATS} ${file})
    set_tests_properties(cli/${name} PROPERTIES TIMEOUT ${spn_patience}
      ENVIRONMENT "SPINNEY=$<TARGET_FILE:spinney>")
  endforeach()
else()
  message(STATUS "bats and python3 were not both found: no tests of the command line")
endif()

# Files that strangers could send, under limits of memory and time, which the sanitizers do not keep.
if(SPN_PYTHON AND NOT SPN_SANITIZE)
  add_test(NAME hostile COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/hostile/run $<TARGET_FILE:spinney>)
  set_tests_properties(hostile PROPERTIES TIMEOUT ${spn_patience})
endif()

# Every command with its n-th operation failing; under the sanitizers a few of each, for leaks.
if(SPN_PYTHON)
  set(spn_faults ${SPN_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/faults/run ${PROJECT_BINARY_DIR})
  if(SPN_SANITIZE)
    add_test(NAME faults COMMAND ${spn_faults} --leaks)
    set_tests_properties(faults PROPERTIES LABELS unit)
  else()
    add_test(NAME faults COMMAND ${spn_faults})
  endif()
  set_tests_properties(faults PROPERTIES TIMEOUT ${spn_patience})
else()
  message(STATUS "python3 was not found: no tests of faults")
endif()

find_program(SPN_NODE node)
find_program(SPN_CHROMIUM NAMES chromium chromium-browser google-chrome)
add_test(NAME site COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/site/run ${PROJECT_BINARY_DIR})
set_tests_properties(site PROPERTIES TIMEOUT ${spn_patience} SKIP_RETURN_CODE 77)
if(SPN_NODE AND SPN_CHROMIUM)
  set_tests_properties(site PROPERTIES ENVIRONMENT "NODE=${SPN_NODE};CHROMIUM=${SPN_CHROMIUM}")
endif()
if(SPN_NODE AND SPN_CHROMIUM)
  add_test(NAME page COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/page/run $<TARGET_FILE:spinney>
    $<TARGET_FILE:make_sweep>)
  set_tests_properties(page PROPERTIES TIMEOUT ${spn_patience}
    ENVIRONMENT "NODE=${SPN_NODE};CHROMIUM=${SPN_CHROMIUM}")
else()
  message(STATUS "node and chromium were not both found: no test of pages in a browser")
endif()

if(SPN_SANITIZE)
  message(STATUS "A build with sanitizers: no tests of the installation and of other compilers")
  return()
endif()

if(SPN_READELF)
  add_test(NAME install COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/install/run ${PROJECT_BINARY_DIR})
  set_tests_properties(install PROPERTIES TIMEOUT ${spn_patience} ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
else()
  message(STATUS "readelf was not found: no test of the installation")
endif()

find_program(SPN_ABIDIFF abidiff)
if(SPN_ABIDIFF AND SPN_PYTHON AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_test(NAME abi COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/abi/run ${PROJECT_BINARY_DIR}
    ${PROJECT_BINARY_DIR}/abi)
  set_tests_properties(abi PROPERTIES TIMEOUT ${spn_patience}
    ENVIRONMENT "CC=${CMAKE_C_COMPILER};PYTHON=${SPN_PYTHON}")
else()
  message(STATUS "abidiff and python3 were not both found: no test of the ABI")
endif()

if(SPN_GCC AND SPN_CLANG)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    set(gcc_build $<TARGET_FILE:spinney>)
  else()
    set(gcc_build ${PROJECT_BINARY_DIR}/gcc)
  endif()
  add_test(NAME compilers COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/compilers/run
    ${gcc_build} ${PROJECT_BINARY_DIR}/clang)
  set_tests_properties(compilers PROPERTIES TIMEOUT ${spn_patience}
    ENVIRONMENT "GCC=${SPN_GCC};CLANG=${SPN_CLANG}")
else()
  message(STATUS "gcc and clang were not both found: no comparison of compilers")
endif()
