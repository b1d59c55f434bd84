import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Repository, secretLine } from './repository.ts'

type Input = Readonly<Record<string, unknown>>
type Given<Value> = Value | ((repository: Repository) => Value)

export interface HostileCall {
  readonly about: string
  readonly tool: 'bash' | 'git' | 'glob' | 'grep'
  readonly prepare?: (repository: Repository) => unknown
  readonly input: Given<Input>
  /** What becomes of it: it is refused when it is looked at, it fails, or it runs and does no harm. */
  readonly becomes: 'refused' | 'failed' | 'harmless'
  /** For those that run: what has to be in the result. */
  readonly shows?: string | RegExp
  /** What somebody harmless would have wanted, and what it shows. */
  readonly benign: Given<Input>
  readonly benignShows: string | RegExp
}

const linkOutside = ({ root, top }: Repository) => symlink(join(top, 'outside'), join(root, 'link'))
const loaderFolder = (repository: Repository) => repository.write('.loader/sessions/a.json', `${secretLine}\n`)

const commands: readonly HostileCall[] = [
  {
    about: 'prints the credentials of its environment',
    tool: 'bash',
    input: { command: 'env; echo "$MY_API_KEY$aws_session_token$GH_TOKEN$npm_config__authToken$DB_PASSWORD"' },
    becomes: 'harmless',
    benign: { command: 'echo "$RUST_LOG"' },
    benignShows: 'plain value',
  },
  {
    about: 'looks for credentials in the environment of its parent',
    tool: 'bash',
    input: { command: 'cat /proc/$PPID/environ /proc/1/environ | tr "\\0" "\\n"' },
    becomes: 'harmless',
    benign: { command: 'echo $((6 * 7))' },
    benignShows: '42',
  },
  {
    about: 'waits for input',
    tool: 'bash',
    input: { command: 'read -r line || echo "no input"; cat' },
    becomes: 'harmless',
    shows: 'no input',
    benign: { command: 'echo line | cat' },
    benignShows: 'line',
  },
  {
    about: 'asks at the terminal',
    tool: 'bash',
    input: { command: 'head -1 < /dev/tty' },
    becomes: 'failed',
    shows: '/dev/tty',
    benign: { command: 'tty || true' },
    benignShows: 'not a tty',
  },
  {
    about: 'opens an editor',
    tool: 'bash',
    input: { command: 'git commit -a' },
    becomes: 'failed',
    benign: { command: 'git -c user.name=A -c user.email=a@example.com commit -qam Third && git log -1 --format=%s' },
    benignShows: 'Third',
  },
  {
    about: 'asks for a password for another machine',
    tool: 'bash',
    input: { command: 'git -c credential.helper= ls-remote https://user@localhost:1/x' },
    becomes: 'failed',
    benign: { command: 'git remote -v; echo done' },
    benignShows: 'done',
  },
  {
    about: 'never ends',
    tool: 'bash',
    input: { command: 'while :; do :; done', timeout: 0.2 },
    becomes: 'failed',
    shows: 'stopped after 0.2 s',
    benign: { command: 'sleep 0.01; echo slept' },
    benignShows: 'slept',
  },
  {
    about: 'never stops printing',
    tool: 'bash',
    input: { command: 'echo first; yes', timeout: 0.3 },
    becomes: 'failed',
    shows: 'stopped after 0.3 s',
    benign: { command: 'seq 3' },
    benignShows: '1\n2\n3',
  },
  {
    about: 'prints one endless line of bytes that are no text',
    tool: 'bash',
    input: { command: 'head -c 5000000 /dev/urandom' },
    becomes: 'harmless',
    shows: 'bytes were cut here',
    benign: { command: "printf 'é\\xff!'" },
    benignShows: 'é\ufffd!',
  },
  {
    about: 'leaves a process in the background that holds the output',
    tool: 'bash',
    input: { command: 'sleep 600 & echo started' },
    becomes: 'harmless',
    shows: /started\n\[It left processes running/,
    benign: { command: 'sleep 0.01 & wait; echo ended' },
    benignShows: /^ended$/,
  },
  {
    about: 'asks to run in the background',
    tool: 'bash',
    input: { command: 'sleep 600', background: true },
    becomes: 'refused',
    benign: { command: 'echo now', background: false },
    benignShows: 'now',
  },
  {
    about: 'signals its own group',
    tool: 'bash',
    input: { command: 'trap "" TERM; kill 0; echo "still here"' },
    becomes: 'harmless',
    shows: 'still here',
    benign: { command: 'sleep 600 & kill $!; wait $!; echo "gone $?"' },
    benignShows: 'gone 143',
  },
  {
    about: 'kills its own group',
    tool: 'bash',
    input: { command: 'kill -9 0; sleep 600' },
    becomes: 'failed',
    shows: 'was killed',
    benign: { command: '(exit 3) || echo "caught $?"' },
    benignShows: 'caught 3',
  },
  {
    about: 'kills whoever runs it, and goes on',
    tool: 'bash',
    input: { command: 'kill -9 $PPID; sleep 0.1; echo after' },
    becomes: 'failed',
    benign: { command: 'kill -0 $$ && echo alive' },
    benignShows: 'alive',
  },
  {
    about: 'pretends to have succeeded, through whatever it finds open',
    tool: 'bash',
    input: { command: 'for fd in 3 4 5 6 7 8 9; do { echo 0 >&$fd; } 2>/dev/null; done; exit 7' },
    becomes: 'failed',
    shows: 'Exit code 7',
    benign: { command: 'exec 3>&1; echo through >&3' },
    benignShows: 'through',
  },
  {
    about: 'closes its output and goes on',
    tool: 'bash',
    input: { command: 'exec >&- 2>&-; sleep 600', timeout: 0.3 },
    becomes: 'failed',
    shows: 'stopped after 0.3 s',
    benign: { command: 'exec 2>&1; echo error >&2' },
    benignShows: 'error',
  },
  {
    about: 'opens its own output by name',
    tool: 'bash',
    input: { command: 'echo to-error > /dev/stderr; echo to-output > /dev/stdout; exit 1' },
    becomes: 'failed',
    shows: 'to-error\nto-output',
    benign: { command: 'echo plain' },
    benignShows: 'plain',
  },
  {
    about: 'has a NUL in it',
    tool: 'bash',
    input: { command: 'echo a\0; rm -rf .' },
    becomes: 'refused',
    benign: { command: "printf 'a\\0b' | wc -c" },
    benignShows: '3',
  },
  {
    about: 'is longer than any command can be',
    tool: 'bash',
    input: { command: `: ${'x'.repeat(200_000)}` },
    becomes: 'refused',
    benign: { command: `: ${'x'.repeat(40_000)}; echo long` },
    benignShows: 'long',
  },
  {
    about: 'begins outside the workspace',
    tool: 'bash',
    input: { command: 'cat f', cwd: '../outside' },
    becomes: 'refused',
    benign: { command: 'cat b.txt', cwd: 'src/../src' },
    benignShows: 'two',
  },
  {
    about: 'begins behind a link that leads outside',
    tool: 'bash',
    prepare: linkOutside,
    input: { command: 'cat f', cwd: 'link' },
    becomes: 'refused',
    benign: { command: 'pwd -P', cwd: '.' },
    benignShows: '/ws',
  },
  {
    about: 'begins among the records of sessions',
    tool: 'bash',
    prepare: loaderFolder,
    input: { command: 'cat *', cwd: '.loader/sessions' },
    becomes: 'refused',
    benign: { command: 'ls', cwd: 'src' },
    benignShows: 'b.txt',
  },
  {
    about: 'counts on a shell that the project brings along',
    tool: 'bash',
    prepare: async ({ root, trap }) => {
      await mkdir(join(root, 'node_modules/.bin'), { recursive: true })
      await symlink(trap, join(root, 'node_modules/.bin/bash'))
    },
    input: { command: 'echo "real shell"' },
    becomes: 'harmless',
    shows: 'real shell',
    benign: { command: 'echo $BASH_VERSION' },
    benignShows: /^\d/,
  },
]

type GitCall = readonly [action: string, ...args: string[]]

const gitOptions: readonly (readonly [about: string, hostile: GitCall, benign: GitCall, shows: string])[] = [
  ['writes a file', ['diff', '--output=../outside/f'], ['diff', '--stat'], 'a.txt'],
  ['writes a file, by a shortened option', ['diff', '--outp=../outside/f'], ['diff', '--name-only'], 'a.txt'],
  ['writes a file, with the name apart', ['log', '-p', '--output', '../outside/f'], ['log', '-p', '-1'], '+more'],
  ['runs the external diff', ['log', '-p', '--ext-diff'], ['log', '-p', '--no-ext-diff'], '+more'],
  ['runs text conversions', ['show', '--textconv', 'HEAD:a.txt'], ['show', 'HEAD:a.txt'], 'one\nmore'],
  ['opens files in a pager', ['log', '--open-files-in-pager=touch x'], ['log', '--oneline'], 'First'],
  ['runs a program elsewhere', ['ls-files', '--upload-pack=touch x'], ['ls-files'], 'src/b.txt'],
  ['runs a program', ['status', '--exec=touch x'], ['status', '-sb'], '## main'],
  ['reads an order of files from elsewhere', ['diff', '-O../outside/f'], ['diff', '-U0'], '+and more'],
  ['compares any files', ['diff', '--no-index', '../outside/f', '/dev/null'], ['diff', 'HEAD', 'a.txt'], '+and more'],
  ['compares them without saying so', ['diff', '../outside/f', '/dev/null'], ['diff', 'HEAD^', 'HEAD'], '+more'],
  [
    'compares them after --',
    ['diff', '--', '/dev/null', 'src/../../outside/f'],
    ['diff', '--', 'src/../a.txt'],
    '+and',
  ],
  ['annotates a file from elsewhere', ['blame', '--contents', '../outside/f', 'a.txt'], ['blame', 'src/b.txt'], 'two'],
  ['reads revisions from elsewhere', ['blame', '-S', '../outside/f', 'a.txt'], ['blame', '-L', '1,1', 'a.txt'], 'one'],
  ['reads patterns from elsewhere', ['ls-files', '-o', '-X', '../outside/f'], ['ls-files', '-s', 'src'], '100644'],
  ['deletes a branch', ['branch', '-D', 'main'], ['branch', '-a'], '* main'],
  ['renames a branch', ['branch', '-m', 'main', 'other'], ['branch', '--contains', 'HEAD'], 'main'],
  ['checks signatures', ['log', '--format=%G?'], ['log', '--format=%an', '-1'], 'A'],
  ['hides an option in a value', ['log', '--author', '--output=x'], ['log', '--author', 'A', '--oneline'], 'Second'],
  [
    'has a line break in an argument',
    ['log', '--grep', 'a\n--output=b'],
    ['log', '--grep', 'Fir', '--oneline'],
    'First',
  ],
]

const gitCalls = gitOptions.map(([about, [action, ...args], [benign, ...benignArgs], benignShows]): HostileCall => {
  const [input, twin] = [
    { action, args },
    { action: benign, args: benignArgs },
  ]
  return { about, tool: 'git', input, becomes: 'refused', benign: twin, benignShows }
})

const gitPlaces: readonly HostileCall[] = [
  {
    about: 'makes a branch',
    tool: 'git',
    input: { action: 'branch', args: ['new'] },
    becomes: 'harmless',
    shows: '(no output)',
    benign: { action: 'branch', args: ['--show-current'] },
    benignShows: 'main',
  },
  {
    about: 'hands settings to git',
    tool: 'git',
    input: ({ trap }) => ({ action: 'log', args: ['-c', `core.fsmonitor=${trap}`] }),
    becomes: 'failed',
    benign: { action: 'show', args: ['--stat', 'HEAD'] },
    benignShows: 'a.txt',
  },
  {
    about: 'looks at a folder elsewhere that the settings name as the work tree',
    tool: 'git',
    prepare: ({ git, top }) => {
      git('config', 'core.worktree', join(top, 'outside'))
      execFileSync('cp', ['-r', join(top, 'ws/a.txt'), join(top, 'outside/a.txt')])
    },
    input: { action: 'status', args: ['--short'] },
    becomes: 'harmless',
    shows: /^ M a\.txt$/,
    benign: { action: 'rev-parse', args: ['--show-toplevel'] },
    benignShows: /\/ws$/,
  },
  {
    about: 'shows the first line of any file, as a revision to ignore',
    tool: 'git',
    prepare: ({ git, top }) => git('config', 'blame.ignoreRevsFile', join(top, 'outside/f')),
    input: { action: 'blame', args: ['a.txt'] },
    becomes: 'failed',
    shows: 'blame.ignoreRevsFile',
    benign: { action: 'log', args: ['-p', 'src/b.txt'] },
    benignShows: 'two',
  },
  {
    about: 'runs a git that the project brings along',
    tool: 'git',
    prepare: async ({ root, trap }) => {
      await mkdir(join(root, 'node_modules/.bin'), { recursive: true })
      await symlink(trap, join(root, 'node_modules/.bin/git'))
    },
    input: { action: 'log', args: ['-1', '--format=%s'] },
    becomes: 'harmless',
    shows: 'Second',
    benign: { action: 'status' },
    benignShows: 'a.txt',
  },
]

const slowFiles = async (repository: Repository) => {
  await repository.write(`${'a'.repeat(200)}.txt`, `${'a'.repeat(60)}b\n`)
}
const loop = ({ root }: Repository) => symlink('.', join(root, 'loop'))
const pipe = ({ root }: Repository) => execFileSync('mkfifo', [join(root, 'pipe.txt')])

const searches: readonly HostileCall[] = [
  ...['../**', '../outside/*', 'src/../../outside/*', '**/../../outside/*', '{..,src}/../outside/*'].map((pattern) => ({
    about: `the pattern ${pattern} leads outside`,
    tool: 'glob' as const,
    input: { pattern },
    becomes: 'refused' as const,
    benign: { pattern: 'src/../src/*.txt' },
    benignShows: /^src\/b\.txt$/,
  })),
  {
    about: 'an absolute pattern leads outside',
    tool: 'glob',
    input: ({ top }) => ({ pattern: `${top}/outside/*` }),
    becomes: 'refused',
    benign: ({ root }) => ({ pattern: `${root}/src/*` }),
    benignShows: 'src/b.txt',
  },
  {
    about: 'braces hold a way out',
    tool: 'glob',
    input: { pattern: '{../outside,src}/*' },
    becomes: 'harmless',
    benign: { pattern: '{a,src/b}.txt' },
    benignShows: 'a.txt',
  },
  {
    about: 'a link leads outside',
    tool: 'glob',
    prepare: linkOutside,
    input: { pattern: '**/f' },
    becomes: 'harmless',
    shows: 'No file matches',
    benign: { pattern: 'lin*' },
    benignShows: 'link',
  },
  {
    about: 'it begins behind a link that leads outside',
    tool: 'glob',
    prepare: linkOutside,
    input: { pattern: 'link/*' },
    becomes: 'refused',
    benign: { pattern: '*', path: 'src' },
    benignShows: 'src/b.txt',
  },
  {
    about: 'links go round in a circle',
    tool: 'glob',
    prepare: loop,
    input: { pattern: '**/b.txt' },
    becomes: 'harmless',
    shows: /^src\/b\.txt$/,
    benign: { pattern: '**/a.txt' },
    benignShows: /^a\.txt$/,
  },
  {
    about: 'it looks among the records of sessions',
    tool: 'glob',
    prepare: loaderFolder,
    input: { pattern: '.loader/**' },
    becomes: 'refused',
    benign: { pattern: '.*/**' },
    benignShows: 'No file matches',
  },
  {
    about: 'it takes the age of the universe to match',
    tool: 'glob',
    prepare: slowFiles,
    input: { pattern: `${'*a'.repeat(20)}b` },
    becomes: 'failed',
    shows: 'takes too long',
    benign: { pattern: '*a*a*.txt' },
    benignShows: 'aaa',
  },
  {
    about: 'it begins outside',
    tool: 'grep',
    input: { pattern: '.', path: '../outside' },
    becomes: 'refused',
    benign: { pattern: 'two', path: 'src' },
    benignShows: '> 1: two',
  },
  {
    about: 'a link leads outside',
    tool: 'grep',
    prepare: linkOutside,
    input: { pattern: 'nobody' },
    becomes: 'harmless',
    shows: 'No line matches',
    benign: { pattern: 'two' },
    benignShows: 'src/b.txt',
  },
  {
    about: 'it begins at a file behind a link that leads outside',
    tool: 'grep',
    prepare: linkOutside,
    input: { pattern: '.', path: 'link/f' },
    becomes: 'refused',
    benign: { pattern: '.', path: 'src/b.txt' },
    benignShows: 'two',
  },
  {
    about: 'what it includes leads outside',
    tool: 'grep',
    input: { pattern: 'nobody', include: '../**' },
    becomes: 'harmless',
    shows: 'No line matches',
    benign: { pattern: 'two', include: 'src/*' },
    benignShows: 'two',
  },
  {
    about: 'it searches the records of sessions',
    tool: 'grep',
    prepare: loaderFolder,
    input: { pattern: 'nobody' },
    becomes: 'harmless',
    shows: 'No line matches',
    benign: { pattern: '.', path: '.', include: 'b.txt' },
    benignShows: 'two',
  },
  {
    about: 'links go round in a circle',
    tool: 'grep',
    prepare: loop,
    input: { pattern: 'two' },
    becomes: 'harmless',
    shows: /^src\/b\.txt\n> 1: two$/,
    benign: { pattern: 'more' },
    benignShows: 'a.txt',
  },
  {
    about: 'a pipe waits for somebody to write',
    tool: 'grep',
    prepare: pipe,
    input: { pattern: 'two' },
    becomes: 'harmless',
    shows: 'src/b.txt',
    benign: { pattern: 'more' },
    benignShows: 'a.txt',
  },
  {
    about: 'it reads a device',
    tool: 'grep',
    input: { pattern: '.', path: '/dev/zero' },
    becomes: 'refused',
    benign: { pattern: '.', path: 'a.txt' },
    benignShows: 'one',
  },
  {
    about: 'it takes the age of the universe to match',
    tool: 'grep',
    prepare: slowFiles,
    input: { pattern: '^(a+)+$' },
    becomes: 'failed',
    shows: 'takes too long',
    benign: { pattern: '^a+b$' },
    benignShows: 'aab',
  },
  {
    about: 'the pattern is an option of ripgrep',
    tool: 'grep',
    prepare: async ({ root, trap }) => writeFile(join(root, 'c.txt'), `--pre=${trap}\n`),
    input: ({ trap }) => ({ pattern: `--pre=${trap}` }),
    becomes: 'harmless',
    shows: 'c.txt',
    benign: { pattern: 'tw[o]' },
    benignShows: 'src/b.txt',
  },
]

export const hostileCalls = [...commands, ...gitCalls, ...gitPlaces, ...searches]
