// FETTLE_INLINE: begins the definition of each function that is not a template, in the files *.ipp.
//
// Headers include these files at their end, and the functions are inline. In a program whose files
// are compiled with FETTLE_COMPILED, one file includes <fettle/compiled.ipp> and has the functions
// for all: the library fettle::compiled, or a file of the program.
//
// Definitions that run at a program's first calls, in training or where something is wrong are
// marked gnu::cold: they are compiled for size.
#pragma once

#ifdef FETTLE_COMPILED
#define FETTLE_INLINE
#else
#define FETTLE_INLINE inline
#endif
