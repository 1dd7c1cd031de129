#ifndef CSYSTEMSQLITE_H
#define CSYSTEMSQLITE_H

#include <sqlite3.h>

#endif
