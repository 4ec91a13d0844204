#!/usr/bin/perl
# The table of docs/claims.md, made from src/explore/claim/claim_reasons.def: `claims_table.pl` prints it,
# `claims_table.pl FILE` puts it into FILE between the two comments that are there for it.
use strict;
use warnings;

sub slurp {
    my ($file) = @_;
    open(my $in, '<', $file) or die "$file: $!\n";
    local $/;
    return scalar <$in>;
}

my $source = slurp(($0 =~ s{[^/]*$}{}r) . '../src/explore/claim/claim_reasons.def');
my %words = (REMARK => 'remark', WEAKENS => 'weakens', FORBIDS => 'forbids');
my $table = '';
my $pattern = qr{^/\* --- (?<part>.*?) --- \*/|^REASON\((?<name>\w+),\s*"(?<id>[^"]+)",\s*CLAIM_(?<severity>\w+),\s*(?<flags>[\w\s|]+),\s*(?<text>(?:"[^"]*"\s*)+)\)}m;
while ($source =~ /$pattern/g) {
    if (defined $+{part}) {
        $table .= "\n**$+{part}**\n\n| id | severity | what is said |\n|---|---|---|\n";
        next;
    }
    my ($id, $severity, $flags) = ($+{id}, $words{$+{severity}}, $+{flags});
    my $text = join '', $+{text} =~ /"([^"]*)"/g;
    $text =~ s/\{(names|count)\}/…/g;
    $text =~ s/\{s\}/s/g;
    $severity .= ', not counted' if $flags =~ /UNCOUNTED/;
    $table .= "| `$id` | $severity | $text |\n";
}
$table =~ s/ \(limits\.def\)//;
if (!@ARGV) {
    print $table;
    exit;
}
my $text = slurp($ARGV[0]);
$text =~ s/(<!-- begin of the table -->\n).*(<!-- end of the table -->)/$1$table\n$2/s or die "$ARGV[0] has no place for it\n";
open(my $out, '>', $ARGV[0]) or die;
print $out $text;
