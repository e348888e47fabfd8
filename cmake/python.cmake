# The libraries that the Python package carries (scripts/make-wheel): they look for what they need beside
# themselves, and the lab does without MPI. Nothing is compiled again but one file.
set(wheel_folder ${CMAKE_CURRENT_BINARY_DIR}/wheel-libraries)
function(spn_wheel_library name output soversion)
  add_library(${name} SHARED EXCLUDE_FROM_ALL ${ARGN})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${output} SOVERSION ${soversion}
    LIBRARY_OUTPUT_DIRECTORY ${wheel_folder} BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  target_link_options(${name} PRIVATE -Wl,--no-undefined)
endfunction()

set(lab_objects $<TARGET_OBJECTS:spn_lab_objects>)
spn_wheel_library(wheel_spinney spinney ${SPN_ABI} ${library_objects})
target_link_libraries(wheel_spinney PRIVATE ${SPN_LIBRARIES} m)
spn_wheel_library(wheel_lab spinney-lab ${PROJECT_VERSION}
  "$<FILTER:${lab_objects},EXCLUDE,ranks_(mpi|none)>" src/sweep/ranks_none.c)
target_link_libraries(wheel_lab PRIVATE spn_flags wheel_spinney spn_base_archive PkgConfig::YAML
  PkgConfig::XXHASH Threads::Threads ZLIB::ZLIB m)
target_link_options(wheel_lab PRIVATE -Wl,--exclude-libs,libspn_base_archive.a)
if(SPN_BUILD_TESTS)
  set(with_all ALL)
endif()
add_custom_target(wheel_libraries ${with_all} DEPENDS wheel_spinney wheel_lab)
if(TARGET spinney_device) # goes along as it is: libspinney finds it beside itself
  add_custom_command(TARGET wheel_libraries POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_if_different
    $<TARGET_FILE:spinney_device> ${wheel_folder})
  add_dependencies(wheel_libraries spinney_device)
endif()
