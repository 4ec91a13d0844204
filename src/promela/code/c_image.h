/* The memory of a model's embedded C as it was when the code was loaded.
 *
 * A search begins with it, and so does each run along a path: what an earlier one has left in
 * variables of the C would be the first state of the next one otherwise. It is all that the
 * loaded object can write to, so that memory that the model does not track counts, too (in Spin
 * every search is a process of its own). */
#ifndef MAZUR_PROMELA_C_IMAGE_H
#define MAZUR_PROMELA_C_IMAGE_H

struct c_image;

/* Of an object that dlopen() gave; NULL without memory. */
struct c_image *c_image_take(void *handle);
void c_image_restore(const struct c_image *image);
void c_image_free(struct c_image *image);

#endif
