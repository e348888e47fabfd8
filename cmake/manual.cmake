# Have the program write its manual and its completions:
#   cmake -DPROGRAM=spinney -DFOLDER=folder -P manual.cmake
# makes FOLDER/man/spinney.1, FOLDER/man/spinney-COMMAND.1 for each command, and in FOLDER/completion
# spinney (bash), _spinney (zsh) and spinney.fish.
function(spn_write file)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_FILE ${FOLDER}/${file} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${PROGRAM} ${ARGN}: ${failed}")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/man ${FOLDER}/completion)
spn_write(completion/spinney --completion bash)
spn_write(completion/_spinney --completion zsh)
spn_write(completion/spinney.fish --completion fish)
spn_write(man/spinney.1 --man)
file(STRINGS ${FOLDER}/completion/spinney commands REGEX " commands=\"")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" commands "${commands}")
separate_arguments(commands)
if(NOT commands)
  message(FATAL_ERROR "no commands in ${FOLDER}/completion/spinney")
endif()
foreach(command ${commands})
  spn_write(man/spinney-${command}.1 --man ${command})
endforeach()
