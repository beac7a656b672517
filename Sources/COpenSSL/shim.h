// shim.h: what Swift cannot import of OpenSSL: macros that look like functions.
#ifndef CHALKLINE_COPENSSL_SHIM_H
#define CHALKLINE_COPENSSL_SHIM_H

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

// Macro: SSL_CTX_set_min_proto_version.
static inline int chalkline_ssl_set_min_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

#endif
