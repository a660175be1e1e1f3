#pragma once

/* Marks what leaves the shared library; everything else is compiled with hidden visibility. */
#define CORRAL_PUBLIC __attribute__((visibility("default")))
#define CORRAL_PRIVATE __attribute__((visibility("hidden")))
