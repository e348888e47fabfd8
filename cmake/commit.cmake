# Write the version down to the commit, such as 0.4.0+g1a2b3c4-dirty, into a header; the file is left
# alone when it says so already. An archive made by git has its commit in cmake/commit.txt; other
# source outside a repository of its own has the plain version.
#   cmake -DGIT=git -DSOURCE=folder -DVERSION=0.4.0 -DOUTPUT=commit.h -P commit.cmake
set(full ${VERSION})
set(archived "")
if(EXISTS ${SOURCE}/cmake/commit.txt)
  file(STRINGS ${SOURCE}/cmake/commit.txt archived REGEX "^[0-9a-f]+$" LIMIT_COUNT 1)
endif()
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=7 --exclude=*
    OUTPUT_VARIABLE commit RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    string(APPEND full "+g${commit}")
  endif()
elseif(archived)
  string(SUBSTRING ${archived} 0 7 commit)
  string(APPEND full "+g${commit}")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SPN_VERSION_FULL \"${full}\"\n")
