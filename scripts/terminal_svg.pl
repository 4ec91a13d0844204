#!/usr/bin/perl
# A terminal with a real run of `mazur check examples/queue.c`, as an SVG: terminal_svg.pl >docs/images/terminal.svg
#
# The text is what the command prints with colours into 100 columns; only times and the trace file's name, which may
# depend on the machine, are always the same ones (tests/docs makes it again and compares). The lines appear one after the other.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Basename;
use File::Temp 'tempdir'; # all of them in Debian's perl-base

my $root = abs_path(dirname($0) . '/..');
my $mazur = abs_path($ENV{MAZUR} // "$root/bin/mazur") or die "$0: run make first\n";
my ($columns, $letter, $height, $margin, $bar) = (100, 8.4, 19, 16, 30);
my %paint = ('1;31' => 'failure', '33' => 'preemption', '2' => 'quiet', '1' => 'strong');

sub run_command {
    my $work = tempdir(CLEANUP => 1);
    delete $ENV{$_} for grep { /^(MAZUR_|NO_COLOR$|GITHUB_STEP_SUMMARY$)/ } keys %ENV;
    @ENV{qw(COLUMNS HOME XDG_CACHE_HOME)} = ($columns, $work, "$work/cache");
    my $script = 'mkdir "$1/examples" && cp "$3/examples/queue.c" "$1/examples" && cd "$1" && ' .
        'exec "$2" check examples/queue.c --color always --time 0';
    open my $out, '-|', 'sh', '-c', $script, 'sh', $work, $mazur, $root or die "$mazur: $!\n";
    binmode $out, ':utf8';
    my @lines = <$out>;
    close $out;
    die "$0: mazur check: exit status " . ($? >> 8) . "\n" unless $? >> 8 == 1;
    return @lines;
}

sub escape_text {
    my ($text) = @_;
    $text =~ s/&/&amp;/g;
    $text =~ s/</&lt;/g;
    $text =~ s/>/&gt;/g;
    return $text;
}

# One line of the screen: each stretch of a colour is put where its columns are, whatever font the reader has.
sub text_element {
    my ($line, $row, $delay) = @_;
    my ($column, $class, @parts) = (0, '');
    for my $piece (split /(\e\[[0-9;]*m)/, $line) {
        if ($piece =~ /^\e\[([0-9;]*)m$/) { $class = $paint{$1} // ''; next }
        for my $run (split /( {2,})/, $piece) {
            my $long = length $run;
            push @parts, sprintf '<tspan x="%.1f" textLength="%.1f"%s>%s</tspan>', $margin + $column * $letter, $long * $letter,
                $class ? qq( class="$class") : '', escape_text($run) if $run =~ /\S/;
            $column += $long;
        }
    }
    return '' unless @parts;
    return sprintf qq(<text y="%d" style="animation-delay: %.2fs">%s</text>\n), $bar + $margin + $row * $height, $delay, join('', @parts);
}

binmode STDOUT, ':utf8';
my @lines = run_command();
chomp @lines;
s/\d+\.\d s$/0.0 s/, s/\b[0-9a-f]{4,16}(?=\.mzt)/7f3a/ for @lines;
my ($row, $delay, $body) = (0, 0.3, '');
$body .= text_element("\e[1m\$ mazur check examples/queue.c\e[0m", $row++, $delay);
$delay += 0.9;
for my $line (@lines) {
    $body .= text_element($line, $row++, $delay);
    $delay += 0.06;
}
my ($wide, $high) = (2 * $margin + $columns * $letter, $bar + 2 * $margin + ($row - 1) * $height);
print <<"SVG";
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $wide $high" width="$wide" height="$high" role="img" aria-label="mazur check examples/queue.c in a terminal">
<style>
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #e6edf3; white-space: pre; animation: appear .01s backwards; }
  .failure { fill: #ff8e88; font-weight: bold; } .preemption { fill: #ffb86b; } .quiet { fill: #9da7b1; } .strong { font-weight: bold; }
  \@keyframes appear { from { visibility: hidden; } }
  \@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect width="$wide" height="$high" rx="8" fill="#11151a"/>
<circle cx="20" cy="17" r="6" fill="#ff5f57"/><circle cx="40" cy="17" r="6" fill="#febc2e"/><circle cx="60" cy="17" r="6" fill="#28c840"/>
$body</svg>
SVG
