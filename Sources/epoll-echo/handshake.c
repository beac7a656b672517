// handshake: the answer to a WebSocket's opening handshake.
// Spec: RFC 6455 §4.2.2, RFC 3174

#include "handshake.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { KEY_SIZE = 24, GUID_SIZE = 36, DIGEST_SIZE = 20 };

static uint32_t turn(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }

static void block(uint32_t state[5], const uint8_t *bytes) {
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int i = 0; i < 16; i++) {
        w[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 | (uint32_t)bytes[4 * i + 2] << 8
               | bytes[4 * i + 3];
    }
    for (int i = 16; i < 80; i++) w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20 ? (b & c) | (~b & d) : i < 40 ? b ^ c ^ d : i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
        uint32_t k = i < 20 ? 0x5a827999 : i < 40 ? 0x6ed9eba1 : i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
        uint32_t next = turn(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = turn(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

// SHA-1 of key and GUID: 60 bytes, which with the padding are two blocks.
static void digest(const char *key, uint8_t out[DIGEST_SIZE]) {
    uint8_t bytes[128] = {0};
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    memcpy(bytes, key, KEY_SIZE);
    memcpy(bytes + KEY_SIZE, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11", GUID_SIZE);
    bytes[KEY_SIZE + GUID_SIZE] = 0x80;
    bytes[126] = (KEY_SIZE + GUID_SIZE) * 8 >> 8;
    bytes[127] = (uint8_t)((KEY_SIZE + GUID_SIZE) * 8);
    block(state, bytes);
    block(state, bytes + 64);
    for (int i = 0; i < DIGEST_SIZE; i++) out[i] = (uint8_t)(state[i / 4] >> (24 - i % 4 * 8));
}

int handshake_answer(const char *head, size_t head_size, char *answer, size_t answer_size) {
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char field[] = "\r\nSec-WebSocket-Key:";
    size_t field_size = sizeof field - 1, at = 0;
    while (at + field_size + KEY_SIZE <= head_size && strncasecmp(head + at, field, field_size) != 0) at++;
    at += field_size;
    while (at < head_size && head[at] == ' ') at++;
    if (at + KEY_SIZE > head_size) return -1;
    uint8_t sum[DIGEST_SIZE + 1] = {0};
    char accept[29] = {0};
    digest(head + at, sum);
    for (int i = 0; i < 7; i++) {
        uint32_t word = (uint32_t)sum[3 * i] << 16 | (uint32_t)sum[3 * i + 1] << 8 | sum[3 * i + 2];
        for (int j = 0; j < 4; j++) accept[4 * i + j] = alphabet[word >> (18 - 6 * j) & 63];
    }
    accept[27] = '=';
    int size = snprintf(
        answer, answer_size,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\n\r\n",
        accept);
    return size > 0 && (size_t)size < answer_size ? size : -1;
}
