/* A plug-in that watches the watchers: it writes what it sees to `seen.txt` where it works, of several processes to seen_RANK.txt,
 * and fails, or meddles with the process, as the first line of its script says. That C compiles it shows that the interface is plain C. */
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
  int rank;
} script;

static char seen_by_last[4096];

static int is(const script* s, const char* order) { return strcmp(s->order, order) == 0; }
/* As the order says, or on rank 1 where it ends so. */
static int fails(const script* s, const char* order) {
  const size_t n = strlen(order);
  return is(s, order) || (strncmp(s->order, order, n) == 0 && strcmp(s->order + n, " on rank 1") == 0 && s->rank == 1);
}

static void* open_script(const corral_insitu_request* request, char* why) {
  script* s = calloc(1, sizeof *s);
  FILE* file = fopen(request->script, "r");
  if (!s || !file || !fgets(s->order, sizeof s->order, file)) strcpy(why, "nothing to be read");
  if (file) fclose(file);
  if (!s) return NULL;
  s->order[strcspn(s->order, "\n")] = '\0';
  s->rank = request->processes.rank;
  if (fails(s, "fail to open")) {
    strcpy(why, "it would not open\033[31m"); /* a terminal would turn red */
    free(s);
    return NULL;
  }
  char name[32] = "seen.txt";
  if (request->processes.count > 1) snprintf(name, sizeof name, "seen_%d.txt", s->rank);
  snprintf(seen_by_last, sizeof seen_by_last, "%s/%s", request->directory, name);
  s->seen = fopen(name, "w");
  fprintf(s->seen, "open %s %s %s %d\n", request->directory, request->title, request->mesh, (int)request->set_count);
  if (request->processes.count > 1)
    fprintf(s->seen, "processes %d communicator %d of %s\n", (int)request->processes.count, request->processes.communicator != 0,
            request->processes.mpi);
  return s;
}

static int wants(void* p, double time, int64_t step, char* why) {
  const script* s = p;
  fprintf(s->seen, "wants %g %d\n", time, (int)step);
  if (fails(s, "fail to want")) {
    strcpy(why, "it would not say");
    return -1;
  }
  return !(is(s, "odd steps") && step % 2 == 0) && !(is(s, "values") && step % 3 != 0) && !(is(s, "disagree") && s->rank == 1);
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

static void tell_value(FILE* out, const corral_insitu_column* c, int component, int64_t i) {
  const int64_t at = i * c->stride;
  fprintf(out, " %s.%d ", c->name, component);
  if (c->type == CORRAL_INSITU_ID) fprintf(out, "%llu", (unsigned long long)((const uint64_t*)c->data[component])[at]);
  else if (c->type == CORRAL_INSITU_INTEGER) fprintf(out, "%d", (int)((const int32_t*)c->data[component])[at]);
  else fprintf(out, "%a", ((const double*)c->data[component])[at]);
}

static void tell_rows(FILE* out, const char* what, const char* set, const corral_insitu_column* columns, int64_t count, int64_t rows) {
  for (int64_t i = 0; i < rows; ++i) {
    fprintf(out, "%s %s %d", what, set, (int)i);
    for (int64_t c = 0; c < count; ++c)
      for (int d = 0; d < columns[c].components; ++d) tell_value(out, &columns[c], d, i);
    fprintf(out, "\n");
  }
}

/* All points of a component that lie in the whole, by their numbers in it. */
static void tell_points(FILE* out, const corral_insitu_mesh* m, const corral_insitu_field* f, int c) {
  const double* value = f->data[c];
  int64_t i[3];
  for (i[2] = 0; i[2] < f->points[c][2]; ++i[2])
    for (i[1] = 0; i[1] < f->points[c][1]; ++i[1])
      for (i[0] = 0; i[0] < f->points[c][0]; ++i[0], ++value) {
        int inside = 1;
        for (int d = 0; d < 3; ++d) inside = inside && m->first[d] + i[d] >= 0 && m->first[d] + i[d] <= m->whole[d];
        if (inside)
          fprintf(out, "point %s.%d %d %d %d %a\n", f->name, c, (int)(m->first[0] + i[0]), (int)(m->first[1] + i[1]), (int)(m->first[2] + i[2]), *value);
      }
}

static void tell_values(FILE* out, const corral_insitu_state* state) {
  const corral_insitu_mesh* m = &state->mesh;
  fprintf(out, "mesh whole");
  for (int d = 0; d < 3; ++d) fprintf(out, " %d", (int)m->whole[d]);
  fprintf(out, " own");
  for (int d = 0; d < 3; ++d) fprintf(out, " %d %d", (int)(m->first[d] + m->own_begin[d]), (int)(m->first[d] + m->own_end[d]));
  for (int d = 0; d < 3; ++d) fprintf(out, " %a", m->origin[d]);
  fprintf(out, "\n");
  for (int64_t i = 0; i < m->field_count; ++i)
    for (int c = 0; c < m->fields[i].components; ++c) tell_points(out, m, &m->fields[i], c);
  for (int64_t i = 0; i < state->set_count; ++i) {
    const corral_insitu_set* s = &state->sets[i];
    tell_rows(out, "position", s->name, &s->position, 1, s->count);
    tell_rows(out, "row", s->name, s->columns, s->column_count, s->count);
    tell_rows(out, "element", s->name, s->on_triangles, s->on_triangles_count, s->triangle_count);
    for (int64_t t = 0; t < s->triangle_count; ++t)
      fprintf(out, "triangle %s %d %d %d %d\n", s->name, (int)t, (int)s->triangles[3 * t], (int)s->triangles[3 * t + 1], (int)s->triangles[3 * t + 2]);
  }
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
  if (is(s, "values")) tell_values(s->seen, state);
  if (is(s, "meddle")) meddle();
  if (is(s, "fork") && fflush(s->seen) == 0 && fork() < 0) abort();
  if (fails(s, "fail to show")) {
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

static void finish(void) {
  FILE* seen = fopen(seen_by_last, "a");
  if (!seen) return;
  fprintf(seen, "finish\n");
  fclose(seen);
}

__attribute__((visibility("default"))) const corral_insitu_plugin* corral_insitu_entry(void) {
  static const corral_insitu_plugin plugin = {
      FAKE_VERSION, sizeof(corral_insitu_plugin), "fake", open_script, wants, show, close_script, finish};
  return &plugin;
}
