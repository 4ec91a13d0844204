/* jsonget FILE PATH...: print one line per path of a JSON file, for run.sh.
 *
 * A path is keys and array indexes joined by dots: `verdict`, `failures.0.trace`, and a last
 * part `#` is the length of an array. Arrays and objects print as JSON on one line. What is
 * null or not there prints as an empty line, so that the lines stay aligned with the paths.
 * Exit status 1 when the file is not JSON. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *find(const json_t *value, char *path, size_t *length)
{
    for (char *part = strtok(path, "."); part && value; part = strtok(NULL, ".")) {
        if (strcmp(part, "#") == 0) {
            *length = json_array_size(value);
            return NULL;
        }
        value = json_is_array(value) ? json_array_get(value, strtoul(part, NULL, 10))
                                     : json_object_get(value, part);
    }
    return value;
}

static void print(const json_t *value)
{
    if (json_is_string(value))
        printf("%s\n", json_string_value(value));
    else if (json_is_integer(value))
        printf("%" JSON_INTEGER_FORMAT "\n", json_integer_value(value));
    else if (json_is_boolean(value))
        printf("%s\n", json_is_true(value) ? "true" : "false");
    else if (json_is_real(value))
        printf("%g\n", json_real_value(value));
    else if (json_is_array(value) || json_is_object(value)) {
        json_dumpf(value, stdout, JSON_COMPACT | JSON_SORT_KEYS);
        printf("\n");
    } else
        printf("\n");
}

int main(int argc, char **argv)
{
    json_error_t error;
    if (argc < 2) {
        fprintf(stderr, "usage: jsonget FILE PATH...\n");
        return 2;
    }
    json_t *root = json_load_file(argv[1], 0, &error);
    if (!root) {
        fprintf(stderr, "jsonget: %s:%d: %s\n", argv[1], error.line, error.text);
        return 1;
    }
    for (int i = 2; i < argc; i++) {
        size_t length = (size_t)-1;
        const json_t *value = find(root, argv[i], &length);
        if (length != (size_t)-1)
            printf("%zu\n", length);
        else
            print(value);
    }
    json_decref(root);
    return 0;
}
