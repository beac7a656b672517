// epoll-echo: the floor that echo servers are compared with.
// Source: epoll(7), RFC 6455 §5.2
//
// usage: epoll-echo PORT
//
// One thread, level-triggered epoll, one recv and one send for each ready connection. Frames are unmasked in place, the
// shorter server header is written over the longer client header, and what is contiguous leaves in one send. Nothing is
// checked: no UTF-8, no limits, no close handshake, no time-outs. It is what the kernel and the copying cost, and no
// server to use.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "handshake.h"

// What one recv may bring, and the most that one connection may hold: a cut-off frame or unsent output.
enum { READ_BYTES = 512 * 1024, HELD_LIMIT = 32 * 1024 * 1024, EVENTS = 512, BACKLOG = 4096 };

struct peer {
    int fd;
    int is_open;         // 0 until the opening handshake is answered
    uint8_t *held;       // a frame or request head that the last read cut off
    size_t held_count;
    uint8_t *waiting;    // what the kernel did not take
    size_t waiting_count;
};

static uint8_t read_buffer[HELD_LIMIT + READ_BYTES];
static uint8_t write_buffer[HELD_LIMIT + READ_BYTES];
static int epoll_fd;

static void end(struct peer *peer) {
    close(peer->fd);
    free(peer->held);
    free(peer->waiting);
    free(peer);
}

static void watch(struct peer *peer, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = peer};
    epoll_ctl(epoll_fd, EPOLL_CTL_MOD, peer->fd, &event);
}

// Keeps a copy of bytes, or nothing when there are none; 0 when there is no memory.
static int keep(uint8_t **place, size_t *place_count, const uint8_t *bytes, size_t count) {
    uint8_t *copy = NULL;
    if (count > HELD_LIMIT || (count > 0 && !(copy = malloc(count)))) return 0;
    if (count > 0) memcpy(copy, bytes, count);
    free(*place);
    *place = copy;
    *place_count = count;
    return 1;
}

// Sends; what the kernel does not take waits until it can. 0 when the connection is lost.
static int send_all(struct peer *peer, const uint8_t *bytes, size_t count) {
    ssize_t sent = send(peer->fd, bytes, count, MSG_NOSIGNAL);
    if (sent == (ssize_t)count) return 1;
    if (sent < 0 && errno != EAGAIN) return 0;
    size_t done = sent < 0 ? 0 : (size_t)sent;
    if (!keep(&peer->waiting, &peer->waiting_count, bytes + done, count - done)) return 0;
    watch(peer, EPOLLOUT);  // no more input while output waits
    return 1;
}

static void unmask(uint8_t *target, const uint8_t *source, size_t count, uint32_t key) {
    uint64_t wide = (uint64_t)key << 32 | key, word;
    size_t index = 0;
    for (; index + 8 <= count; index += 8) {
        memcpy(&word, source + index, 8);
        word ^= wide;
        memcpy(target + index, &word, 8);
    }
    for (; index < count; index++, wide >>= 8) target[index] = source[index] ^ (uint8_t)wide;
}

// Echoes every whole frame; returns the bytes used, and through `out_count` those to send.
static size_t echo(const uint8_t *bytes, size_t count, size_t *out_count) {
    size_t used = 0;
    uint8_t *out = write_buffer;
    while (count - used >= 6) {
        const uint8_t *frame = bytes + used;
        uint64_t length = frame[1] & 0x7f;
        size_t size = 2;
        if (length == 126) {
            if (count - used < 8) break;
            length = (uint64_t)frame[2] << 8 | frame[3];
            size = 4;
        } else if (length == 127) {
            if (count - used < 14) break;
            memcpy(&length, frame + 2, 8);
            length = __builtin_bswap64(length);
            size = 10;
        }
        if (count - used < size + 4 || count - used - size - 4 < length) break;
        uint32_t key;
        memcpy(&key, frame + size, 4);
        memcpy(out, frame, size);
        out[1] &= 0x7f;
        unmask(out + size, frame + size + 4, length, key);
        out += size + length;
        used += size + 4 + length;
    }
    *out_count = (size_t)(out - write_buffer);
    return used;
}

// Answers the opening handshake once its head is complete; returns the bytes used, or -1.
static ssize_t open_up(struct peer *peer, const uint8_t *bytes, size_t count) {
    const uint8_t *stop = memmem(bytes, count, "\r\n\r\n", 4);
    if (!stop) return 0;
    char answer[256];
    int size = handshake_answer((const char *)bytes, (size_t)(stop - bytes), answer, sizeof answer);
    if (size < 0 || !send_all(peer, (const uint8_t *)answer, (size_t)size)) return -1;
    peer->is_open = 1;
    return stop + 4 - bytes;
}

// Handles what came; 0 when the connection is over.
static int receive(struct peer *peer) {
    size_t held = peer->held_count;
    uint8_t *bytes = read_buffer;
    if (held) memcpy(bytes, peer->held, held);
    ssize_t got = recv(peer->fd, bytes + held, READ_BYTES, 0);
    if (got <= 0) return got < 0 && errno == EAGAIN;
    size_t count = held + (size_t)got, used = 0, out_count = 0;
    if (!peer->is_open) {
        ssize_t head = open_up(peer, bytes, count);
        if (head < 0) return 0;
        used = (size_t)head;
    }
    if (peer->is_open) used += echo(bytes + used, count - used, &out_count);
    if ((held || used < count) && !keep(&peer->held, &peer->held_count, bytes + used, count - used)) return 0;
    return out_count == 0 || send_all(peer, write_buffer, out_count);
}

// Sends what waited; 0 when the connection is over.
static int drain(struct peer *peer) {
    ssize_t sent = send(peer->fd, peer->waiting, peer->waiting_count, MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN;
    memmove(peer->waiting, peer->waiting + sent, peer->waiting_count - (size_t)sent);
    peer->waiting_count -= (size_t)sent;
    if (peer->waiting_count) return 1;
    free(peer->waiting);
    peer->waiting = NULL;
    watch(peer, EPOLLIN);
    return 1;
}

static void accept_all(int listener) {
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct peer *peer = calloc(1, sizeof *peer);
        if (!peer) {
            close(fd);
            return;
        }
        peer->fd = fd;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
        if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0) end(peer);
    }
}

static int listen_on(int port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&address, size) < 0 || listen(fd, BACKLOG) < 0) return -1;
    if (getsockname(fd, (struct sockaddr *)&address, &size) < 0) return -1;
    printf("epoll-echo is ready: ws://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

int main(int count, char **arguments) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (count != 2) {
        fprintf(stderr, "usage: epoll-echo PORT\n");
        return 2;
    }
    int listener = listen_on(atoi(arguments[1]));
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, events[EVENTS];
    if (listener < 0 || epoll_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, listener, &event) < 0) {
        perror("epoll-echo");
        return 1;
    }
    for (;;) {
        int ready = epoll_wait(epoll_fd, events, EVENTS, -1);
        for (int index = 0; index < ready; index++) {
            struct peer *peer = events[index].data.ptr;
            if (!peer) {
                accept_all(listener);
                continue;
            }
            int alive = events[index].events & EPOLLOUT ? drain(peer) : receive(peer);
            if (!alive) end(peer);
        }
    }
}
