/* An index outside of its array is a failure where it is executed, and nowhere else: models for N
 * elements have text for more. */
#ifndef N
#define N 2
#endif
byte a[2];
chan c[2] = [1] of { byte };
typedef Row { byte b[2] }
Row rows[2];
init {
	if
	:: N >= 3 -> a[2] = 1; c[2]!1; rows[2].b[5] = a[7]
	:: else -> rows[1].b[1] = a[1]
	fi
}
