/* Just enough of Protocol Buffers to write a message: fields that are numbers, bytes or messages.
   Messages within messages are finished before they are added. */
#ifndef SPN_MODEL_PROTOBUF_H
#define SPN_MODEL_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message being written. Start with {0}; free `data`. After a failed allocation nothing more is
   added. */
typedef struct spn_protobuf {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
} spn_protobuf;

void spn_message_number(spn_protobuf *message, unsigned field, uint64_t value);
void spn_message_bytes(spn_protobuf *message, unsigned field, const void *data, size_t size);
void spn_message_text(spn_protobuf *message, unsigned field, const char *text);

/* Add the inner message and free it. */
void spn_message_add(spn_protobuf *message, unsigned field, spn_protobuf *inner);

#endif
