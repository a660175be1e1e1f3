/* A plug-in that watches the watchers: it writes what it sees to `seen.txt` where it works, and fails, or meddles with
 * the process, as the first line of its script says. That C compiles it shows that the interface is plain C. */
#include "app/insitu/corral_insitu.h"

#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FAKE_VERSION
#define FAKE_VERSION CORRAL_INSITU_VERSION
#endif

typedef struct script {
  char order[64];
  FILE* seen;
} script;

static int is(const script* s, const char* order) { return strcmp(s->order, order) == 0; }

static void* open_script(const corral_insitu_request* request, char* why) {
  script* s = calloc(1, sizeof *s);
  FILE* file = fopen(request->script, "r");
  if (!s || !file || !fgets(s->order, sizeof s->order, file)) strcpy(why, "nothing to be read");
  if (file) fclose(file);
  if (!s) return NULL;
  s->order[strcspn(s->order, "\n")] = '\0';
  if (is(s, "fail to open")) {
    strcpy(why, "it would not open\033[31m"); /* a terminal would turn red */
    free(s);
    return NULL;
  }
  s->seen = fopen("seen.txt", "w");
  fprintf(s->seen, "open %s %s %s %d\n", request->directory, request->title, request->mesh, (int)request->set_count);
  return s;
}

static int wants(void* p, double time, int64_t step, char* why) {
  const script* s = p;
  fprintf(s->seen, "wants %g %d\n", time, (int)step);
  if (is(s, "fail to want")) {
    strcpy(why, "it would not say");
    return -1;
  }
  return !(is(s, "odd steps") && step % 2 == 0);
}

static void meddle(void) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_IGN);
  fesetround(FE_UPWARD);
  setlocale(LC_ALL, "C.UTF-8");
  if (chdir("/") != 0) abort();
}

static void tell_column(FILE* out, const corral_insitu_column* c) {
  fprintf(out, "column %s [%s] type %d count %d stride %d at", c->name, c->unit, (int)c->type, (int)c->count,
          (int)c->stride);
  for (int i = 0; i < c->components; ++i) fprintf(out, " %p", c->data[i]);
  fprintf(out, "\n");
}

static int show(void* p, const corral_insitu_state* state, char* why) {
  const script* s = p;
  fprintf(s->seen, "show %g %d size %d\n", state->time, (int)state->step, state->size == sizeof *state);
  for (int64_t i = 0; i < state->mesh.field_count; ++i) {
    const corral_insitu_field* f = &state->mesh.fields[i];
    fprintf(s->seen, "field %s components %d at", f->name, (int)f->components);
    for (int c = 0; c < f->components; ++c)
      fprintf(s->seen, " %p staggering %d points %d", (const void*)f->data[c], (int)f->staggering[c],
              (int)(f->points[c][0] * f->points[c][1] * f->points[c][2]));
    fprintf(s->seen, "\nfirst of %s %.6g\n", f->name, f->data[0][0]);
  }
  for (int64_t i = 0; i < state->set_count; ++i) {
    const corral_insitu_set* set = &state->sets[i];
    fprintf(s->seen, "set %s %d triangles %d at %p\n", set->name, (int)set->count, (int)set->triangle_count,
            (const void*)set->triangles);
    tell_column(s->seen, &set->position);
    for (int64_t c = 0; c < set->column_count; ++c) tell_column(s->seen, &set->columns[c]);
    for (int64_t c = 0; c < set->on_triangles_count; ++c) tell_column(s->seen, &set->on_triangles[c]);
  }
  if (is(s, "meddle")) meddle();
  if (is(s, "fork") && fflush(s->seen) == 0 && fork() < 0) abort();
  if (is(s, "fail to show")) {
    strcpy(why, "it would not look");
    return -1;
  }
  return 0;
}

static void close_script(void* p) {
  script* s = p;
  fprintf(s->seen, "close\n");
  fclose(s->seen);
  free(s);
}

__attribute__((visibility("default"))) const corral_insitu_plugin* corral_insitu_entry(void) {
  static const corral_insitu_plugin plugin = {
      FAKE_VERSION, sizeof(corral_insitu_plugin), "fake", open_script, wants, show, close_script};
  return &plugin;
}
