import { type Judgement, judged, type Standing } from '../shell/judgement.ts'
import { isWorse } from '../shell/level.ts'
import { options, scan } from '../shell/options.ts'
import type { ShellWord } from '../shell/shell-word.ts'
import { namesMachine, outwardReason } from './outward.ts'
import { publishing, publishingPrograms, reachingSubcommands, shellRunners } from './programs.ts'

type JudgeInner = (words: readonly ShellWord[], standing: Standing) => Judgement

/** A program that runs the project's code, builds it, or looks after its parts. */
export function judgeProjectProgram(
  name: string,
  args: readonly ShellWord[],
  standing: Standing,
  judgeInner: JudgeInner,
): Judgement {
  if (/^pip3?$/.test(name) && listsPackages(args)) return judged('probe', 'only looks')
  const fed = fedProgram(name, args, standing)
  const reason = reachingReason(name, args, standing) ?? fedReason(standing)
  const base = reason === undefined ? judged('run', 'runs code of the project') : judged('ask', reason)
  return { ...base, ...startedBy(name, args, standing, judgeInner), ...fed }
}

/** Why a program reaches beyond the workspace by what it is told, if it does. */
export function reachingReason(name: string, args: readonly ShellWord[], standing: Standing): string | undefined {
  return subcommandReason(name, args) ?? installsOutside(name, args) ?? outward(name, args, standing)
}

/** Why a subcommand reaches beyond the workspace, if it does. */
export function subcommandReason(name: string, args: readonly ShellWord[]): string | undefined {
  const reaching = reachingSubcommands[name]
  for (const word of subcommands(name, args)) {
    if (reaching !== undefined && word.kind !== 'fixed') return `what ${name} does is known only when it runs`
    if (reaching?.includes(word.value) && !onlyReads(name, args)) {
      return `${name} ${word.value} reaches beyond the workspace`
    }
  }
  if (!publishingPrograms.has(name)) return undefined
  const told = args.find(({ value }) => publishing.test(value))
  return told && `${name} ${told.value} publishes, by its name`
}

/** Words between a program and its subcommand: the ones behind options may be values of these, or the subcommand. */
function subcommands(name: string, args: readonly ShellWord[]): ShellWord[] {
  if (allAreSubcommands.has(name)) return args.filter(({ value }) => !value.startsWith('-'))
  const found: ShellWord[] = []
  let isSure = true
  for (const word of args) {
    if (word.value === '--') break
    const isOption = /^[-+]/.test(word.value)
    if (!isOption) found.push(word)
    if (!isOption && isSure && !throughWords.has(word.value)) break
    isSure = !(isOption && !word.value.includes('=')) && !throughWords.has(word.value)
  }
  return found
}

const allAreSubcommands = new Set(['mvn', 'mvnw', 'gradle', 'gradlew'])
const throughWords = new Set(['workspace', 'workspaces', 'foreach', 'recursive'])

function onlyReads(name: string, args: readonly ShellWord[]): boolean {
  const words = args.map(({ value }) => value)
  if (name === 'go') return words[0] === 'env' && !words.some((word) => /^--?[wu]$/.test(word))
  if (name === 'uv') return words[0] === 'tool' && /^(?:run|list|dir)$/.test(words[1] ?? '')
  if (name === 'rustup') return words[1] === 'list'
  const at = words.findIndex((word) => word === 'config' || word === 'c')
  return at !== -1 && /^(?:get|list|ls|debug)$/.test(words[at + 1] ?? '')
}

function installsOutside(name: string, args: readonly ShellWord[]): string | undefined {
  const end = args.findIndex(({ value }) => value === '--')
  const words = (end === -1 ? args : args.slice(0, end)).map(({ value }) => value)
  const everywhere = words.some((word) => {
    if (/^(?:p?npm|yarn|bun)$/.test(name))
      return /^(?:-[a-zA-Z]?g[a-zA-Z]?|--(?:global|location)(?:=.*)?|global)$/.test(word)
    if (/^pip\d*$|^uv$/.test(name)) return /^--(?:user|break-system-packages|system)$/.test(word)
    return name === 'dotnet' && words[0] === 'tool' && /^(?:-g|--global)$/.test(word)
  })
  return everywhere ? 'installs outside the workspace' : undefined
}

/** Programs that only look at what they are given. */
const lookers = new Set(['nm', 'objdump', 'readelf', 'size'])
/** They build in another folder than that of the sources, and are told where those are. */
const builders = new Set(['cmake', 'meson'])

function outward(name: string, args: readonly ShellWord[], { place }: Standing): string | undefined {
  if (lookers.has(name)) return undefined
  return outwardReason(builders.has(name) ? args.filter(({ value }) => value !== '..') : args, place)
}

function fedReason({ feed }: Standing): string | undefined {
  return feed.kind === 'text' && namesMachine(feed.text) ? 'is fed the address of another machine' : undefined
}

/** Interpreters run what they are fed when they are given no file, and what an open word becomes. */
function fedProgram(name: string, args: readonly ShellWord[], { feed }: Standing): Pick<Judgement, 'runsInput'> {
  if (!/^(?:python[\d.]*|pypy3?|node|nodejs|deno|bun|tsx|perl|ruby|php|lua|Rscript|R|julia)$/.test(name)) return {}
  const isFed = feed.kind === 'unknown' && args.every(({ value }) => value.startsWith('-'))
  return isFed || args.some(({ kind }) => kind === 'open') ? { runsInput: true } : {}
}

const packageLists = options(
  '-elov -f= --editable --local --user --format= --not-required --verbose --files --no-color',
)

function listsPackages([first, ...rest]: readonly ShellWord[]): boolean {
  if (first?.kind !== 'fixed' || !/^(?:list|show|freeze|check)$/.test(first.value)) return false
  const scanned = scan(rest, packageLists)
  return scanned.fits && !scanned.given.some(({ name }) => name === '-o')
}

type Started = Pick<Judgement, 'scripts' | 'starts' | 'ofProject'>

/** What a program starts, where that is shell text, or a command that is worse than any code of the project. */
function startedBy(name: string, args: readonly ShellWord[], standing: Standing, judgeInner: JudgeInner): Started {
  if (shellRunners.has(name)) {
    const scripts = args
      .filter(({ kind, value }) => kind === 'fixed' && !value.startsWith('-'))
      .map(({ value }) => value)
    return scripts.length > 0 ? { scripts } : {}
  }
  if (/^(?:npx|p?npm|pnpx|yarn|bunx|nodemon)$/.test(name)) {
    const at = args.findIndex(({ value }) => /^(?:-c|--call|--exec|-x)$/.test(value))
    const text = at === -1 ? undefined : args[at + 1]
    if (text?.kind === 'fixed') return { scripts: [text.value] }
  }
  const starter = starters[name.replace(/^(python|pip)[\d.]*$/, '$1')]
  const at =
    starter === undefined ? -1 : starter === 'itself' ? 0 : args.findIndex(({ value }) => starter.includes(value)) + 1
  const inner = at < 0 || (at === 0 && starter !== 'itself') ? [] : behindOptions(args.slice(at))
  if (inner.length === 0) return {}
  const started = { starts: [inner], ofProject: true as const }
  if (starter !== 'itself' && starter?.includes('exec')) return started
  const { level, starts, scripts } = judgeInner(inner, { ...standing, ofProject: true })
  return isWorse(level, 'run') || starts !== undefined || scripts !== undefined ? started : {}
}

/** Behind which words, if any, the command or package stands that a program runs. */
const starters: Readonly<Record<string, 'itself' | readonly string[]>> = {
  npx: 'itself',
  pnpx: 'itself',
  bunx: 'itself',
  uvx: 'itself',
  c8: 'itself',
  nyc: 'itself',
  entr: 'itself',
  dotenv: 'itself',
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  bun: ['x'],
  pipx: ['run'],
  python: ['-m'],
}

function behindOptions(args: readonly ShellWord[]): readonly ShellWord[] {
  const at = args.findIndex(
    ({ value }, index) =>
      !value.startsWith('-') && !/^(?:-p|--package|--from|--with)$/.test(args[index - 1]?.value ?? ''),
  )
  return at === -1 ? [] : args.slice(at)
}
