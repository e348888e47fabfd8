# Make a C file that holds the bytes of another file:
#   cmake -DINPUT=file -DOUTPUT=file.c -DHEADER=declares/it.h -DNAME=prefix -P embed.cmake
# defines NAME_data and NAME_size.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

const uint8_t ${NAME}_data[] = {
${bytes}
};
const size_t ${NAME}_size = sizeof ${NAME}_data;
")
