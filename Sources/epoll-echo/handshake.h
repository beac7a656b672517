// handshake: the answer to a WebSocket's opening handshake.
// Spec: RFC 6455 §4.2.2, RFC 3174
#ifndef EPOLL_ECHO_HANDSHAKE_H
#define EPOLL_ECHO_HANDSHAKE_H

#include <stddef.h>

// Writes the 101 answer to a request head, without its empty line; returns its size, or -1 when there is no key.
int handshake_answer(const char *head, size_t head_size, char *answer, size_t answer_size);

#endif
