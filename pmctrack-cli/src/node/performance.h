/* SPDX-License-Identifier: GPL-2.0 */
/* The performance that a program has printed */
#ifndef PMCTRACK_NODE_PERFORMANCE_H
#define PMCTRACK_NODE_PERFORMANCE_H

/* The last Gflops in a file that a program wrote, as HPL and others have it; NAN: none */
double performance_read(const char *path);

#endif
