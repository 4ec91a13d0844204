#!/usr/bin/perl
# The tables of docs/hooks.md, made from the rows of src/runtime/hooks/def/hooks.def: `hooks_table.pl` prints
# them, `hooks_table.pl FILE` puts them into FILE between the two comments that are there for it. Rows of
# a section that say the same are one line.
# Environment: CC (cc), which expands the rows' own macros; c++filt writes C++ names out.
use strict;
use warnings;
use File::Basename qw(dirname);

my $source = dirname($0) . '/../src';

sub slurp {
    my ($file) = @_;
    open(my $in, '<', $file) or die "$file: $!\n";
    local $/;
    return scalar <$in>;
}

# --- The rows ---

my $definitions = <<'C';
#define MODELLED(name, type, parameters, standard, facts) @ROW modelled @ name @ standard @ facts @ @END
#define FORWARDED(name, type, parameters, standard, facts, ...) @ROW forwarded @ name @ standard @ facts @ __VA_ARGS__ @END
#define NEITHER(name) @ROW neither @ name @ @ () @ @END
#define NEITHER_FORGETS(name) @ROW neither @ name @ @ (FORGETS) @ @END
#define INTERNAL(name) @ROW internal @ name @ @ () @ @END
#include "runtime/hooks/def/hooks.def"
C

# The expanded text; comments stay in it, and tell chapters (a file's first comment) and sections.
sub expand_rows {
    my $cc = $ENV{CC} // 'cc';
    open(my $in, '-|', "$cc -E -P -C -x c -I '$source' - <<'ROWS'\n${definitions}ROWS\n") or die "$cc: $!\n";
    local $/;
    return scalar <$in>;
}

# --- Words for effects ---

my %state = (ENVIRONMENT => 'the environment', LOCALE => 'the locale', DIRECTORY => 'the working directory',
    RANDOM => "rand()'s sequence", RANDOM_48 => "drand48()'s sequence",
    CONVERSION => "the state of a conversion", FACTOR_48 => "lcong48()'s factor", OPTIONS => "getopt()'s variables",
    HASH => "hsearch()'s table", DATABASES => 'the place in a database', SETTINGS => 'settings of the process',
    FLAGS => 'flags of descriptors', RESOURCE => 'the default memory resource',
    CXX_HANDLERS => 'the handlers of C++', XALLOC => "xalloc()'s counter");

sub size_in_words {
    my ($size) = @_;
    $size =~ s/\bsizeof\(void \*\)|\bPOINTER\b/pointer/g;
    $size =~ s/sizeof\(([^()]*)\)/`$1`/g;
    return $size =~ /^\d+$/ ? $size == 1 ? 'a byte' : "$size bytes" : $size =~ s/\s*\*\s*/ × /gr;
}

sub things_in_words {
    my ($size) = @_;
    return $size eq '1' ? 'bytes' : $size =~ /^\d+$/ ? "times $size bytes" : size_in_words($size) =~ s/^pointer$/pointers/r;
}

my %words = (
    READS => sub { 'reads ' . size_in_words($_[1]) . " at $_[0]" },
    WRITES => sub { 'writes ' . size_in_words($_[1]) . " at $_[0]" },
    FILLS => sub { 'the kernel writes ' . size_in_words($_[1]) . " at $_[0]" },
    READS_EACH => sub { "reads as many " . things_in_words($_[2]) . " at $_[0] as $_[1] says" },
    WRITES_EACH => sub { "writes as many " . things_in_words($_[2]) . " at $_[0] as $_[1] says" },
    WRITES_SIZED => sub { "writes at $_[0] as many bytes as are said at $_[1]" },
    READS_TEXT => sub { "reads the text at $_[0]" },
    READS_WIDE => sub { "reads the wide text at $_[0]" },
    READS_PATH => sub { "reads the path at $_[0]" },
    READS_PATH_OBJECT => sub { "reads the path object at $_[0]" },
    LOOKS => sub { 'reads ' . ($state{$_[0]} // die "no words for the state $_[0]\n") },
    CHANGES => sub { 'changes ' . ($state{$_[0]} // die "no words for the state $_[0]\n") },
    USES => sub { 'reads and changes ' . ($state{$_[0]} // die "no words for the state $_[0]\n") },
    NUMBER => sub { "reads what descriptor $_[0] stands for" },
    NUMBERS => sub { "takes or frees the number of a descriptor" },
    CONVERTS => sub { "writes `mbstate_t` at $_[0], or libc's own state" },
    USES_LOCALE => sub { "reads the locale at $_[0]" },
    LISTED => sub { () },
    OUTSIDE => sub { () },
    VARIES => sub { 'gets a value from outside that is another one each time' },
    LEAVES => sub { 'changes the process for good (listed without `--isolate=fork`)' },
    LEAVES_FILE => sub { "changes the file whose path is at $_[0]" },
    LEAVES_FILE_OPEN => sub { "changes the file of descriptor $_[0]" },
    REFUSES => sub { $_[0] =~ s/^"|"$//gr },
    REFUSES_IF => sub { $_[1] =~ s/^"|"$//gr },
    OTHER => sub { $_[0] =~ s/^(libc|cxx)_//r =~ s/_(\d)$/ at $1/r =~ tr/_/ /r },
);

# A list at its commas, outside of parentheses and strings.
sub split_list {
    my ($text) = @_;
    my ($depth, @part) = (0, '');
    for my $piece ($text =~ /("[^"]*"|[^"])/g) {
        $depth += $piece eq '(' ? 1 : $piece eq ')' ? -1 : 0;
        if ($piece eq ',' && $depth == 0) { push @part, '' }
        else { $part[-1] .= $piece }
    }
    return grep { $_ ne '' } map { s/^\s+|\s+$//gr =~ s/\s+/ /gr } @part;
}

sub effects_in_words {
    my ($text) = @_;
    my @said;
    for my $effect (split_list($text)) {
        my ($name, $arguments) = $effect =~ /^(\w+)(?:\((.*)\))?$/ or die "an effect: $effect\n";
        push @said, ($words{$name} // die "no words for the effect $name\n")->(split_list($arguments // ''));
    }
    return join('; ', @said);
}

sub class_of {
    my ($class, $effects) = @_;
    return 'refused' if $effects =~ /\bREFUSES/;
    return $effects =~ /\b(LISTED|OUTSIDE)\b/ ? 'listed' : $class;
}

my %fact = (EARLY => 'found at the start', FORGETS => 'keeps no pointer', EXPANDED => 'kept as a call');

# --- The page ---

my %plain; # the mangled name: the name that a reader knows
sub write_names_out {
    my @mangled = @_ or return;
    open(my $in, '-|', 'c++filt', @mangled) or die "c++filt: $!\n";
    for my $name (@mangled) {
        my $plain = <$in>;
        $plain =~ s/\n//;
        $plain =~ s/^.*? (?=std::\w+<)//;                           # the type of a function template
        $plain =~ s/std::(__cxx11::)?basic_string<char, [^()]*? >/std::string/g;
        $plain =~ s/, std::(char_traits|istreambuf_iterator|ostreambuf_iterator)<.*?> ?(> ?)*(?=>)//g;
        $plain =~ s/\(.*//;                                          # its parameters
        $plain{$name} = $plain;
    }
}

# `a`, `b` (3p); `c` (glibc)
sub name_functions {
    my ($rows) = @_;
    my (%by, @order);
    for my $row (@$rows) {
        push @order, $row->{standard} unless $by{$row->{standard}};
        my $name = $plain{$row->{name}} // $row->{name};
        push @{$by{$row->{standard}}}, $name unless grep { $_ eq $name } @{$by{$row->{standard}} // []};
    }
    return join('; ', map { my $s = $_; join(', ', map { "`$_`" } @{$by{$s}}) . ($s eq '' ? '' : " ($s)") } @order);
}

# Of a function that exists for each type of numbers, only the first name.
sub leave_variants_out {
    my %there = map { $_->{name} => 1 } @_;
    return grep { my $n = $_->{name}; !($n =~ s/(f|l|f32|f64|f128|f32x|f64x)$//r ne $n && grep { $there{$_} } $n =~ s/(f32x|f64x|f32|f64|f128|f|l)$//r) } @_;
}

# The first words of a section's comment are its heading, the rest is said below it.
sub head_section {
    my ($title) = @_;
    return "\n" if $title eq '';
    my ($heading, $rest) = $title =~ /^(.*?)(?:: |\. |; | (?=\())(.*)$/ ? ($1, $2) : ($title, '');
    $rest = "In `$rest`" if $rest =~ /^\w+\.c$/;
    $rest = $1 if $rest =~ /^\((.*)\)$/;
    return "\n### $heading\n\n" . ($rest eq '' ? '' : ucfirst($rest) . ".\n\n");
}

sub print_section {
    my ($title, @rows) = @_;
    return '' unless @rows;
    my $text = head_section($title);
    my @none = grep { $_->{class} =~ /neither|internal/ } @rows;
    @rows = grep { $_->{class} !~ /neither|internal/ } @rows;
    my $count = @none;
    return $text . "$count functions without a hook: " . name_functions([leave_variants_out(@none)]) . ".\n" unless @rows;
    $text .= "| function | class | what it does | facts |\n|---|---|---|---|\n";
    my (%by, @order);
    for my $row (@rows) {
        my $key = join("\0", @{$row}{qw(class effects facts)});
        push @order, $key unless $by{$key};
        push @{$by{$key}}, $row;
    }
    for my $key (@order) {
        my ($class, $effects, $facts) = split(/\0/, $key, -1);
        $text .= '| ' . name_functions($by{$key}) . " | $class | $effects | $facts |\n";
    }
    return $text;
}

my ($page, $title, @rows) = ('', '');
my $expanded = expand_rows();
write_names_out($expanded =~ /\@ROW \w+ @ (_Z\w+)/g);
while ($expanded =~ m{(/\*.*?\*/)|\@ROW (\w+) @ (\w+) @\s*(.*?)\s*@ \((.*?)\) @\s*(.*?)\s*\@END}gs) {
    if (!defined $1) {
        my ($class, $name, $standard, $facts, $effects) = ($2, $3, $4, $5, $6);
        push @rows, {class => class_of($class, $effects), name => $name, standard => $standard =~ s/"//gr,
            facts => join('; ', map { $fact{$_} } split(/,\s*/, $facts)), effects => effects_in_words($effects)};
        next;
    }
    my $comment = $1 =~ s{^/\*\s*|\s*\*/$}{}gr =~ s/\n \* ?/ /gr;
    if ($comment =~ /^(.*?)\. See hooks\.def/) {
        my ($chapter, $rest) = split(/: /, $1, 2);
        $page .= print_section($title, @rows);
        $page .= "\n## $chapter\n" . ($rest ? "\n" . ucfirst($rest) . ".\n" : '');
        ($title, @rows) = ('');
    } elsif ($comment =~ /^--- (.*) ---$/) {
        $page .= print_section($title, @rows);
        ($title, @rows) = ($1);
    }
}
$page .= print_section($title, @rows);

if (!@ARGV) {
    print $page;
    exit;
}
my $text = slurp($ARGV[0]);
$text =~ s/(<!-- begin of the tables -->\n).*(<!-- end of the tables -->)/$1$page\n$2/s or die "$ARGV[0] has no place for it\n";
open(my $out, '>', $ARGV[0]) or die;
print $out $text;
