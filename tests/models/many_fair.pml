/* More processes than the search for the simplest fair cycle keeps account of: the first one stays,
 * and that is said. */
active [64] proctype idle() { do :: true od }
