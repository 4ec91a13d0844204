#!/usr/bin/perl
# What comments and documents cite of the papers exists there: sections, algorithms, tables, figures, … of
# scripts/papers.tsv. Prints what does not, a line each, and fails if there is any.
#
# A citation is "paper 002" and what follows it up to the end of the sentence or the next paper: "paper 002, 5.4",
# "paper 003, section 4.1", "Algorithms 2 and 3", "Fig. 5 of paper 001". The table of docs/papers.md has the paper in its first
# column, or above it, and the places in its second.
use strict;
use warnings;
use File::Basename qw(dirname);

chdir dirname($0) . '/..' or die "$0: $!\n";
my %exists;
open(my $list, '<', 'scripts/papers.tsv') or die "scripts/papers.tsv: $!\n";
while (<$list>) {
    next if /^#/;
    chomp;
    my ($paper, $kind, $numbers) = split /\t/;
    $exists{$paper}{$kind}{$_} = 1 for split / /, $numbers;
}

my %kinds = (section => 'sections?|§', algorithm => 'Algorithms?', table => 'Tables?', figure => 'Figures?|Figs?\.',
    theorem => 'Theorems?', lemma => 'Lemmas?', definition => 'Definitions?', appendix => 'Appendix');
my $number = qr/(?:\d+(?:\.\d+)*|[A-C])\b(?![%\d])/;
my $numbers = qr/$number(?:(?:, | and |, and |–| to )$number)*/;
my (@wrong, $cited);

sub judge {
    my ($where, $paper, $kind, $text) = @_;
    for my $one ($text =~ /$number/g) {
        $cited++;
        push @wrong, "$where: paper $paper has no $kind $one" unless $exists{$paper}{$kind}{$one};
    }
}

# The citations in a text that is about one paper.
sub look {
    my ($where, $paper, $text) = @_;
    for my $kind (sort keys %kinds) {
        my $words = $kinds{$kind};
        judge($where, $paper, $kind, $1) while $text =~ /(?:$words)[ \n]?($numbers)/g;
    }
    judge($where, $paper, 'section', $1) if $text =~ /^,[ ]($numbers)/ && $text !~ /^, \d+ (?!and)[a-z]/;
}

sub read_rows { # of docs/papers.md
    my ($file, $text) = @_;
    my $paper;
    my $line = 0;
    for (split /\n/, $text) {
        $line++;
        my ($first, $places) = /^\| *(.*?) *\| *(.*?) *\|/ or next;
        $paper = $1 if $first =~ /^(00\d)/;
        next unless defined $paper && $places =~ /\d/;
        my $rest = $places;
        for my $kind (sort keys %kinds) {
            my $words = $kinds{$kind};
            judge("$file:$line", $paper, $kind, $1) while $rest =~ s/(?:$words) ($numbers)//;
        }
        $rest =~ s/\([^)]*\)//g;
        judge("$file:$line", $paper, 'section', $rest);
    }
}

my @files = grep { -f && !m{^scripts/(papers\.tsv|check_citations\.pl)$} }
    split /\n/, `git ls-files -co --exclude-standard src docs bench tests include README.md CONTRIBUTING.md 2>/dev/null || find src docs bench tests include -type f`;
for my $file (@files) {
    next unless $file =~ /\.(c|h|md|sh|pml|pl|py|dot|patch|def)$/;
    open(my $in, '<', $file) or die "$file: $!\n";
    local $/;
    my $text = <$in>;
    next unless $text =~ /[Pp]aper 00\d|^\| 00\d/m;
    read_rows($file, $text) if $file eq 'docs/papers.md';
    $text =~ s/\n[ \t]*(?:\*|#|\/\/)?[ \t]*/\n/g; # the marks of a comment
    while ($text =~ /[Pp]aper\n?[ ]?(00\d)((?:(?!\bpaper\n?[ ]?00\d|\.[ \n]+[A-Z(]|[;:]).)*)/gs) {
        my ($paper, $rest, $begin) = ($1, $2, $-[0]);
        my $where = $file . ':' . (1 + (substr($text, 0, $begin) =~ tr/\n//));
        look($where, $paper, $rest =~ s/\n/ /gr);
        my $before = substr($text, $begin > 40 ? $begin - 40 : 0, $begin > 40 ? 40 : $begin) =~ s/\n/ /gr;
        look($where, $paper, $1) if $before =~ /((?:Table|Fig\.|Figure|Algorithm|Theorem|section) $numbers) of $/;
    }
}
print "$_\n" for @wrong;
die "check_citations.pl: no citation was found\n" unless $cited;
exit(@wrong ? 1 : 0);
