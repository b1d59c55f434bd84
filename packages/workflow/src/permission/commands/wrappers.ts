import { variableLevel } from '../shell/assignments.ts'
import { changes, type Judge, type Judgement, judged } from '../shell/judgement.ts'
import { isWorse, type Level } from '../shell/level.ts'
import { options, type Options, scan, valuesOf } from '../shell/options.ts'
import { openWord, type ShellWord } from '../shell/shell-word.ts'
import { reachingReason } from './project-program.ts'

/** A command that does nothing but start another: what it is, the other is. */
function wrapper(known: string, before: number = 0): Judge {
  return starter('probe', 'starts another command', known, before)
}

/** A command that starts another, and does so much besides. `before` operands come before the other. */
function starter(level: Level, why: string, known: string, before: number = 0): Judge {
  const table = options(known)
  return (args) => {
    const scanned = scan(args, table, true)
    if (!scanned.fits)
      return { ...judged(level === 'danger' ? level : 'ask', scanned.why), hides: true, starts: [after(args)] }
    const inner = scanned.operands.slice(before)
    return inner.length === 0 ? judged(level, why) : { ...judged(level, why), starts: [inner] }
  }
}

/** What probably is the inner command, where options are not understood: good enough to find a reason against it. */
function after(args: readonly ShellWord[]): readonly ShellWord[] {
  return args.slice(args.findIndex(({ value }) => !value.startsWith('-')))
}

const judgeCommand: Judge = (args) => {
  const scanned = scan(args, options('-pvV'), true)
  if (!scanned.fits) return { ...judged('ask', scanned.why), hides: true }
  if (scanned.given.some(({ name }) => name !== '-p') || scanned.operands.length === 0)
    return judged('probe', 'only looks')
  return { ...judged('probe', 'starts another command'), starts: [scanned.operands] }
}

const environment: Options = options('-0iv -C= -u= --ignore-environment --null --unset= --chdir= --debug')

const judgeEnv: Judge = (args, standing) => {
  const scanned = scan(args, environment, true)
  if (!scanned.fits) return { ...judged('ask', scanned.why), hides: true }
  let found: Judgement = judged('probe', 'starts another command')
  const folders = valuesOf(scanned.given, '-C', '--chdir')
  if (folders.length > 0 && changes(folders, standing).level !== 'write') found = { ...found, wanders: true }
  let index = 0
  for (const { kind, value, start } of scanned.operands) {
    const name = /^([A-Za-z_]\w*)=/.exec(kind === 'fixed' ? value : start)?.[1]
    if (name === undefined) break
    const level = variableLevel(name)
    if (isWorse(level, found.level)) found = { ...found, level, why: `sets ${name}` }
    index++
  }
  const inner = scanned.operands.slice(index)
  return inner.length === 0 ? found : { ...found, starts: [inner] }
}

const readingArguments = options(
  '-0prtxo -a= -d= -E= -e? -I= -i? -J= -L= -l? -n= -P= -R= -s= -S= --null --arg-file= --delimiter= --eof? --replace? --max-lines? --max-args= --max-procs= --max-chars= --no-run-if-empty --verbose --exit --interactive',
)

/** What it starts gets arguments that nobody knows here. */
const judgeXargs: Judge = (args) => {
  const scanned = scan(args, readingArguments, true)
  if (!scanned.fits) return { ...judged('ask', scanned.why), hides: true, starts: [after(args)] }
  const { given, operands } = scanned
  const base = judged('run', 'starts a command for what it reads')
  if (operands.length === 0) return base
  const marks = given.flatMap(({ name, value }) =>
    name === '-I' || name === '-J' || name === '-i' || name === '--replace' ? [value?.value ?? '{}'] : [],
  )
  const inner = operands.map((word) => (marks.some((mark) => word.value.includes(mark)) ? openWord(word.text) : word))
  return { ...base, starts: [marks.length > 0 ? inner : [...inner, openWord('…')]] }
}

/** Programs that start the command behind one of these words. */
const launchers: Readonly<Record<string, readonly string[]>> = {
  bundle: ['exec'],
  conda: ['run'],
  direnv: ['exec'],
  hatch: ['run'],
  mise: ['exec', 'x'],
  pdm: ['run'],
  pipenv: ['run'],
  poetry: ['run'],
  rye: ['run'],
  uv: ['run'],
}

function judgeLauncher(name: string, starting: readonly string[]): Judge {
  return (args, standing) => {
    const reason = reachingReason(name, args, standing)
    const base = reason === undefined ? judged('run', 'runs code of the project') : judged('ask', reason)
    const at = args.findIndex(({ value }) => starting.includes(value))
    if (at === -1) return base
    const inner = args
      .slice(at + 1)
      .filter(
        ({ value }, index, all) =>
          !value.startsWith('-') || all.slice(0, index).some((word) => !word.value.startsWith('-')),
      )
    return inner.length === 0 ? base : { ...base, starts: [inner], ofProject: true }
  }
}

const judgeSu: Judge = (args) => {
  const at = args.findIndex(({ value }) => value === '-c' || value === '--command')
  const text = at === -1 ? undefined : args[at + 1]
  const scripts = text?.kind === 'fixed' ? { scripts: [text.value] } : {}
  return { ...judged('danger', 'takes the rights of another user'), ...scripts, hides: true }
}

const judgeWatch: Judge = (args) => ({
  ...judged('ask', 'runs shell text again and again, for people at a screen'),
  scripts: [
    after(args)
      .map(({ value }) => value)
      .join(' '),
  ],
})

const rights = 'takes the rights of another user'

/** Commands that start other commands. */
export const wrappers: ReadonlyMap<string, Judge> = new Map([
  ['command', judgeCommand],
  ['builtin', wrapper('')],
  ['exec', wrapper('-cl -a=')],
  ['nohup', wrapper('')],
  ['nice', wrapper('-n= -# --adjustment=')],
  ['ionice', wrapper('-t -c= -n= --class= --classdata= --ignore')],
  ['timeout', wrapper('-fpv -k= -s= --foreground --preserve-status --kill-after= --signal= --verbose', 1)],
  ['gtimeout', wrapper('-fpv -k= -s= --foreground --preserve-status --kill-after= --signal= --verbose', 1)],
  ['time', wrapper('-pv --portability --verbose')],
  ['stdbuf', wrapper('-i= -o= -e= --input= --output= --error=')],
  ['setsid', wrapper('-cfw --ctty --fork --wait')],
  ['taskset', wrapper('-ac --all-tasks --cpu-list', 1)],
  ['chrt', wrapper('-bfior --batch --fifo --idle --other --rr', 1)],
  ['caffeinate', wrapper('-dimsu -t= -w=')],
  ['unbuffer', wrapper('-p')],
  ['busybox', wrapper('')],
  ['shx', wrapper('')],
  ['toybox', wrapper('')],
  ['env', judgeEnv],
  ['cross-env', judgeEnv],
  ['xargs', judgeXargs],
  ['parallel', starter('ask', 'starts commands for what it reads', '')],
  [
    'flock',
    starter('run', 'holds a lock file', '-senxuo -w= -E= --shared --exclusive --nonblock --wait= --timeout=', 1),
  ],
  ['strace', starter('run', 'follows another command', '-fvcCqtTyrxi -e= -s= -p=')],
  ['ltrace', starter('run', 'follows another command', '-fSc -e= -s=')],
  ['valgrind', starter('run', 'follows another command', '-v -q')],
  ['xvfb-run', starter('run', 'starts another command', '-a --auto-servernum')],
  ['dbus-run-session', starter('run', 'starts another command', '')],
  [
    'sudo',
    starter(
      'danger',
      rights,
      '-AbEHiKknPSsvl -C= -g= -h= -p= -r= -t= -T= -u= -U= -D= --user= --group= --non-interactive --preserve-env? --login --shell --stdin',
    ),
  ],
  ['doas', starter('danger', rights, '-Lns -C= -u=')],
  ['pkexec', starter('danger', rights, '--user=')],
  ['runuser', judgeSu],
  ['su', judgeSu],
  ['chroot', starter('danger', 'works in another root folder', '--userspec= --groups= --skip-chdir', 1)],
  [
    'unshare',
    starter(
      'danger',
      'leaves the namespaces of the process',
      '-imnpuUCTfr --fork --pid --net --mount --user --map-root-user',
    ),
  ],
  ['nsenter', starter('danger', 'enters the namespaces of another process', '-amuinpCUT -t= --target= --all')],
  ['watch', judgeWatch],
  [
    'script',
    (args) => ({ ...judged('ask', 'runs a shell and writes down what it shows'), hides: true, starts: [after(args)] }),
  ],
  ...Object.entries(launchers).map(([name, words]): [string, Judge] => [name, judgeLauncher(name, words)]),
])
