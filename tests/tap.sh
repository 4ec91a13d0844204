# shellcheck shell=bash
# What the shell suites print: TAP (testanything.org), which `prove` reads, and for people a last line
# 'N passed, N failed'. A suite sources this file and ends with done_testing: a suite that ends earlier,
# or runs no test, has no plan, and prove calls that a failure.
# shellcheck source=patience.sh
. "$(dirname "${BASH_SOURCE[0]}")/patience.sh"
passed=0 failed=0

pass() { # NAME
    passed=$((passed + 1))
    echo "ok $((passed + failed)) - ${1//#/\\#}"
}

fail() { # NAME [WHY]: WHY may have several lines
    failed=$((failed + 1))
    echo "not ok $((passed + failed)) - ${1//#/\\#}"
    [ -z "${2:-}" ] || sed 's/^/#   /' <<<"${2%$'\n'}"
}

skip() { # NAME SENTENCE: what can't be tested here; scripts/test.sh shows 'X is skipped: …'
    passed=$((passed + 1))
    echo "ok $((passed + failed)) - ${1//#/\\#} # SKIP"
    echo "# $2"
}

result() { # NAME PROBLEM: passed if PROBLEM is empty
    if [ -z "$2" ]; then pass "$1"; else fail "$1" "$2"; fi
}

# Says what can't be tested here, and why: 'X is skipped: …', which scripts/test.sh shows.
untested() { # SENTENCE
    echo "# $1"
}

# Nothing here can be tested: a plan of no tests, which prove accepts if it gives a reason.
skip_all() { # SENTENCE
    echo "1..0 # SKIP $1"
    echo "0 passed, 0 failed"
    exit 0
}

# Of things that repeat each other with another compiler, flag or library, is number NUMBER one that this run tests?
# `make test` takes one of OF, another one for each commit (TEST_SAMPLE); otherwise all are tested.
is_sampled() { # NUMBER OF
    [ -z "${TEST_SAMPLE:-}" ] || [ $(((TEST_SAMPLE + $1) % $2)) = 0 ]
}

done_testing() {
    if [ $((passed + failed)) -gt 0 ]; then
        echo "1..$((passed + failed))"
    else
        echo "not ok - no test was chosen"
    fi
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
