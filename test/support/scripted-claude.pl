#!/usr/bin/env perl
# A claude that follows a script. CLAUDE_SCRIPT holds its turns, written by claude-script.ts: the nth call plays the nth turn, later calls the
# last one. Every call is noted in the file CLAUDE_CALLS. What it prints has the shapes of test/fixtures/streams/claude; with
# `--output-format text` it prints its last word and nothing else, as the real one does. It is written in perl because perl starts in a few
# milliseconds and node does not: the suite calls it thousands of times.
use strict;
use warnings;
use Cwd ();
use POSIX ();
use Time::HiRes ();

my $in_text = join(' ', @ARGV) =~ /--output-format text/;
my $last_word = '';
# What a template may name: it is known only while the script is played.
my %known = (CWD => json_inside(Cwd::getcwd()), CODE => '', FAILED => 'false', RESETS_AT => '', WALL_TIME => '');
$| = 1;

my %play = (
  # A line of the stream. Asked for text, only what is said and the result count.
  emit => sub {
    my ($shape, $line, $word) = @_;
    return print fill($line), "\n" unless $in_text;
    $last_word = fill($word) if $shape ne 'other';
    print_last_word() if $shape eq 'result';
  },
  run => sub {
    my $child = start($_[0], 0);
    waitpid $child, 0;
    $known{CODE} = $? & 127 ? 'null' : $? >> 8;
    $known{FAILED} = $? == 0 ? 'false' : 'true';
  },
  # As the real one runs its tools: in a session of its own. Nobody waits for it.
  start => sub { start($_[0], 1) },
  limit => sub {
    my $at = POSIX::ceil(Time::HiRes::time() + $_[0] / 1000);
    my ($minute, $hour) = (gmtime $at)[1, 2];
    # `4:42am`: the seconds are cut off, as in the real texts.
    $known{WALL_TIME} = sprintf '%d:%02d%s', $hour % 12 || 12, $minute, $hour < 12 ? 'am' : 'pm';
    $known{RESETS_AT} = $at;
  },
  print => sub { print $_[0] x $_[1] },
  pause => sub { Time::HiRes::sleep($_[0] / 1000) },
  until => sub { Time::HiRes::sleep(0.02) until -e $_[0] },
  exit => sub { leave($_[0]) },
  stay => sub { sleep 1000 while 1 },
);

sub start {
  my ($command, $detached) = @_;
  my $child = fork // die "fork: $!";
  return $child if $child;
  POSIX::setsid() if $detached;
  open STDIN, '<', '/dev/null';
  open STDOUT, '>', '/dev/null';
  open STDERR, '>', '/dev/null';
  exec 'sh', '-c', $command or POSIX::_exit(127);
}

sub fill {
  my ($text) = @_;
  $text =~ s/@([A-Z_]+)@/exists $known{$1} ? $known{$1} : "\@$1\@"/ge;
  return $text;
}

sub print_last_word {
  print "$last_word\n" if $last_word ne '';
  $last_word = '';
}

sub leave {
  print_last_word();
  exit $_[0];
}

# The text as it stands between the quotes of a JSON string.
sub json_inside {
  my ($text) = @_;
  $text =~ s/(["\\])/\\$1/g;
  $text =~ s/([\x00-\x1f])/sprintf '\\u%04x', ord $1/ge;
  return $text;
}

my $prompt = do { local $/; <STDIN> } // '';
my $args = join ',', map { '"' . json_inside($_) . '"' } @ARGV;
my $at_ms = int(Time::HiRes::time() * 1000);
open my $calls, '>>', $ENV{CLAUDE_CALLS} or die "CLAUDE_CALLS: $!";
syswrite $calls, "{\"atMs\":$at_ms,\"args\":[$args],\"prompt\":\"" . json_inside($prompt) . "\"}\n";
close $calls;
open my $noted, '<', $ENV{CLAUDE_CALLS} or die "CLAUDE_CALLS: $!";
my $call = () = <$noted>;
close $noted;

my @turns = map { [split /\n/] } split /\n==\n/, $ENV{CLAUDE_SCRIPT}, -1;
for my $step (@{ $turns[$call < @turns ? $call - 1 : -1] }) {
  my ($name, @values) = split / /, $step, -1;
  s/%([0-9A-Fa-f]{2})/chr hex $1/ge for @values;
  $play{$name}->(@values);
}
leave(0);
