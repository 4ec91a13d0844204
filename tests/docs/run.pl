#!/usr/bin/perl
# What the documentation shows is what happens. Every transcript ("$ mazur …" in a fenced block, with
# output below it) is typed again and its output compared; every option that is named exists; every
# message in the table of the manual is in the sources; every link leads somewhere; every file of src that is
# named exists; the drawings are made from their sources; docs/papers.md has every place of the papers, and its commands run.
#
# In a transcript "…" stands for anything; times and addresses may differ. Comments in the documents, which a reader does not see, help:
#   <!-- output of: COMMAND -->    the next block shows (parts of) what COMMAND prints
#   <!-- first: COMMAND -->        is run before, silently
#
# Usage: run.pl [--transcripts] [PART OF A DOCUMENT'S NAME]      Environment: MAZUR (bin/mazur)
# --transcripts: only these, where an installed Mazur is tried and there are no sources.
use strict;
use warnings;
use utf8;
use Cwd qw(abs_path getcwd);
use File::Basename qw(basename dirname);
use File::Temp qw(tempdir); # all of them in Debian's perl-base
binmode(STDOUT, ':utf8');

my $root = abs_path(dirname(abs_path($0)) . '/../..');
my $mazur = $ENV{MAZUR} // "$root/bin/mazur";
$mazur = abs_path(dirname($mazur)) . '/' . basename($mazur); # what else is in its folder is found there, links too
my $has_gdb = system('gdb --version >/dev/null 2>&1') == 0;
my $work = tempdir(CLEANUP => 1);
delete $ENV{$_} for grep { /^(MAZUR_|NO_COLOR$|COLUMNS$|GITHUB_STEP_SUMMARY$|DISPLAY$|WAYLAND_DISPLAY$)/ } keys %ENV;
$ENV{MAZUR_TIME} = '1200s'; # as in tests/patience.sh
@ENV{qw(XDG_CACHE_HOME HOME PATH)} = ("$work/cache", "$work/home", dirname($mazur) . ":$ENV{PATH}");
# Open MPI: more ranks than processors, and in containers (tests/mpi.sh)
@ENV{qw(OMPI_MCA_rmaps_base_oversubscribe OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM)} = (1, 1, 1);
my $has_mpi = system('command -v mpirun >/dev/null 2>&1 && command -v mazur-mpi >/dev/null 2>&1') == 0;
my ($passed, $failed) = (0, 0);

sub verdict {
    my ($good, $name, @why) = @_;
    $good ? $passed++ : $failed++;
    printf "%s %d - %s\n", $good ? 'ok' : 'not ok', $passed + $failed, $name =~ s/#/\\#/gr;
    print $good ? () : map { "#   $_\n" } @why;
}

sub slurp {
    my ($file) = @_;
    open(my $in, '<:utf8', $file) or die "$file: $!\n";
    local $/;
    return scalar <$in>;
}

sub normal {
    my ($line) = @_;
    $line =~ s/\s+$//;
    $line =~ s/0x[0-9a-f]+/0xADDRESS/g;
    $line =~ s/\(LWP \d+\)/(LWP N)/g;
    $line =~ s/^#\d+ +(0xADDRESS in )?/#N  /; # a frame: how many there are is the compiler's affair
    $line =~ s/\s+\d+\.\d s$/ TIME/;
    return $line;
}

# The shown lines stand in the output in this order, without others in between unless "…" says so.
sub missing {
    my ($shown, $output) = @_;
    my ($at, $gap) = (0, 1);
    for my $line (@$shown) {
        if ($line =~ /^\s*…$/) { $gap = 1; next }
        next if $line eq '' && $gap;
        my $from = $at;
        $at++ while $gap && $at < @$output && $output->[$at] ne $line;
        return "'$line' is not there; instead: '" . ($output->[$from] // 'the end') . "'" if $at >= @$output || $output->[$at] ne $line;
        $at++;
        $gap = 0;
    }
    return;
}

# What COMMAND prints; gdb's commands are given to it, and its prompts are no output.
sub run {
    my ($command, @input) = @_;
    open(my $in, '>:utf8', 'input') or die;
    print $in "$_\n" for @input;
    close $in;
    my $output = `{ $command; } 2>&1 <input`;
    utf8::decode($output);
    my @lines = split(/\n/, $output);
    s/^(\(gdb\) )+// for @lines;
    return map { normal($_) } @lines;
}

sub transcript {
    my ($name, $command, @shown) = @_;
    if ($command =~ /mazur debug/ && !$has_gdb) {
        print "# there is no gdb: $name is not run\n";
        return;
    }
    if ($command =~ /^mpirun/ && !$has_mpi) {
        print "# there is no mpirun or no mazur-mpi: $name is not run here (tests/cli/test_mpi.sh does)\n";
        return;
    }
    my @input = map { /^\(gdb\) (.*)/ ? $1 : () } @shown;
    my @output = run($command, @input);
    # gdb itself says more, and not the same in every version
    my @wanted = map { @input ? ('…', $_) : $_ } map { normal($_) } grep { !/^\(gdb\) / } @shown;
    my $problem = missing(\@wanted, \@output);
    verdict(!$problem, "$name: $command", $problem // ());
}

sub check_transcripts {
    my ($name, $text) = @_;
    my $place = "$work/" . $name =~ s/\W/_/gr;
    mkdir $place;
    chdir $place;
    system('cp', '-r', "$root/examples", '.');
    symlink("$root/$_", $_) for 'tests', 'bench';
    my ($inside, $command, @shown) = (0);
    my $number = 0;
    my $end = sub { transcript("$name:$number", $command, @shown) if $command; ($command, @shown) = (undef) };
    my $line_number = 0;
    for my $line (split /\n/, $text) {
        $line_number++;
        if ($line =~ /^<!-- first: (.*) -->$/) { run($1) }
        elsif ($line =~ /^<!-- output of: (.*) -->$/) { ($command, $number) = ($1, $line_number) }
        elsif ($line =~ /^```/) { $end->() if $inside; $inside = !$inside }
        elsif ($inside && $line =~ /^\$ (.*)/) { $end->(); ($command, $number) = ($1, $line_number) }
        elsif ($inside) { push @shown, $line if $command }
    }
    chdir '/';
}

my %foreign = map { $_ => 1 } qw(--filter --items --gtest_filter --cap-add --security-opt --native-file --setup
    --wrapper --ntasks --mem-per-cpu --requeue --mpi --array);
my %known = map { $_ => 1 } map { /(--[a-z][a-z-]*)/g } map { `$mazur $_ --help 2>&1` }
    qw(check run replay debug show view regress model cc selftest help);
$known{$_} = 1 for qw(--help --version --bash --zsh --fish --launch --checkpoint --checkpoint-every);

sub check_options {
    my ($name, $text) = @_;
    my %unknown = map { $_ => 1 } grep { !$known{$_} && !$foreign{$_} } $text =~ /(?<![\w-])(--[a-z][a-z_-]*)/g;
    verdict(!%unknown, "$name: options", 'unknown: ' . join(' ', sort keys %unknown));
}

sub anchor {
    my ($title) = @_;
    $title = lc $title =~ s/[^\w\s-]//gr;
    return $title =~ s/\s/-/gr;
}

sub check_links {
    my ($name, $text) = @_;
    my @broken;
    for my $link ($text =~ /\]\(([^)\s]+)\)/g) {
        next if $link =~ /^https?:/;
        my ($file, $part) = $link =~ /^([^#]*)(?:#(.*))?$/;
        my $path = $file eq '' ? "$root/$name" : dirname("$root/$name") . "/$file";
        my $good = -e $path;
        if ($good && defined $part) { $good = grep { anchor($_) eq $part } slurp($path) =~ /^#+ (.*)$/mg }
        push @broken, $link unless $good;
    }
    verdict(!@broken, "$name: links", "broken: @broken");
}

# Files and folders of src that a document names exist.
sub check_sources {
    my ($name, $text) = @_;
    my %lost = map { $_ => 1 } grep { !-e "$root/$_" } $text =~ m{`(src/[\w/]+(?:\.\w+)?)`}g;
    verdict(!%lost, "$name: files of src", 'do not exist: ' . join(' ', sort keys %lost));
}

sub check_drawings {
    my $faults = `sh "$root/scripts/draw.sh" --check 2>&1`;
    verdict($? == 0, 'drawings', $faults);
}

# The recording of a terminal shows what the command prints today.
sub check_terminal {
    my $made = `MAZUR="$mazur" perl "$root/scripts/terminal_svg.pl" 2>&1`;
    utf8::decode($made);
    verdict($made eq slurp("$root/docs/images/terminal.svg"), 'docs/images/terminal.svg is up to date',
        'make it again: scripts/terminal_svg.pl >docs/images/terminal.svg');
}

# Quoted messages are in the sources, but for their "…".
sub check_messages {
    my $text = slurp("$root/docs/manual.md");
    my $sources = join "\n", map { slurp($_) } glob(join ' ', map { "$root/src$_/*.{c,h,def,py}" } '', '/*', '/*/*', '/*/*/*');
    $sources =~ s/"\s*\n\s*"//g;
    $sources =~ s/%[-+.*0-9]*(?:ll|l|z)?[a-zA-Z]/…/g;
    my ($table) = $text =~ /## When something goes wrong\n(.*)/s;
    verdict(defined $table, 'manual: the table of messages', 'there is no section of that name');
    for my $row (($table // '') =~ /^\| (`.*?) \|/mg) {
        for my $message ($row =~ /`([^`]+)`/g) {
            my @lost = grep { length && index($sources, $_) < 0 } map { s/^[\s:]+|[\s:]+$//gr } split /…|FUNCTION|: /, $message;
            verdict(!@lost, "manual: message '$message'", "not in the sources: '" . join("', '", @lost) . "'");
        }
    }
}

# docs/papers.md: every place of the papers has a row, every row a verdict, every command runs.
sub check_papers {
    my ($text) = @_;
    my (%listed, %commands, $bench);
    my %asides = ('000' => '5', '001' => '5', '002' => '7', '003' => '', '004' => '7');
    $bench = slurp("$root/bench/run.sh");
    for my $row (grep { /^\| 00\d \|/ } split /\n/, $text) {
        my (undef, $paper, $place, undef, $where, $command, $verdict) = split / *\| */, $row;
        verdict($verdict =~ /^(exact|deviates|beyond|proof|lacks)\b/, "papers: verdict of $paper, $place", $verdict);
        my @absent = grep { !-e "$root/$_" } $where =~ /`([^`]+)`/g;
        verdict(@absent == 0, "papers: files of $paper, $place", "there is no @absent");
        $commands{$_} = 1 for $command =~ /`([^`]+)`/g;
        $place =~ s/(\d+) to (\d+)/join(', ', $1 .. $2)/ge;
        my $kind = 'section';
        for my $word ($place =~ /[A-Z][a-z]+|[\d.]+\d|\d|\b[ABC]\b/g) {
            $kind = lc $word =~ s/s$//r, next if $word =~ /^[A-Z][a-z]/;
            $listed{$paper}{$kind}{$word} = 1;
        }
    }
    for my $line (split /\n/, slurp("$root/scripts/papers.tsv")) {
        my ($paper, $kind, $numbers) = split /\t/, $line;
        next if $line =~ /^#/;
        my @all = split / /, $numbers;
        # introductions, related work and conclusions need no row, nor does a section whose parts have them
        my %exempt = map { $_ => 1 } $kind eq 'section' ? (1, split / /, $asides{$paper}) : ();
        @all = grep { my $one = $_; !$exempt{$one} && !grep { /^\Q$one\E\./ } @all } @all if $kind eq 'section';
        my @absent = grep { !$listed{$paper}{$kind}{$_} } @all;
        verdict(@absent == 0, "papers: every $kind of $paper", "no row has @absent");
    }
    chdir $root;
    for my $command (sort keys %commands) {
        if ($command =~ m{^bench/(\w+)\.sh$}) { # make bench runs it; promela.sh needs Spin
            verdict(-x "$root/$command" && ($1 eq 'promela' || $bench =~ /\b$1\b/), "papers: $command");
            next;
        }
        my $output = `$command 2>&1 </dev/null`;
        verdict($command =~ /^mazur / && $? >> 8 < 64 && !($? & 127), "papers: $command", split /\n/, $output);
    }
    chdir '/';
}

my $only_transcripts = @ARGV && $ARGV[0] eq '--transcripts' && shift @ARGV;
my $wanted = $ARGV[0] // '';
for my $name ('README.md', 'CONTRIBUTING.md', 'examples/README.md', map { s{^\Q$root\E/}{}r } glob("$root/docs/*.md $root/docs/howto/*.md")) {
    next if index($name, $wanted) < 0;
    my $text = slurp("$root/$name");
    check_transcripts($name, $text);
    next if $only_transcripts;
    check_options($name, $text) unless $name =~ /CONTRIBUTING|benchmarks|compatibility/; # other programs' options
    check_links($name, $text);
    check_sources($name, $text);
}
check_drawings() if !$only_transcripts && index('docs/drawings', $wanted) >= 0;
check_terminal() if !$only_transcripts && index('docs/images/terminal.svg', $wanted) >= 0;
check_papers(slurp("$root/docs/papers.md")) if !$only_transcripts && index('docs/papers.md', $wanted) >= 0;
check_messages() if !$only_transcripts && index('docs/manual.md', $wanted) >= 0;
# the plan that `prove` asks for; without a test there is none, which is a failure
print "1..", $passed + $failed, "\n" if $passed + $failed;
print "$passed passed, $failed failed\n";
exit($failed || !$passed ? 1 : 0);
