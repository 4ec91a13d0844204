/* The memory of a model's embedded C as it was when the code was loaded.
 *
 * Each search and each run along a path begins with it; otherwise it would begin with what an
 * earlier one left in variables of the C. It covers all memory that the loaded object can write
 * to, so that memory that the model does not track is restored, too (in Spin every search is
 * its own process). */
#ifndef MAZUR_PROMELA_C_IMAGE_H
#define MAZUR_PROMELA_C_IMAGE_H

struct c_image;

/* Of an object that dlopen() gave; NULL without memory. */
struct c_image *c_image_take(void *handle);
void c_image_restore(const struct c_image *image);
void c_image_free(struct c_image *image);

#endif
