/* The reports of a result for other programs, in the formats of report/files/formats.def. */
#ifndef MAZUR_CLI_WRITE_REPORTS_H
#define MAZUR_CLI_WRITE_REPORTS_H

#include "cli/options/options.h"
#include "trace/result.h"

/* Write those that were asked for. False after a message. */
bool write_machine_reports(const struct options *options, const struct result *result);
/* Can all files that were asked for be written? A search may take hours: it is known before.
 * False after a message. */
bool try_report_files(const struct options *options);
/* Was any asked for? */
bool wants_files(const struct options *options);
/* Does one of them go to stdout? Then the text must not. */
bool files_on_stdout(const struct options *options);

#endif
