#!/usr/bin/perl
# The kinds of failures and the exit codes in the documentation, made from src/board/failures.def and
# src/host/exit_codes.def: `failures_table.pl` writes them into docs/manual.md and docs/result.schema.json,
# `failures_table.pl --check` prints what these lack instead, a line each, and fails if there is any.
use strict;
use warnings;
use File::Basename qw(dirname);

my $root = dirname($0) . '/..';
my $check = @ARGV && $ARGV[0] eq '--check';

sub slurp {
    my ($file) = @_;
    open(my $in, '<', $file) or die "$file: $!\n";
    local $/;
    return scalar <$in>;
}

# Words in lines of at most 100 characters, each after `indent`.
sub wrap_words {
    my ($indent, @words) = @_;
    my @lines = ($indent . shift @words);
    for my $word (@words) {
        if (length("$lines[-1] $word") > 100) { push @lines, "$indent$word" } else { $lines[-1] .= " $word" }
    }
    return join "\n", @lines;
}

# --- The rows ---

my ($programs, $models) = split m{^/\* models \*/$}m, slurp("$root/src/board/failures.def");
die "failures.def has no part for models\n" if !defined $models;
my @of_programs = $programs =~ /^FAILURE\(\w+, "([^"]+)"/mg;
my @of_models = $models =~ /^FAILURE\(\w+, "([^"]+)"/mg;
my $exits = slurp("$root/src/host/exit_codes.def");
my @codes;
push @codes, [$1, $2] while $exits =~ /^EXIT_CODE\(\w+, (\d+), "([^"]+)"\)/mg;

# --- What is made of them: a file, a pattern whose second group is replaced, the text, what separates entries ---

my $names = sub { join ', ', map { "`$_`" } @_ };
my $table = join '', map { "| $$_[0] | " . ($$_[1] =~ s/(--[\w-]+)/`$1`/gr) . " |\n" } @codes;
my @kinds = map { "\"$_\"," } @of_programs, @of_models;
$kinds[-1] =~ s/,$//;
my @places = (
    ['docs/manual.md', qr/(^\| `verdict` \| )([^\n]*)( \|$)/m,
        $names->(qw(passed nothing-found incomplete), @of_programs) . '; of models also '
            . $names->('passed-within-bound', @of_models), qr/[,;] /],
    ['docs/manual.md', qr/(^## Exit codes\n\n\| code \| \|\n\|---\|---\|\n)((?:\|[^\n]*\n)*)()/m, $table, qr/\n/],
    ['docs/result.schema.json', qr/("failure_kind": \{\s*"description": "[^"]*",\s*"enum": \[\n)([^\]]*)(\n      \])/s,
        wrap_words(' ' x 8, @kinds), qr/,?\s+/],
);

# --- The documentation ---

my $stale = 0;
for my $place (@places) {
    my ($file, $pattern, $new, $separator) = @$place;
    my $text = slurp("$root/$file");
    $text =~ $pattern or die "$file has no place for this:\n$new\n";
    my $old = $2;
    next if $old eq $new;
    if ($check) {
        my %there = map { $_ => 1 } split $separator, $old;
        print "$file lacks: $_\n" for grep { !$there{$_} } split $separator, $new;
        print "$file is out of date: scripts/failures_table.pl rewrites it\n";
        $stale = 1;
        next;
    }
    $text =~ s/$pattern/$1$new$3/;
    open(my $out, '>', "$root/$file") or die "$file: $!\n";
    print $out $text;
}
exit($stale);
