/* Members with initial values, channels among them. */
typedef T { byte a = 3; chan c = [1] of {byte} }
T t;
active proctype A() { T u; t.c!t.a; t.c?u.a; assert(u.a==3); u.c!5 }
