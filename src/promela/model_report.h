/* The end of a run as text and JSON. */
#ifndef MAZUR_PROMELA_MODEL_REPORT_H
#define MAZUR_PROMELA_MODEL_REPORT_H

#include "promela/verifier.h"

/* Prints, writes the files that were asked for, returns the exit code (UX.md). */
int model_report(struct verifier *verifier);

#endif
