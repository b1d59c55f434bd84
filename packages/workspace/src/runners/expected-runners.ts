import * as z from 'zod'
import { folderOf, joined } from '../imports/project-files.ts'
import type { MadeTargets } from './built-files.ts'
import { slashed } from './canary-request.ts'
import type { ProjectTexts, RunnerName } from './runner.ts'

/** The runners and files that the text of a command leads to. */
export interface ExpectedRunners {
  readonly runners: readonly ExpectedRunner[]
  /** Manifests whose scripts or recipes it runs, and files of the project that it names. */
  readonly files: readonly string[]
  /** The command itself, and all scripts of manifests, recipes and shell scripts that it leads to. */
  readonly texts: readonly { readonly text: string; readonly folder: string }[]
  /** Which scripts of which manifests it runs. */
  readonly ran: readonly ScriptOfManifest[]
  /** It leads to a known runner, or to an existing script or recipe. */
  readonly leads: boolean
  /** Commands whose only result is their exit code. */
  readonly unknown: readonly string[]
  /** What make is told to make. */
  readonly made: readonly MadeTargets[]
  /** All commands, as words. */
  readonly commands: readonly (readonly string[])[]
}

export interface ScriptOfManifest {
  readonly manifest: string
  readonly name: string
}

/** A runner that a command leads to, with its folder and arguments. */
interface ExpectedRunner {
  readonly runner: RunnerName
  readonly folder: string
  readonly words: readonly string[]
}

const deepest = 12

/**
 * Reads a command and the scripts, recipes and workspaces that it leads to. This is only an expectation from before the
 * run and must decide nothing: the reports show what has run.
 */
export async function expectedRunners(
  command: string,
  folder: string,
  project: ProjectTexts,
): Promise<ExpectedRunners> {
  const runners: ExpectedRunner[] = []
  const files = new Set<string>()
  const unknown = new Set<string>()
  const texts: { readonly text: string; readonly folder: string }[] = []
  const ran: ScriptOfManifest[] = []
  const made: MadeTargets[] = []
  const opened = new Set<string>()
  let recipes = 0
  const all = new Set(project.paths)
  const manifests = project.paths.filter(
    (it) => /(^|\/)package\.json$/.test(it) && !`/${it}`.includes('/node_modules/'),
  )

  const read = async (text: string, at: string, depth: number): Promise<void> => {
    let place = at
    texts.push({ text, folder: at })
    for (const words of simpleCommands(text)) {
      if (words[0] === 'cd') place = joined(place, words[1] ?? '') ?? place
      else {
        for (const path of argumentsOf(words).flatMap((word) => named(word, place))) files.add(path)
        await readWords(withoutLaunchers(words), place, depth)
      }
    }
  }

  /** Files of the project that a word names, as a whole or as the value of an option or a variable. */
  const named = (word: string, at: string): readonly string[] =>
    [word, ...word.split(/[=:,]/)].flatMap((part) => {
      const path = joined(at, part)
      return path !== undefined && all.has(path) ? [path] : []
    })

  const readWords = async (words: readonly string[], at: string, depth: number): Promise<void> => {
    const runner = runnerOf(words)
    if (runner !== undefined) return void runners.push({ runner, folder: at, words })
    const known = depth < deepest && ((await readScript(words, at, depth)) || (await readRecipe(words, at, depth)))
    if (!known && words.length > 0) unknown.add(words.join(' '))
    if (!known && depth < deepest) await readShellScript(words, at, depth)
  }

  /** The commands inside a shell script stay unknown, but the files that it names belong to the check. */
  const readShellScript = async (words: readonly string[], at: string, depth: number): Promise<void> => {
    const path = joined(at, shellScriptOf(words) ?? '')
    if (path === undefined || !all.has(path) || opened.has(path)) return
    opened.add(path)
    const text = (await project.text(path)) ?? ''
    if (text.startsWith('#!') && !/^#!.*\b(?:ba|z|da|k)?sh\b/.test(text)) return
    await read(text, at, depth + 1)
  }

  const readScript = async (words: readonly string[], at: string, depth: number): Promise<boolean> => {
    const script = scriptOf(words)
    if (script === undefined) return false
    const nearest = ancestorManifest(at, manifests)
    const used = script.everywhere ? manifests : nearest === undefined ? [] : [nearest]
    let found = false
    for (const path of used) {
      const scripts = scriptsIn((await project.text(path)) ?? '')
      for (const name of [`pre${script.name}`, script.name, `post${script.name}`]) {
        const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined
        if (text === undefined) continue
        found = true
        files.add(path)
        ran.push({ manifest: path, name })
        await read(name === script.name ? [text, ...script.rest].join(' ') : text, folderOf(path), depth + 1)
      }
    }
    return found
  }

  const readRecipe = async (words: readonly string[], at: string, depth: number): Promise<boolean> => {
    if (words[0] !== 'make' && words[0] !== 'gmake') return false
    const path = ['GNUmakefile', 'makefile', 'Makefile']
      .map((it) => slashed(at) + it)
      .find((it) => project.paths.includes(it))
    if (path === undefined) return false
    files.add(path)
    const targets = words.slice(1).filter((it) => !it.startsWith('-') && !it.includes('='))
    const whole = await withIncluded(path, at)
    made.push({ text: whole, folder: at, targets })
    const lines = recipe(whole, targets)
    for (const line of lines) await read(line, at, depth + 1)
    recipes += lines.length
    return lines.length > 0
  }

  const withIncluded = async (path: string, at: string): Promise<string> => {
    const text = (await project.text(path)) ?? ''
    let whole = text
    for (const [, names = ''] of text.matchAll(/^[-s]?include[ \t]+(.+)$/gm)) {
      for (const name of names.trim().split(/\s+/)) {
        const place = joined(at, name)
        if (place === undefined || !all.has(place) || files.has(place)) continue
        files.add(place)
        whole += `\n${await withIncluded(place, at)}`
      }
    }
    return whole
  }

  await read(command, folder, 0)
  const leads = runners.length + ran.length + recipes > 0
  const commands = texts.flatMap(({ text: each }) => simpleCommands(each).map(withoutLaunchers))
  return { runners, files: [...files], texts, ran, leads, unknown: [...unknown], made, commands }
}

/** Arguments that may name files: not programs, scripts, targets and options, even if a file has the same name. */
function argumentsOf(words: readonly string[]): readonly string[] {
  const own = withoutLaunchers(words)
  const program = words.length - own.length
  const isScript = scriptOf(own) !== undefined
  return words.flatMap((word, index) => {
    if (index === program) return word.includes('/') ? [word] : []
    const isTarget = own[0] === 'make' || own[0] === 'gmake'
    if (index > program && (isScript || isTarget) && !/[/.=]/.test(word)) return []
    return [word]
  })
}

/**
 * The file that `sh check.sh`, `. ./check.sh` or `./check.sh` runs; its first line shows whether it is a shell script.
 */
function shellScriptOf([program = '', ...words]: readonly string[]): string | undefined {
  if (/^(?:\.|source|(?:.*\/)?(?:ba|z|da|k)?sh)$/.test(program)) return words.find((it) => !it.startsWith('-'))
  return program.includes('/') ? program : undefined
}

/**
 * Whether a text runs a command that names a file within a longer one: a script for coverage runs the tests again. The
 * same command under another name tells nothing.
 */
export function runsAgain(text: string, named: string, commands: readonly (readonly string[])[]): boolean {
  const own = simpleCommands(text)
  return commands.some((words) => words.includes(named) && own.some((it) => isWithin(words, it)))
}

/** Whether a longer command has all of these words in their order. */
function isWithin(words: readonly string[], longer: readonly string[]): boolean {
  let at = 0
  for (const word of longer) if (word === words[at]) at += 1
  return at === words.length && longer.length > words.length
}

/** The simple commands of a line. Quotes are respected; all other shell syntax is ignored. */
function simpleCommands(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  for (const [token] of text.matchAll(/&&|\|\||[;|&\n]|(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\;|&])+/g)) {
    if (/^(&&|\|\||[;|&\n])$/.test(token)) commands.push([])
    else commands.at(-1)?.push(token.replace(/^(["'])(.*)\1$/s, '$2'))
  }
  return commands.filter((it) => it.length > 0)
}

/** Without launchers: `env A=1 npx -y vitest` is `vitest`. */
function withoutLaunchers(words: readonly string[]): readonly string[] {
  const [first = '', second = '', ...rest] = words
  if (
    /^\w+=/.test(first) ||
    /^(env|cross-env|exec|time|nice|command|npx|bunx|dotenv|sudo|xvfb-run)$/.test(first) ||
    first === '--'
  ) {
    return words.length === 1
      ? words
      : withoutLaunchers(words.slice(1).filter((it, index) => index > 0 || !it.startsWith('-')))
  }
  if (/^(pnpm|yarn|npm)$/.test(first) && /^(exec|dlx|x)$/.test(second)) return withoutLaunchers(rest)
  if (/^(uv|poetry|pdm|pipenv|hatch|rye)$/.test(first) && second === 'run') return withoutLaunchers(rest)
  return words
}

function runnerOf(words: readonly string[]): RunnerName | undefined {
  const program = words[0]?.replace(/^.*\//, '') ?? ''
  const [, second, third] = words
  if (program === 'node') {
    if (words.includes('--test')) return 'node:test'
    const script = words.slice(1).find((it) => !it.startsWith('-'))
    const name = /node_modules\/(?:\.bin\/)?(vitest|jest|mocha|eslint|typescript)\b/.exec(script ?? '')?.[1]
    return name === 'typescript' ? 'tsc' : isDirect(name) ? name : undefined
  }
  if (/^python[\d.]*$/.test(program))
    return second === '-m' && (third === 'pytest' || third === 'unittest') ? third : undefined
  if (
    program === 'cargo' &&
    words
      .slice(1)
      .find((it) => !it.startsWith('+'))
      ?.match(/^t(est)?$/)
  )
    return 'cargo test'
  if (program === 'go' && second === 'test') return 'go test'
  if (program === 'py.test') return 'pytest'
  return isDirect(program) ? program : undefined
}

function isDirect(name: string | undefined): name is 'vitest' | 'jest' | 'mocha' | 'pytest' | 'tsc' | 'eslint' {
  return /^(vitest|jest|mocha|pytest|tsc|eslint)$/.test(name ?? '')
}

interface Script {
  readonly name: string
  readonly rest: readonly string[]
  /** Whether it runs in every package of the project that has the script. */
  readonly everywhere: boolean
}

function scriptOf([program = '', ...words]: readonly string[]): Script | undefined {
  const everywhere =
    program === 'turbo' ||
    words.some((it) => /^(-r|--recursive|--workspaces|-ws|--filter(=.*)?|-F|workspaces)$/.test(it))
  if (!/^(npm|pnpm|yarn|bun|turbo)$/.test(program)) return undefined
  const end = words.indexOf('--')
  const own = (end === -1 ? words : words.slice(0, end)).filter(
    (it) => !/^-|^(workspaces|foreach|run|run-script)$/.test(it),
  )
  const [name] = own
  if (name === undefined) return undefined
  const given = end === -1 ? words.slice(words.indexOf(name) + 1) : words.slice(end + 1)
  return { name: name === 't' || name === 'tst' ? 'test' : name, rest: everywhere ? [] : given, everywhere }
}

const Scripts = z.object({ scripts: z.record(z.string(), z.string()).catch({}) })

function scriptsIn(text: string): Readonly<Record<string, string>> {
  try {
    return Scripts.safeParse(JSON.parse(text)).data?.scripts ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function ancestorManifest(folder: string, manifests: readonly string[]): string | undefined {
  for (let at = folder; ; at = folderOf(at)) {
    const path = `${slashed(at)}package.json`
    if (manifests.includes(path)) return path
    if (at === '') return undefined
  }
}

/** The lines that make runs for some targets, prerequisites first; without targets, for the first target. */
function recipe(text: string, targets: readonly string[]): readonly string[] {
  const rules = new Map<string, { readonly needs: readonly string[]; readonly lines: string[] }>()
  let open: string[] | undefined
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const [, names, needs = ''] = /^([^\s#:=][^:=#]*):(?![=:])([^#=]*)/.exec(line) ?? []
    if (line.startsWith('\t')) open?.push(line.trim().replace(/^[@+-]+/, ''))
    else if (names !== undefined) {
      open = []
      for (const name of names.trim().split(/\s+/)) rules.set(name, { needs: needs.trim().split(/\s+/), lines: open })
    }
  }
  const first = [...rules.keys()].find((it) => !it.startsWith('.'))
  const seen = new Set<string>()
  const linesOf = (target: string): readonly string[] => {
    const rule = rules.get(target)
    if (rule === undefined || seen.has(target)) return []
    seen.add(target)
    return [...rule.needs.flatMap(linesOf), ...rule.lines.map((it) => it.replaceAll('$(MAKE)', 'make'))]
  }
  return (targets.length > 0 ? targets : [first ?? '']).flatMap(linesOf)
}
