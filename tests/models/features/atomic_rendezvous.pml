chan c = [0] of { byte }; byte g;
active proctype S() { atomic { g = 1; c!1; g = 2; c!2; g = 3 } g = 4 }
active proctype R() { byte v; atomic { c?v; g = g + v; c?v; g = g + v } }
active proctype T() { g = 9; g == 4 || g == 9 }
