# What the pages of reports are made of, put into the library: our own script and style sheet, and
# uPlot, which draws the charts. uPlot is fetched once with npm into the build folder. Where that
# cannot be done, the build goes on without it, and pages show gnuplot's pictures instead.
option(SPN_CHARTS "Put interactive charts (uPlot, fetched with npm) into the pages of reports" ON)

set(uplot_version 1.6.32)
set(uplot_folder ${CMAKE_CURRENT_BINARY_DIR}/uplot-${uplot_version})
set(uplot_files package/dist/uPlot.iife.min.js package/dist/uPlot.min.css package/LICENSE)
set(uplot_sums
  19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f
  df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04
  8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd)

# Sets out to what is wrong with the files; empty: they are there, and what they should be.
function(spn_check_uplot out)
  set(${out} "" PARENT_SCOPE)
  foreach(file sum IN ZIP_LISTS uplot_files uplot_sums)
    if(NOT EXISTS ${uplot_folder}/${file})
      set(${out} "${file} is missing" PARENT_SCOPE)
      return()
    endif()
    file(SHA256 ${uplot_folder}/${file} found)
    if(NOT found STREQUAL sum)
      set(${out} "${file} has the SHA-256 sum ${found}, not ${sum}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# From npm's own cache where it is there. Sets out to what went wrong.
function(spn_fetch_uplot out)
  find_program(SPN_NPM npm)
  mark_as_advanced(SPN_NPM)
  if(NOT SPN_NPM)
    set(${out} "npm is not installed" PARENT_SCOPE)
    return()
  endif()
  file(MAKE_DIRECTORY ${uplot_folder})
  execute_process(COMMAND ${SPN_NPM} pack --ignore-scripts --prefer-offline --fetch-retries=0
    uplot@${uplot_version} WORKING_DIRECTORY ${uplot_folder} TIMEOUT 60
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  set(archive ${uplot_folder}/uplot-${uplot_version}.tgz)
  if(failed OR NOT EXISTS ${archive})
    set(${out} "npm could not fetch it (${failed})" PARENT_SCOPE)
    return()
  endif()
  # not file(ARCHIVE_EXTRACT): an error of it would end the configuration
  execute_process(COMMAND ${CMAKE_COMMAND} -E tar xzf ${archive} WORKING_DIRECTORY ${uplot_folder}
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  spn_check_uplot(problem)
  set(${out} "${problem}" PARENT_SCOPE)
endfunction()

function(spn_embed_asset input name)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.c)
  add_custom_command(OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${made} -DHEADER=report/page/page.h
      -DNAME=spn_asset_${name} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${input} cmake/embed.cmake VERBATIM)
  set(SPN_PAGE_SOURCES ${SPN_PAGE_SOURCES} ${made} PARENT_SCOPE)
endfunction()

spn_embed_asset(${CMAKE_CURRENT_SOURCE_DIR}/src/report/page/page.js page_script)
spn_embed_asset(${CMAKE_CURRENT_SOURCE_DIR}/src/report/page/page.css page_style)

set(uplot_problem "SPN_CHARTS is off")
if(SPN_CHARTS)
  spn_check_uplot(uplot_problem)
  if(uplot_problem)
    spn_fetch_uplot(uplot_problem)
  endif()
endif()
if(uplot_problem)
  message(STATUS "uPlot: ${uplot_problem}: pages of reports will show pictures, not charts")
else()
  spn_embed_asset(${uplot_folder}/package/dist/uPlot.iife.min.js chart_script)
  spn_embed_asset(${uplot_folder}/package/dist/uPlot.min.css chart_style)
  spn_embed_asset(${uplot_folder}/package/LICENSE chart_licence)
  set_source_files_properties(src/report/page/page.c PROPERTIES COMPILE_DEFINITIONS SPN_HAVE_CHARTS)
endif()
