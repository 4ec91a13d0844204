/* The subcommands. Each takes its own argv (argv[0] is its name) and returns the exit code. */
#ifndef MAZUR_CLI_COMMANDS_H
#define MAZUR_CLI_COMMANDS_H

int check_main(int argc, char **argv);
int run_main(int argc, char **argv);
int cc_main(int argc, char **argv);
int replay_main(int argc, char **argv);
int debug_main(int argc, char **argv);
int show_main(int argc, char **argv);
int view_main(int argc, char **argv);
int regress_main(int argc, char **argv);
int merge_main(int argc, char **argv);
int model_main(int argc, char **argv);
int help_main(int argc, char **argv);

#endif
