/* Loaded in front of the C library (LD_PRELOAD): the k-th call that changes a file fails, k = FAIL_AT, with the error
   FAIL_WITH, and all after it where FAIL_ON is set; a write does half of its work instead where FAIL_SHORT is set. How
   many such calls there were is written into the file that FAIL_COUNT names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;

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

__attribute__((destructor)) static void say(void) {
  const char* name = getenv("FAIL_COUNT");
  if (!name) return;
  FILE* file = fopen(name, "w");
  if (!file) return;
  fprintf(file, "%ld\n", (long)calls);
  fclose(file);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if ((flags & (O_CREAT | O_WRONLY | O_RDWR)) && fails()) return -1;
  return NEXT(open)(path, flags, mode);
}

ssize_t pwrite(int file, const void* data, size_t bytes, off_t at) {
  if (fails()) {
    if (!of_environment("FAIL_SHORT") || bytes < 2) return -1;
    return NEXT(pwrite)(file, data, bytes / 2, at);
  }
  return NEXT(pwrite)(file, data, bytes, at);
}

int fsync(int file) { return fails() ? -1 : NEXT(fsync)(file); }
int ftruncate(int file, off_t size) { return fails() ? -1 : NEXT(ftruncate)(file, size); }
int rename(const char* from, const char* to) { return fails() ? -1 : NEXT(rename)(from, to); }
int remove(const char* path) { return fails() ? -1 : NEXT(remove)(path); }
int unlink(const char* path) { return fails() ? -1 : NEXT(unlink)(path); }
int mkdir(const char* path, mode_t mode) { return fails() ? -1 : NEXT(mkdir)(path, mode); }
