// shim.h: what Swift cannot import of libcurl: variadic functions, and macros that cast.
#ifndef CHALKLINE_CCURL_SHIM_H
#define CHALKLINE_CCURL_SHIM_H

#include <curl/curl.h>

// Variadic: curl_easy_setopt, for options that take a long.
static inline CURLcode chalkline_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// Variadic: curl_easy_setopt, for options that take a string. libcurl copies it (not for CURLOPT_POSTFIELDS).
static inline CURLcode chalkline_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// Variadic: curl_easy_setopt, for options that take bytes, a user pointer or a share.
static inline CURLcode chalkline_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

// Variadic: curl_easy_setopt, for lists of header lines.
static inline CURLcode chalkline_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

// Variadic: curl_easy_setopt, for CURLOPT_POSTFIELDSIZE_LARGE.
static inline CURLcode chalkline_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// Variadic: curl_easy_setopt, for the body and header callbacks.
typedef size_t (*chalkline_bytes_callback)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode chalkline_easy_set_callback(CURL *easy, CURLoption option, chalkline_bytes_callback value) {
    return curl_easy_setopt(easy, option, value);
}

// Variadic: curl_easy_setopt, for CURLOPT_SOCKOPTFUNCTION.
static inline CURLcode chalkline_easy_set_socket_callback(CURL *easy, curl_sockopt_callback value) {
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, value);
}

// Variadic: curl_easy_getinfo, for longs.
static inline CURLcode chalkline_easy_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

// Variadic: curl_easy_getinfo, for offsets.
static inline CURLcode chalkline_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

// Variadic: curl_multi_setopt, for longs.
static inline CURLMcode chalkline_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Variadic: curl_multi_setopt, for user pointers.
static inline CURLMcode chalkline_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}

// Variadic: curl_multi_setopt, for CURLMOPT_SOCKETFUNCTION.
static inline CURLMcode chalkline_multi_set_socket_callback(CURLM *multi, curl_socket_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}

// Variadic: curl_multi_setopt, for CURLMOPT_TIMERFUNCTION.
static inline CURLMcode chalkline_multi_set_timer_callback(CURLM *multi, curl_multi_timer_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}

#endif
