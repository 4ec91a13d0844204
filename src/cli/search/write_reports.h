/* The reports of a result for other programs, in the formats of report/files/formats.def. */
#ifndef MAZUR_CLI_WRITE_REPORTS_H
#define MAZUR_CLI_WRITE_REPORTS_H

#include "cli/options/options.h"
#include "trace/result.h"

/* Writes the requested ones. False after a message. */
bool write_machine_reports(const struct options *options, const struct result *result);
/* Can all requested files be written? Checked before the search, which may take hours. False
 * after a message. */
bool try_report_files(const struct options *options);
/* Was any asked for? */
bool wants_files(const struct options *options);
/* Does one of them go to stdout? Then the text must not. */
bool files_on_stdout(const struct options *options);

#endif
