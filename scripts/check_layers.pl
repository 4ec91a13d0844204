#!/usr/bin/perl
# The layers of src (src/layers): an #include points down the list or stays in its folder. Prints every
# edge that does not, and every folder that the list lacks.
# --cycles: which files of the library inside the program under test can't do without each other, by the
# symbols that their objects define and use; fails above the largest group that is allowed. Hidden
# symbols only: an exported one is a hook, and who uses its name means libc's function.
# Usage: check_layers.pl [--cycles OBJECT-FOLDER LARGEST]
use strict;
use warnings;
use File::Basename;
use File::Find;

chdir(dirname($0) . "/..") or die "no project folder: $!\n";
my $faults = 0;

sub check_includes {
    my (%rank, @files);
    open my $list, '<', 'src/layers' or die "src/layers: $!\n";
    while (<$list>) {
        next if /^\s*(#|$)/;
        my ($folder) = split;
        $rank{$folder} = $.;
    }
    find(sub { push @files, $File::Find::name if /\.(c|h|def)$/ }, 'src');
    for my $file (sort @files) {
        my $from = dirname($file) =~ s|^src/||r;
        if (!exists $rank{$from}) {
            print "src/layers does not name the folder of $file\n";
            $faults++;
            next;
        }
        open my $text, '<', $file or die "$file: $!\n";
        while (<$text>) {
            next unless /^\s*#\s*include\s+"([\w\/.]+)"/;
            my $to = dirname($1);
            next if $to eq $from || !-f "src/$1";
            next if exists $rank{$to} && $rank{$to} > $rank{$from};
            print "$file:$.: includes $1, and $to is not below $from\n";
            $faults++;
        }
    }
    return;
}

# Tarjan's algorithm, for groups of files that need each other.
my (%needs, %index, %low, %open, @stack, @groups, $count);
sub visit {
    my ($file) = @_;
    $index{$file} = $low{$file} = ++$count;
    push @stack, $file;
    $open{$file} = 1;
    for my $other (sort keys %{$needs{$file}}) {
        if (!$index{$other}) {
            visit($other);
            $low{$file} = $low{$other} if $low{$other} < $low{$file};
        } elsif ($open{$other} && $index{$other} < $low{$file}) {
            $low{$file} = $index{$other};
        }
    }
    return if $low{$file} != $index{$file};
    my @group;
    do {
        my $top = pop @stack;
        $open{$top} = 0;
        push @group, $top;
    } while ($group[-1] ne $file);
    push @groups, [sort @group] if @group > 1;
    return;
}

sub check_cycles {
    my ($folder, $largest) = @_;
    my (%defines, %uses, @objects);
    find(sub { push @objects, $File::Find::name if /\.o$/ }, $folder);
    # the runtime's own, and not those of files that are gone; base and explore never call it
    @objects = grep { m|/runtime/| && -f s|^\Q$folder\E/?||r =~ s|\.o$|.c|r } @objects;
    die "no objects in $folder\n" unless @objects;
    for my $object (@objects) {
        for (`readelf -sW $object`) {
            my (undef, undef, undef, undef, $binding, $visibility, $section, $symbol) = split;
            next unless defined $symbol && $binding =~ /^(GLOBAL|WEAK)$/;
            if ($section eq 'UND') { $uses{$object}{$symbol} = 1 }
            elsif ($visibility eq 'HIDDEN') { $defines{$symbol} = $object }
        }
    }
    for my $object (keys %uses) {
        for my $symbol (keys %{$uses{$object}}) {
            my $other = $defines{$symbol};
            $needs{$object}{$other} = 1 if $other && $other ne $object;
        }
    }
    $index{$_} || visit($_) for sort @objects;
    for my $group (sort { @$b <=> @$a } @groups) {
        printf "%d files need each other: %s\n", scalar @$group,
            join ' ', map { s|^\Q$folder\E/?(src/)?||r =~ s|\.o$||r } @$group;
        $faults++ if @$group > $largest;
    }
    return;
}

if (@ARGV && $ARGV[0] eq '--cycles') {
    check_cycles($ARGV[1], $ARGV[2]);
} else {
    check_includes();
}
exit($faults ? 1 : 0);
