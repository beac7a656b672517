// shim.h: what Swift cannot import of SQLite: casts in macros and functions of a variable number of arguments.
#ifndef CHALKLINE_CSQLITE_SHIM_H
#define CHALKLINE_CSQLITE_SHIM_H

#include <sqlite3.h>

// Macro with a cast: the value is copied while it is bound.
static inline int chalkline_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int count) {
    return sqlite3_bind_text(statement, place, text, count, SQLITE_TRANSIENT);
}

// Macro with a cast: the value is copied while it is bound.
static inline int chalkline_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, place, bytes, count, SQLITE_TRANSIENT);
}

// Variadic: a switch of one connection.
static inline int chalkline_sqlite_configure(sqlite3 *database, int option, int on) {
    return sqlite3_db_config(database, option, on, (int *)0);
}

#endif
