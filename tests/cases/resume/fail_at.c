/* Loaded in front of the C library (LD_PRELOAD): the k-th call that changes a file fails, k = FAIL_AT, with the error
   FAIL_WITH, and all after it where FAIL_ON is set (calls that read count as well where FAIL_READS is set); a write does half of its work instead where FAIL_SHORT is set. How
   many such calls there were is written into the file that FAIL_COUNT names, and what they did, a line for each that went
   well, into FAIL_TRACE: "write /tmp/out/log.csv". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MOST_FILES 1024

static atomic_long calls;
static char written_to[MOST_FILES]; /* files that are open for writing, by descriptor */

static long of_environment(const char* name) {
  const char* text = getenv(name);
  return text ? atol(text) : 0;
}

static int fails(void) {
  const long at = of_environment("FAIL_AT");
  const long call = ++calls;
  if (at == 0 || (getenv("FAIL_ON") ? call < at : call != at)) return 0;
  errno = (int)of_environment("FAIL_WITH");
  return 1;
}

static void trace(const char* what, const char* path, const char* to) {
  const char* name = getenv("FAIL_TRACE");
  if (!name) return;
  const int before = errno;
  char line[2 * PATH_MAX];
  const int n = snprintf(line, sizeof line, "%s\t%s\t%s\n", what, path, to);
  const int file = NEXT(open)(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (NEXT(write)(file, line, (size_t)n) != n) abort();
  NEXT(close)(file);
  errno = before;
}

static void trace_open(const char* what, int file) {
  char link[64], path[PATH_MAX];
  if (!getenv("FAIL_TRACE")) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  path[n < 0 ? 0 : n] = '\0';
  trace(what, path, "");
}

__attribute__((destructor)) static void say(void) {
  const char* name = getenv("FAIL_COUNT");
  if (!name) return;
  FILE* file = fopen(name, "w");
  if (!file) return;
  fprintf(file, "%ld\n", (long)calls);
  fclose(file);
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  const int writes = (flags & (O_CREAT | O_WRONLY | O_RDWR)) != 0;
  if ((writes || getenv("FAIL_READS")) && fails()) return -1;
  const int file = NEXT(open)(path, flags, mode);
  if (file >= 0 && file < MOST_FILES) written_to[file] = (char)writes;
  if (file >= 0 && flags & O_CREAT) trace_open("create", file);
  return file;
}

int close(int file) {
  const int writes = file >= 0 && file < MOST_FILES && written_to[file];
  if (writes) written_to[file] = 0;
  const int answer = NEXT(close)(file); /* also where it fails, as Linux has it */
  return writes && fails() ? -1 : answer;
}

ssize_t pread(int file, void* data, size_t bytes, off_t at) {
  return getenv("FAIL_READS") && fails() ? -1 : NEXT(pread)(file, data, bytes, at);
}

static ssize_t fails_or_writes_half(size_t bytes) {
  if (!fails()) return (ssize_t)bytes;
  return of_environment("FAIL_SHORT") && bytes > 1 ? (ssize_t)(bytes / 2) : -1;
}

ssize_t pwrite(int file, const void* data, size_t bytes, off_t at) {
  const ssize_t n = fails_or_writes_half(bytes);
  trace_open("write", file);
  return n < 0 ? n : NEXT(pwrite)(file, data, (size_t)n, at);
}

ssize_t write(int file, const void* data, size_t bytes) {
  const ssize_t n = fails_or_writes_half(bytes);
  return n < 0 ? n : NEXT(write)(file, data, (size_t)n);
}

int fsync(int file) {
  if (fails()) return -1;
  trace_open("fsync", file);
  return NEXT(fsync)(file);
}

int ftruncate(int file, off_t size) {
  if (fails()) return -1;
  trace_open("write", file);
  return NEXT(ftruncate)(file, size);
}

int rename(const char* from, const char* to) {
  if (fails()) return -1;
  trace("rename", from, to);
  return NEXT(rename)(from, to);
}

int remove(const char* path) { return fails() ? -1 : NEXT(remove)(path); }

int mkdir(const char* path, mode_t mode) {
  if (fails()) return -1;
  trace("create", path, "");
  return NEXT(mkdir)(path, mode);
}
