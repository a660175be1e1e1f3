/* What a run shows to a plug-in while it goes on: plain C, so that neither side needs the other's compiler or libraries.
 * All that a state points to is borrowed: memory of the run, to be read until the call returns and not to be kept.
 * docs/insitu.md tells how plug-ins are found and what becomes of their failures. */
#ifndef CORRAL_INSITU_H
#define CORRAL_INSITU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Both sides must have the same; it grows with every change of what stands here. */
#define CORRAL_INSITU_VERSION 3
/* The one symbol of a plug-in: const corral_insitu_plugin* corral_insitu_entry(void). */
#define CORRAL_INSITU_ENTRY "corral_insitu_entry"
/* Bytes for a sentence that says why a call failed, its closing zero included. */
#define CORRAL_INSITU_SENTENCE 512

enum { CORRAL_INSITU_REAL = 0, CORRAL_INSITU_ID = 1, CORRAL_INSITU_INTEGER = 2 }; /* double, uint64_t, int32_t */
enum { CORRAL_INSITU_CENTRE = 0, CORRAL_INSITU_NODE = 1, CORRAL_INSITU_FACE_X = 2, CORRAL_INSITU_FACE_Y = 3,
       CORRAL_INSITU_FACE_Z = 4 };

/* One value per particle or triangle, or a vector of three: component c of number i stands at data[c][i * stride]. */
typedef struct corral_insitu_column {
  const char* name;
  const char* unit;   /* SI, "" where dimensionless */
  int32_t type;       /* CORRAL_INSITU_REAL, _ID or _INTEGER */
  int32_t components; /* 1 or 3 */
  int64_t count;
  int64_t stride;     /* in values */
  const void* data[3];
} corral_insitu_column;

/* A field, or the components of a vector, each on points of its own: x fastest, no gaps. */
typedef struct corral_insitu_field {
  const char* name;
  const char* unit;
  int32_t components; /* 1 or 3 */
  int32_t staggering[3];
  int64_t points[3][3]; /* of component c along axis d; as many as cells where faces of a periodic axis meet */
  const double* data[3];
} corral_insitu_field;

/* A box of equal cells, or of one that processes share what this one has: its own cells, and those around them that are others',
 * whose values are copies. */
typedef struct corral_insitu_mesh {
  const char* name; /* "fields" */
  int64_t cells[3]; /* that this process has, and fields have points of */
  int64_t whole[3]; /* of all processes */
  int64_t first[3]; /* number in the whole of the first cell; below 0 where cells lie beyond a periodic side, as others may beyond the end */
  int64_t own_begin[3], own_end[3]; /* of the cells that this process has those that are its own: none where begin is end */
  double origin[3], spacing[3];     /* [m], origin of the whole */
  int64_t field_count;
  const corral_insitu_field* fields;
} corral_insitu_mesh;

/* Particles of one kind, with triangles between them or without: of those that processes share, this one's. */
typedef struct corral_insitu_set {
  const char* name; /* "parcels" */
  int64_t count;
  corral_insitu_column position; /* [m] */
  int64_t column_count;
  const corral_insitu_column* columns;
  int64_t triangle_count;
  const int32_t* triangles; /* three places in the set each; a null pointer where the set is of points alone */
  int64_t on_triangles_count;
  const corral_insitu_column* on_triangles;
} corral_insitu_set;

/* What a run is at one moment. */
typedef struct corral_insitu_state {
  uint32_t size; /* bytes of this struct */
  double time;   /* [s] */
  int64_t step;
  corral_insitu_mesh mesh;
  int64_t set_count;
  const corral_insitu_set* sets;
} corral_insitu_state;

/* Processes that show one run together. They make each call at the same time, with their own parts of the state. */
typedef struct corral_insitu_processes {
  int32_t rank, count;  /* 0 of 1 where there is one alone */
  int32_t communicator; /* of MPI, of these processes and for the plug-in alone: its number in Fortran; of no meaning where there is one */
  const char* mpi;      /* how that MPI calls itself (MPI_Get_library_version), "" where there is none */
} corral_insitu_processes;

/* What a plug-in is asked to do. */
typedef struct corral_insitu_request {
  uint32_t size;         /* bytes of this struct */
  const char* script;    /* absolute path of a file that could be read */
  const char* directory; /* absolute path where its results belong; it exists */
  const char* title;     /* of the case, may be "" */
  const char* mesh;      /* the name of the mesh of every state */
  int64_t set_count;
  const char* const* sets; /* the names of its sets */
  corral_insitu_processes processes;
} corral_insitu_request;

/* Calls come from one thread. None may throw, exit, or leave signals, rounding, the locale or the working directory
 * changed. `why` has room for CORRAL_INSITU_SENTENCE bytes: one sentence, no line break, where a call fails. */
typedef struct corral_insitu_plugin {
  uint32_t version; /* CORRAL_INSITU_VERSION */
  uint32_t size;    /* bytes of this struct */
  const char* name; /* "ParaView Catalyst 5.11.0" */
  /* A script made ready; a null pointer on failure. */
  void* (*open)(const corral_insitu_request*, char* why);
  /* 1 where the script wants to see this moment, 0 where not, -1 on failure. Cheap: it may be called in every step. */
  int (*wants)(void* script, double time, int64_t step, char* why);
  /* Shows the moment that `wants` was asked about. 0, or -1 on failure. */
  int (*show)(void* script, const corral_insitu_state*, char* why);
  /* Ends the script, also one that failed. */
  void (*close)(void* script);
  /* Of several processes: ends what uses the communicator, which is gone after it. No call follows, and no script is open. */
  void (*finish)(void);
} corral_insitu_plugin;

#ifdef __cplusplus
}
#endif
#endif
