/* Embedded C reports an error as it would to Spin's verifier. */
c_decl { int tries; }
c_track "&tries" "sizeof(int)"
active proctype P()
{	do
	:: c_expr { tries < 3 } -> c_code { if (++tries > MOST) uerror("too many tries"); }
	:: c_expr { tries >= 3 } -> break
	od
}
