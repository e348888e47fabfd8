# What must change whenever the ABI of libspinney may have: before 1.0 the minor version, then the major one
# (scripts/version --abi says the same).
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(SPN_ABI ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(SPN_COMPATIBILITY SameMinorVersion)
else()
  set(SPN_ABI ${PROJECT_VERSION_MAJOR})
  set(SPN_COMPATIBILITY SameMajorVersion)
endif()

# The version: its numbers are the project's; the commit is asked of git by every build, and what
# carries it is compiled anew only when it has changed.
configure_file(cmake/version.h.in include/spinney/version.h @ONLY)
set(commit_h ${CMAKE_CURRENT_BINARY_DIR}/include/base/commit.h)
find_program(SPN_GIT git)
mark_as_advanced(SPN_GIT)
add_custom_target(spn_commit BYPRODUCTS ${commit_h}
  COMMAND ${CMAKE_COMMAND} -DGIT=${SPN_GIT} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}
    -DVERSION=${PROJECT_VERSION} -DOUTPUT=${commit_h}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/commit.cmake
  COMMENT "Asking git for the commit" VERBATIM)
