// What the toolchain's Glibc module leaves out: epoll, eventfd, timerfd, accept4, the send queue and the CPU mask.
#ifndef CHALKLINE_CLINUX_SHIM_H
#define CHALKLINE_CLINUX_SHIM_H

// Not with _GNU_SOURCE: it would rename fields of types that the Glibc module has already.
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// Declared by the system's headers only with _GNU_SOURCE.
extern int accept4(int, struct sockaddr *__restrict, socklen_t *__restrict, int);
extern int sched_getaffinity(int, unsigned long, unsigned long *);

// SOCK_CLOEXEC and SOCK_NONBLOCK are enumerators whose Swift type depends on the header that came first.
static inline int chalkline_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
static inline int chalkline_stream_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}
static inline int chalkline_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline int chalkline_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int chalkline_timerfd(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }
// Makes a timer readable at a time of CLOCK_MONOTONIC; one in the past at once.
static inline int chalkline_timerfd_set(int timer, unsigned long long nanoseconds) {
    struct itimerspec time = {{0, 0}, {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, 0);
}

// Variadic: ioctl. Bytes that the kernel holds and the peer has not acknowledged.
static inline int chalkline_unacknowledged_bytes(int socket) {
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : 0;
}

// CPU_COUNT is a macro over a type that only _GNU_SOURCE shows. 1 024 cores, as cpu_set_t.
static inline int chalkline_usable_cores(void) {
    unsigned long mask[1024 / (8 * sizeof(unsigned long))] = {0};
    int count = 0;
    if (sched_getaffinity(0, sizeof mask, mask) < 0) return 1;
    for (unsigned long i = 0; i < sizeof mask / sizeof *mask; i++) count += __builtin_popcountl(mask[i]);
    return count > 0 ? count : 1;
}

#endif
