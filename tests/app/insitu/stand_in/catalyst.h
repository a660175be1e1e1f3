/* What the plug-in on Catalyst 2 calls, for where libcatalyst is not: its calls and those of Conduit's C interface, by
 * their documented names and arguments. nodes.cpp has trees that behave as Conduit's, backend.cpp an implementation that
 * holds what it is handed to the rules of the Mesh Blueprint and writes it down. */
#ifndef STAND_IN_CATALYST_H
#define STAND_IN_CATALYST_H

#ifdef __cplusplus
extern "C" {
#endif

/* Types of their own, as Conduit's may differ from those of <stdint.h>, too. */
typedef signed int conduit_int32;
typedef signed long long conduit_int64;
typedef unsigned long long conduit_uint64;
typedef double conduit_float64;
typedef conduit_int64 conduit_index_t;
typedef void conduit_node;
enum { CONDUIT_ENDIANNESS_DEFAULT_ID = 0 };

conduit_node* conduit_node_create(void);
void conduit_node_destroy(conduit_node* node);
int conduit_node_has_path(const conduit_node* node, const char* path);
char* conduit_node_fetch_path_as_char8_str(conduit_node* node, const char* path);
void conduit_node_set_path_char8_str(conduit_node* node, const char* path, const char* value);
void conduit_node_set_path_int64(conduit_node* node, const char* path, conduit_int64 value);
void conduit_node_set_path_float64(conduit_node* node, const char* path, conduit_float64 value);
void conduit_node_set_path_external_node(conduit_node* node, const char* path, conduit_node* other);
void conduit_node_set_path_external_int32_ptr(conduit_node* node, const char* path, conduit_int32* data,
                                              conduit_index_t count);
void conduit_node_set_path_external_int64_ptr(conduit_node* node, const char* path, conduit_int64* data,
                                              conduit_index_t count);
/* Offset and stride are in bytes. */
void conduit_node_set_path_external_float64_ptr_detailed(conduit_node* node, const char* path, conduit_float64* data,
                                                         conduit_index_t count, conduit_index_t offset,
                                                         conduit_index_t stride, conduit_index_t element_bytes,
                                                         conduit_index_t endianness);
void conduit_node_set_path_external_int32_ptr_detailed(conduit_node* node, const char* path, conduit_int32* data,
                                                       conduit_index_t count, conduit_index_t offset,
                                                       conduit_index_t stride, conduit_index_t element_bytes,
                                                       conduit_index_t endianness);
void conduit_node_set_path_external_uint64_ptr_detailed(conduit_node* node, const char* path, conduit_uint64* data,
                                                        conduit_index_t count, conduit_index_t offset,
                                                        conduit_index_t stride, conduit_index_t element_bytes,
                                                        conduit_index_t endianness);

/* Implementations have errors of their own from 100 on. */
enum catalyst_status {
  catalyst_status_ok = 0,
  catalyst_status_error_no_implementation,
  catalyst_status_error_already_loaded,
  catalyst_status_error_not_found,
  stand_in_status_told_to_fail = 100,
  stand_in_status_no_script,
  stand_in_status_broken_rule
};

enum catalyst_status catalyst_initialize(const conduit_node* parameters);
enum catalyst_status catalyst_execute(const conduit_node* parameters);
enum catalyst_status catalyst_finalize(const conduit_node* parameters);
enum catalyst_status catalyst_about(conduit_node* parameters);

#ifdef __cplusplus
}
#endif
#endif
