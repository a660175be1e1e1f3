/* Loaded in front of the C library (LD_PRELOAD): the k-th allocation of memory since main began fails, k = FAIL_AT, and
   all after it where FAIL_ON is set; only those of at least FAIL_BYTES count. How many there were until main returned is
   written into the file that FAIL_COUNT names; into that of FAIL_WHERE, which libraries had called each other up to the first that failed, a line each. What the loader takes is left alone, and static objects before main: no
   program can say a word there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

typedef int main_function(int, char**, char**);

static atomic_long calls;
static atomic_int counting;
static __thread int loading;
static long at, least;
static int on;
static main_function* program;

/* Without memory, which may be asked for by anybody at any moment. */
static void say(const char* variable, const char* text) {
  const char* name = getenv(variable);
  if (!name) return;
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || write(file, text, strlen(text)) < 0) abort();
  close(file);
}

static void say_where(void) {
  void* callers[64];
  char text[64 * 128];
  size_t length = 0;
  const int n = backtrace(callers, 64);
  Dl_info about;
  for (int i = 0; i < n && length + 1024 < sizeof text; ++i)
    if (dladdr(callers[i], &about)) length += (size_t)snprintf(text + length, 1024, "%s\n", about.dli_fname);
  text[length] = '\0';
  say("FAIL_WHERE", text);
}

static int fails(size_t bytes) {
  if (!counting || loading || bytes < (size_t)least) return 0;
  const long call = ++calls;
  if (at == 0 || (on ? call < at : call != at)) return 0;
  if (call == at && getenv("FAIL_WHERE")) say_where();
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t bytes) { return fails(bytes) ? NULL : __libc_malloc(bytes); }
void* calloc(size_t n, size_t bytes) { return fails(n * bytes) ? NULL : __libc_calloc(n, bytes); }
void* realloc(void* data, size_t bytes) { return bytes > 0 && fails(bytes) ? NULL : __libc_realloc(data, bytes); }
void* memalign(size_t alignment, size_t bytes) { return fails(bytes) ? NULL : __libc_memalign(alignment, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) { return fails(bytes) ? NULL : __libc_memalign(alignment, bytes); }

int posix_memalign(void** data, size_t alignment, size_t bytes) {
  if (fails(bytes)) return ENOMEM;
  *data = __libc_memalign(alignment, bytes);
  return *data ? 0 : ENOMEM;
}

/* oneTBB keeps a pool of its own where it finds one; without it, its tasks come from malloc as all else. */
void* dlopen(const char* file, int mode) {
  if (file && strstr(file, "tbbmalloc")) return NULL;
  loading = 1;
  void* library = ((void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen"))(file, mode);
  loading = 0;
  return library;
}

static long of_environment(const char* name) {
  const char* text = getenv(name);
  return text ? atol(text) : 0;
}

static int counted_main(int n, char** arguments, char** environment) {
  at = of_environment("FAIL_AT");
  least = of_environment("FAIL_BYTES");
  on = getenv("FAIL_ON") != NULL;
  void* here[1];
  backtrace(here, 1); /* which takes memory when it is called first */
  counting = 1;
  const int status = program(n, arguments, environment);
  counting = 0;
  char text[32];
  snprintf(text, sizeof text, "%ld\n", (long)calls);
  say("FAIL_COUNT", text);
  return status;
}

int __libc_start_main(main_function* main, int n, char** arguments, void (*init)(void), void (*finish)(void),
                      void (*loader)(void), void* stack) {
  program = main;
  typedef int start(main_function*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  return ((start*)dlsym(RTLD_NEXT, "__libc_start_main"))(counted_main, n, arguments, init, finish, loader, stack);
}
