#!/usr/bin/perl
# Runs one job of the tests and ends it when it hangs: one hung command must cost its job, not the whole run.
#
# Usage: run_job.pl COMMAND...
#
# A job hangs when none of its processes has used any processor time, started or ended for five minutes, or
# when they have used an hour of it together. Neither depends on what else the machine does: at a load of 50
# a process that can run still runs every few seconds.
use strict;
use warnings;
use POSIX qw(:sys_wait_h);

my $still_seconds = $ENV{JOB_STILL_SECONDS} // 300;
my $most_seconds  = $ENV{JOB_MOST_SECONDS}  // 3600;
my $tick          = POSIX::sysconf(POSIX::_SC_CLK_TCK());

sub read_file {
    my ($path) = @_;
    open my $file, '<', $path or return '';
    local $/;
    return <$file> // '';
}

# the job's processes, whoever their parent is now: number => [ticks used, name]
sub find_processes {
    my %found;
    for my $folder (glob '/proc/[0-9]*') {
        my ($number) = $folder =~ /(\d+)$/;
        next if index("\0" . read_file("$folder/environ"), "\0TEST_JOB=$$\0") < 0;
        my ($name, $rest) = read_file("$folder/stat") =~ /\((.*)\) (.*)/s or next;
        my @field = split ' ', $rest;    # from field 3, the state, on
        $found{$number} = [$field[11] + $field[12], $name];
    }
    return \%found;
}

my $own = $$;
my $child = fork // die "run_job: cannot fork: $!\n";
if ($child == 0) {
    $ENV{TEST_JOB} = $own;
    exec @ARGV or die "run_job: cannot run $ARGV[0]: $!\n";
}

# Has the child ended within so many seconds? Its status, or nothing. It is asked again and again: an alarm that ends a
# waitpid() may come when the status has been taken already, and then it is lost.
sub wait_for_child {
    my ($seconds) = @_;
    my $until = time + $seconds;
    for (my $pause = 0.005; time < $until; $pause = $pause < 0.1 ? 2 * $pause : 0.1) {
        return $? if waitpid($child, WNOHANG) == $child;
        select undef, undef, undef, $pause;
    }
    return;
}

my ($before, $changed, %used) = ('', time);
while (1) {
    my $status = wait_for_child(10);
    exit(WIFEXITED($status) ? WEXITSTATUS($status) : 128 + WTERMSIG($status)) if defined $status;

    my $processes = find_processes();
    my $now = join ' ', map { "$_:$processes->{$_}[0]" } sort keys %$processes;
    ($before, $changed) = ($now, time) if $now ne $before;
    $used{$_} = $processes->{$_}[0] for keys %$processes;
    my $total = 0;
    $total += $_ for values %used;
    next if time - $changed < $still_seconds && $total < $most_seconds * $tick;

    my $why = $total < $most_seconds * $tick
        ? "no process did anything for $still_seconds s"
        : "its processes used $most_seconds s of processor time";
    print "not ok - hung: $why\n";
    for my $number (sort { $a <=> $b } keys %$processes) {
        (my $line = read_file("/proc/$number/cmdline")) =~ tr/\0\n/  /;
        print "#   $number $processes->{$number}[1], in ", read_file("/proc/$number/wchan") || '?', ": $line\n";
    }
    kill 'KILL', $_ for keys %$processes;
    waitpid $child, 0;
    exit 124;
}
