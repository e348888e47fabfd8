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
