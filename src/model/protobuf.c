/* Messages of Protocol Buffers, written by hand. */
#include "model/protobuf.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void append(spn_protobuf *message, const void *data, size_t size)
{
    if (message->failed || size == 0)
        return;
    if (!spn_grow(&message->data, &message->capacity, message->size + size, 1)) {
        message->failed = true;
        return;
    }
    memcpy(message->data + message->size, data, size);
    message->size += size;
}

/* Seven bits to a byte, the lowest first; the top bit says that more follow. */
static void append_varint(spn_protobuf *message, uint64_t value)
{
    uint8_t bytes[10];
    size_t count = 0;
    for (; value >= 128; value >>= 7)
        bytes[count++] = (uint8_t)(value | 128);
    bytes[count++] = (uint8_t)value;
    append(message, bytes, count);
}

void spn_message_number(spn_protobuf *message, unsigned field, uint64_t value)
{
    append_varint(message, (uint64_t)field << 3);
    append_varint(message, value);
}

void spn_message_bytes(spn_protobuf *message, unsigned field, const void *data, size_t size)
{
    append_varint(message, (uint64_t)field << 3 | 2);
    append_varint(message, size);
    append(message, data, size);
}

void spn_message_text(spn_protobuf *message, unsigned field, const char *text)
{
    spn_message_bytes(message, field, text, strlen(text));
}

void spn_message_add(spn_protobuf *message, unsigned field, spn_protobuf *inner)
{
    spn_message_bytes(message, field, inner->data, inner->size);
    message->failed = message->failed || inner->failed;
    free(inner->data);
    *inner = (spn_protobuf){0};
}
