import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reach } from '@loader/session-core/coding'
import type { Guarantee } from '@loader/workspace'

/** Walls that lack something. The programs against what they lack must get through, or they show nothing. */
export interface WrongWall {
  readonly name: string
  readonly lacks: readonly Guarantee[]
  /** What is done to the arguments of bubblewrap, in perl; `@ARGV` holds them. */
  readonly change?: string
  readonly reach?: Reach
}

/** Takes out an option with as many words after it, where a condition on `@w`, these words, holds. */
const take = (option: string, words: number, where = '1') =>
  `my @o; while (@ARGV) { my $a = shift @ARGV; if ($a eq '${option}' && do { my @w = @ARGV[0..${words - 1}]; ${where} }) { splice @ARGV, 0, ${words}; next } push @o, $a; if ($a eq '--') { push @o, @ARGV; last } } @ARGV = @o;`

const tmpOfMachine = `for my $i (0..$#ARGV-2) { $ARGV[$i+1] = $ARGV[$i+2] if $ARGV[$i] eq '--bind' && $ARGV[$i+2] =~ m{^/(var/)?tmp$} }`

/** Takes away what was mounted before bubblewrap: `@m` is its line in the list of mounts, with the place in `$m[4]`. */
const unmount = (where: string) =>
  `open my $list, '<', '/proc/self/mountinfo'; my @gone = grep { my @m = split / /; ${where} } <$list>; system 'umount', '-l', (split / /)[4] for reverse @gone;`

const guardsBefore = `open my $l, '<', '/proc/self/mountinfo'; my @held = map { (split / /)[4] } grep { my @m = split / /; $m[4] =~ m{/project/} && $m[5] =~ /^ro/ } <$l>;`
const guardsAgain = `my ($at) = grep { $ARGV[$_] eq '--clearenv' } 0..$#ARGV; splice @ARGV, $at, 0, map { ('--ro-bind', $_, $_) } @held;`

export const wrongWalls: readonly WrongWall[] = [
  {
    name: 'a root that can be written',
    lacks: ['files-outside-unwritable'],
    change: `for my $i (0..$#ARGV-2) { $ARGV[$i] = '--bind' if $ARGV[$i] eq '--ro-bind' && $ARGV[$i+1] eq '/' } ${take('--tmpfs', 1, '$w[0] !~ /^.(run|proc)/')} ${take('--ro-bind', 2, '$w[0] =~ m{/made/sealed-}')}`,
  },
  {
    name: 'no guards',
    lacks: ['guarded-paths'],
    change: `${take('--ro-bind', 2, `$w[0] eq $w[1] && $w[0] =~ m{/project/}`)} ${unmount('$m[4] =~ m{/project/} && $m[5] =~ /^ro/')}`,
  },
  {
    name: 'guards that can be carried along',
    lacks: ['guarded-paths'],
    change: `${guardsBefore} ${take('--bind', 2, `$w[0] eq $w[1] && $w[0] =~ m{/project/}`)} ${unmount('$m[4] =~ m{/project/} && $m[5] =~ /^rw/ && !/ - overlay /')} ${guardsAgain}`,
  },
  { name: 'no home', lacks: ['secrets-hidden'], change: take('--tmpfs', 1, '$w[0] =~ m{/home$}') },
  {
    name: 'no masks',
    lacks: ['secrets-hidden', 'sockets-masked'],
    change: `${take('--ro-bind', 2, '$w[0] =~ m{/made/}')} ${unmount('$m[3] =~ m{/made/}')}`,
  },
  { name: 'no net', lacks: ['network-none'], change: `@ARGV = grep { $_ ne '--unshare-net' } @ARGV;` },
  {
    name: 'no pid',
    lacks: ['environment-unseen'],
    change: `@ARGV = map { $_ eq '--proc' ? ('--ro-bind', '/proc') : $_ } grep { $_ ne '--unshare-pid' } @ARGV;`,
  },
  {
    name: 'rights kept',
    lacks: ['rights-dropped'],
    change: `@ARGV = map { $_ eq '--cap-drop' ? '--cap-add' : $_ } @ARGV;`,
  },
  { name: 'no filter', lacks: ['calls-filtered'], change: take('--seccomp', 1) },
  {
    name: 'the /tmp of the machine',
    lacks: ['own-tmp'],
    change: tmpOfMachine,
  },
  {
    name: 'every variable',
    lacks: [],
    change: `unshift @ARGV, '--setenv', 'SOME_API_KEY', '{SECRET}'; @ARGV = grep { $_ ne '--clearenv' } @ARGV;`,
  },
  { name: 'real packages', lacks: ['packages-copy-on-write'], reach: 'network' },
]

const hiddenInTmp: ReadonlySet<Guarantee> = new Set(['files-outside-unwritable', 'secrets-hidden', 'sockets-masked'])

/** A program that stands in for bubblewrap. */
export function wrongBubblewrap(
  folder: string,
  { name, lacks, change = '' }: WrongWall,
  real: string,
  secret: string,
): string {
  const path = join(folder, name.replaceAll(/[^a-z]/g, '-'))
  // A world below /tmp would be out of reach by the session's own /tmp, whatever else is wrong.
  const inTmp = /^\/(var\/)?tmp\//.test(folder) && lacks.some((each) => hiddenInTmp.has(each)) ? tmpOfMachine : ''
  const script = `#!/usr/bin/perl\nuse strict;\n${inTmp}\n${change.replace('{SECRET}', secret)}\nexec '${real}', @ARGV;\n`
  writeFileSync(path, script)
  chmodSync(path, 0o755)
  return path
}
