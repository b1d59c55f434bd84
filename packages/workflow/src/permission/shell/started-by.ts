import { programOf } from './program-name.ts'
import type { ShellWord } from './shell-word.ts'

/** The commands that a command starts, as far as its words say. */
export interface Started {
  readonly commands: readonly (readonly ShellWord[])[]
  /** Shell scripts that it runs. */
  readonly scripts: readonly string[]
  /** Why it may run more than its words say. */
  readonly hides?: string
}

const nothing: Started = { commands: [], scripts: [] }
const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

const shells = words('sh bash dash ash ksh mksh zsh rbash fish csh tcsh')
/** Commands that run their arguments as shell script. */
const scriptRunners = words('eval trap su script watch')
/** Commands whose arguments contain another command. The list only helps rules; walls contain what is missing here. */
const starters = words(
  `builtin busybox caffeinate chroot chrt command cross-env doas env exec fd find flock gtimeout ionice ltrace nice nohup
  nsenter parallel pkexec runuser setsid shx stdbuf strace sudo taskset time timeout toybox unbuffer unshare valgrind xargs`,
)
/** Subcommands of package managers and launchers that are followed by a command. */
const launchWords = words('exec run x dlx')
const launchers = words('bun bundle conda direnv git hatch mise npm pdm pipenv pnpm poetry rye uv yarn')

/**
 * Rules also match the commands that a command starts. Which argument begins that command depends on options, so every
 * argument that may be a program counts as one: a rule that denies must rather match too much.
 */
export function startedBy([name, ...args]: readonly ShellWord[], feed: string | null | undefined): Started {
  if (name === undefined) return nothing
  if (name.kind !== 'fixed' || name.value === '')
    return { ...nothing, hides: 'which program it is shows only when it runs' }
  const program = programOf(name.value)
  if (shells.has(program)) return startedByShell(args, feed)
  if (scriptRunners.has(program)) return startedByText(program, args)
  if (program === 'source' || program === '.') {
    return args[0]?.kind === 'fixed' ? nothing : { ...nothing, hides: 'which file it runs shows only when it runs' }
  }
  if (starters.has(program)) return startedByWords(program, args)
  if (!launchers.has(program)) return nothing
  if (args[0]?.kind === 'open') return { ...nothing, hides: `what ${program} does shows only when it runs` }
  const at = args.findIndex(({ value }) => launchWords.has(value))
  // `npm run test` names a script of the project, not a program.
  const names = program !== 'git' && args[at]?.value === 'run' && /^(?:npm|pnpm|yarn|bun)$/.test(program)
  return at === -1 || names ? nothing : startedByWords(program, args.slice(at + 1))
}

function startedByWords(program: string, args: readonly ShellWord[]): Started {
  const first = args.find(({ kind, value }) => kind !== 'fixed' || isProgram(value))
  if (first !== undefined && first.kind !== 'fixed') {
    return { ...nothing, hides: `which program ${program} starts shows only when it runs` }
  }
  const commands: (readonly ShellWord[])[] = []
  for (const [index, { kind, value }] of args.entries()) {
    if (commands.length === mostCandidates) break
    if (kind === 'fixed' && isProgram(value)) commands.push(args.slice(index))
  }
  return { ...nothing, commands }
}

const mostCandidates = 32

/** Not an option, a number or a pattern. */
function isProgram(value: string): boolean {
  return /^(?!-)(?!\d+(?:\.\d+)?[smhd]?$)[\w./@+~-]*\w[\w./@+~-]*$/.test(value)
}

function startedByShell(args: readonly ShellWord[], feed: string | null | undefined): Started {
  const at = args.findIndex(({ kind, value }) => kind !== 'fixed' || /^-[a-zA-Z]*c/.test(value) || !/^[-+]/.test(value))
  const word = args[at]
  if (word !== undefined && !/^[-+]/.test(word.value)) {
    return word.kind === 'fixed' ? nothing : { ...nothing, hides: 'which file it runs shows only when it runs' }
  }
  if (word === undefined) {
    if (args.some(({ value }) => value === '--version' || value === '--help')) return nothing
    return typeof feed === 'string'
      ? { ...nothing, scripts: [feed] }
      : { ...nothing, hides: 'a shell runs what it is fed' }
  }
  const text = args.slice(at + 1).find(({ kind, value }) => kind !== 'fixed' || !/^[-+]/.test(value))
  if (text?.kind === 'fixed') return { ...nothing, scripts: [text.value] }
  return { ...nothing, hides: 'which text a shell runs shows only when it runs' }
}

function startedByText(program: string, args: readonly ShellWord[]): Started {
  const hides = args.some(({ kind }) => kind !== 'fixed')
    ? { hides: `which text ${program} runs shows only when it runs` }
    : {}
  const texts = args.map(({ value }) => value)
  if (program === 'eval') return { ...nothing, scripts: [texts.join(' ')], ...hides }
  if (program === 'watch')
    return { ...nothing, scripts: [texts.filter((text) => !text.startsWith('-')).join(' ')], ...hides }
  if (program === 'trap') return { ...nothing, scripts: texts.slice(0, 1), ...hides }
  const at = texts.findIndex((text) => text === '-c' || text === '--command')
  return { ...nothing, scripts: at === -1 ? [] : texts.slice(at + 1, at + 2), ...hides }
}
