import type { OpenCall } from '@loader/session-core'
import type { Effect, TouchedPath } from '@loader/session-core/coding'
import type * as z from 'zod'
import { isObject, pathHint } from './input-summary.ts'
import { type KnownTools, usualTools } from './rules/known-tools.ts'
import type { KnownPath } from './rules/path-pattern.ts'
import type { Level } from './shell/level.ts'
import { resolved, whereIs } from './shell/place.ts'
import { readShell } from './shell/read-shell.ts'
import type { ReadCommand, ShellReading } from './shell/reading.ts'
import { fixedWord } from './shell/shell-word.ts'
import { findings, type Finding } from './shell-class.ts'

/** A call as far as permits are concerned; an open call is one. */
export interface PermitCall {
  readonly call: Pick<OpenCall['call'], 'name' | 'input'>
  readonly examined?: OpenCall['examined']
}

/** Where a call runs. Without it, whatever depends on the place counts as unknown. */
export interface PermitPlace {
  /** Real path of the workspace. */
  readonly root?: string
  /** Real path of the user's own folder. */
  readonly home?: string
}

/** What is known of a call before it runs. */
export interface CallFacts extends PermitPlace {
  readonly name: string
  readonly input: OpenCall['call']['input']
  readonly tools: KnownTools
  readonly effect: Effect
  readonly paths: readonly TouchedPathValue[]
  readonly hint?: string
  readonly shell?: ShellFacts
  /** What it can lead to, part by part. */
  readonly findings: readonly Finding[]
}

interface ShellFacts {
  readonly command: string
  readonly reading: ShellReading
}

type TouchedPathValue = Readonly<z.infer<typeof TouchedPath>>

export function factsOf(
  { call, examined }: PermitCall,
  place: PermitPlace = {},
  tools: KnownTools = usualTools,
): CallFacts {
  const { name, input } = call
  const effect = examined?.effect ?? 'unknown'
  const paths = examined?.paths ?? []
  const hint = pathHint(input)
  const command = examined?.command ?? commandIn(call, tools)
  const facts = { ...place, name, input, tools, effect, paths, ...(hint !== undefined && { hint }) }
  if (command === undefined) return { ...facts, findings: [findingOf(name, effect, paths)] }
  const folder = folderIn(input, place)
  const reading = readShell(command, {
    ...(place.root !== undefined && { root: place.root }),
    ...(folder !== undefined && { folder }),
  })
  const isElsewhere = folder === undefined || paths.some(({ inside }) => !inside)
  const found = findings(reading)
  return { ...facts, shell: { command, reading }, findings: isElsewhere ? found.map(outside) : found }
}

function commandIn({ name, input }: PermitCall['call'], tools: KnownTools): string | undefined {
  if (tools.get(name)?.rule?.takes !== 'command' || !isObject(input)) return undefined
  return typeof input['command'] === 'string' ? input['command'] : undefined
}

/** The folder in the workspace that a command runs in; undefined when it is not known to be in it. */
function folderIn(input: CallFacts['input'], { root }: PermitPlace): string | undefined {
  const cwd = isObject(input) ? input['cwd'] : undefined
  if (typeof cwd !== 'string' || cwd === '') return ''
  const where = whereIs(fixedWord(cwd), root === undefined ? {} : { root })
  if (where !== 'inside' && where !== 'top') return undefined
  const path = resolved(cwd)
  return root !== undefined && path.startsWith('/') ? path.slice(root.length).replace(/^\//, '') : path
}

function outside(finding: Finding): Finding {
  if (finding.level !== 'write' && finding.level !== 'run') return finding
  return { ...finding, level: 'ask', why: `${finding.why}, outside the workspace` }
}

/** A call that runs no shell command is one part. */
function findingOf(name: string, effect: Effect, paths: readonly TouchedPathValue[]): Finding {
  const away = paths.find(({ inside }) => !inside)
  const found = (level: Level, why: string): Finding => ({ level, part: name, why })
  switch (effect) {
    case 'none':
    case 'probe':
      return found('probe', 'only looks')
    case 'write':
      return away === undefined
        ? found('write', 'changes files in the workspace')
        : found('ask', `changes ${away.path}, outside the workspace`)
    case 'unknown':
      return found('ask', `what ${name} does is not known`)
    default:
      return effect satisfies never
  }
}

/** All paths that a call is known to be about. */
export function pathsOf({ paths, hint, root }: CallFacts): KnownPath[] {
  const touched = paths.map(({ path }) => knownPath(path, root))
  return hint === undefined ? touched : [...touched, knownPath(hint, root)]
}

export function knownPath(path: string, base: string | undefined): KnownPath {
  const root = base?.replaceAll('\\', '/')
  const clean = path.replaceAll('\\', '/')
  if (clean.startsWith('~')) return { absolute: clean }
  const plain = resolved(clean)
  if (!plain.startsWith('/') && !/^[A-Za-z]:/.test(plain)) {
    if (plain !== '..' && !plain.startsWith('../')) {
      return { relative: plain, ...(root !== undefined && { absolute: `${root}/${plain}` }) }
    }
    return { absolute: root === undefined ? plain : resolved(`${root}/${plain}`) }
  }
  if (root === undefined || (plain !== root && !plain.startsWith(`${root}/`))) return { absolute: plain }
  return { absolute: plain, relative: plain.slice(root.length + 1) }
}

/** Commands that stand for themselves: one that only starts another is what that one is. */
export function ownCommands({ commands }: ShellReading): ReadCommand[] {
  return commands.filter(({ judgement }) => judgement.level !== 'probe' || (judgement.starts ?? []).length === 0)
}
