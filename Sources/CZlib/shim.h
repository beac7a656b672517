// shim.h: what Swift cannot import of zlib: the macros that pass the version and the size of a stream.
#ifndef CHALKLINE_CZLIB_SHIM_H
#define CHALKLINE_CZLIB_SHIM_H

#include <zlib.h>

// Macro: deflateInit2, always raw (no zlib header), as RFC 7692 wants.
static inline int chalkline_deflate_init(z_stream *stream, int level, int window_bits, int memory_level) {
    return deflateInit2(stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY);
}

// Macro: inflateInit2, always raw.
static inline int chalkline_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, -window_bits);
}

#endif
