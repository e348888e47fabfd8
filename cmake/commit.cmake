# Write the version down to the commit, such as 0.4.0+g1a2b3c4-dirty, into a header; the file is left
# alone when it says so already. Outside a repository of its own the source has the plain version.
#   cmake -DGIT=git -DSOURCE=folder -DVERSION=0.4.0 -DOUTPUT=commit.h -P commit.cmake
set(full ${VERSION})
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=7 --exclude=*
    OUTPUT_VARIABLE commit RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    string(APPEND full "+g${commit}")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SPN_VERSION_FULL \"${full}\"\n")
