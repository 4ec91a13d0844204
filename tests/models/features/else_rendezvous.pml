chan c = [0] of { byte }; byte g;
active proctype S() { byte n; do :: n < 3 -> n++; if :: c!n :: else -> g++ fi :: else -> break od }
active proctype R() { byte v; end: do :: c?v -> g = v :: g > 5 -> break od }
