// shim.h: what Swift cannot import of OpenSSL: macros that look like functions, and flags that are computed.
#ifndef CHALKLINE_COPENSSL_SHIM_H
#define CHALKLINE_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

// Macros over SSL_CTX_ctrl.
static inline int chalkline_ssl_set_min_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}
static inline int chalkline_ssl_set_max_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version);
}
static inline int chalkline_ssl_set_groups(SSL_CTX *context, const char *list) {
    return SSL_CTX_set1_groups_list(context, list);
}
static inline int chalkline_ssl_set_signatures(SSL_CTX *context, const char *list) {
    return SSL_CTX_set1_sigalgs_list(context, list);
}
static inline void chalkline_ssl_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline void chalkline_ssl_set_session_cache(SSL_CTX *context, long mode) {
    SSL_CTX_set_session_cache_mode(context, mode);
}

// Macro over SSL_ctrl.
static inline int chalkline_ssl_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

// Computed constants.
static const uint64_t chalkline_ssl_no_compression = SSL_OP_NO_COMPRESSION;
static const uint64_t chalkline_ssl_no_renegotiation = SSL_OP_NO_RENEGOTIATION;
static const uint64_t chalkline_ssl_no_ticket = SSL_OP_NO_TICKET;
static const uint64_t chalkline_ssl_server_preference = SSL_OP_CIPHER_SERVER_PREFERENCE;
static const uint64_t chalkline_ssl_prioritize_chacha = SSL_OP_PRIORITIZE_CHACHA;

// Macros over BIO_set_flags and BIO_clear_flags.
static inline void chalkline_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline void chalkline_bio_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }

#endif
