#!/usr/bin/perl
# The names in src: no two files of one name, no two structs, unions or enums of one tag, and static functions
# say a verb and a noun. Prints what breaks that, a line each, and fails if there is any.
use strict;
use warnings;
use File::Basename qw(basename dirname);
use File::Find;

chdir dirname($0) . '/..' or die "$0: $!\n";
# The search holds a strategy by a pointer to a type of which only the strategy itself knows the inside.
my %private = (strategy => 1);

my (%files, %tags, @wrong);
sub read_file {
    my ($path) = @_;
    open(my $in, '<', $path) or die "$path: $!\n";
    local $/;
    my $text = <$in>;
    $tags{$1}{$path} = 1 while $text =~ /^(?:static |const |typedef )*(?:struct|union|enum) (\w+) \{/mg;
    while ($text =~ /^static [\w *\n]*?\b(\w+)\([^;{}]*\)\n\{/mg) {
        push @wrong, "$path: $1(): a static function says verb and noun" if $1 !~ /_/;
    }
}
find({ no_chdir => 1, wanted => sub {
    return if !/\.[ch]$/;
    push @{ $files{ basename($_) } }, $_;
    read_file($_);
} }, 'src');
push @wrong, map { "files of one name: @{[sort @{ $files{$_} }]}" } grep { @{ $files{$_} } > 1 } sort keys %files;
push @wrong, map { "tags of one name: $_ in @{[sort keys %{ $tags{$_} }]}" } grep { !$private{$_} && keys %{ $tags{$_} } > 1 } sort keys %tags;
print "$_\n" for @wrong;
exit(@wrong > 0);
