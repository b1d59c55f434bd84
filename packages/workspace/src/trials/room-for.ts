import { createHash } from 'node:crypto'
import type { Experiment } from '@loader/session-core/coding'
import { emptied } from '../emptied/emptied.ts'
import type { TreeTexts } from '../trees/trees-shown.ts'
import { roomWithCanary } from './canary-rooms.ts'
import { keyedFile } from './keys-of.ts'
import { type Making, type RoomFor, type RoomForExperiment, whole } from './making.ts'
import { withoutSuppressions } from './suppressions.ts'

export async function roomFor({ room, asNow = [] }: Experiment, making: Making): Promise<RoomForExperiment> {
  const { before, now, changed } = making
  const { aside, byKey = {} } = changed
  switch (room) {
    case 'now':
      return whole(now)
    case 'as_is':
      return { ...whole(now), ignored: 'now' }
    case 'before':
      return whole(before)
    case 'strict':
      return mixed(making, { base: now, other: before, paths: without(aside, asNow), byKey })
    case 'reversed':
      return mixed(making, { base: before, other: now, paths: [...aside, ...asNow], byKey })
    case 'unsuppressed':
      return overNow(making, changed.suppressed, async (path, texts) => {
        const text = await texts.now.text(path)
        if (text === undefined) return undefined
        const runners = making.reports.map(({ runner }) => runner)
        return withoutSuppressions({ before: await texts.before.text(path), now: text }, runners)
      })
    case 'emptied':
      return overNow(making, without(changed.product, asNow), async (path, texts) => {
        const text = await texts.now.text(path)
        if (text === undefined) return undefined
        if (changed.running?.includes(path) === true) return ''
        const result = await emptied({ path, before: await texts.before.text(path), now: text })
        return result.kind === 'emptied' ? result.text : undefined
      })
    case 'canary':
      return roomWithCanary(making)
    default:
      return room satisfies never
  }
}

function without(paths: readonly string[], some: readonly string[]): readonly string[] {
  return paths.filter((it) => !some.includes(it))
}

interface Mix {
  readonly base: string
  readonly other: string
  readonly paths: readonly string[]
  readonly byKey: Readonly<Record<string, readonly string[]>>
}

async function mixed(making: Making, { base, other, paths, byKey }: Mix): Promise<RoomFor> {
  const tree = await making.mix(base, [{ tree: other, paths: paths.filter((it) => byKey[it] === undefined) }])
  const over = new Map<string, string>()
  for (const [path, keys] of Object.entries(byKey)) {
    if (!paths.includes(path)) continue
    const [under, upper] = [await (await making.texts(base)).text(path), await (await making.texts(other)).text(path)]
    if (under !== undefined && upper !== undefined) {
      over.set(path, keyedFile(path)?.mixed(under, upper, keys) ?? under)
    }
  }
  return { ...whole(tree), over, key: [tree, digestOf(over)] }
}

type Texts = { readonly before: TreeTexts; readonly now: TreeTexts }

/** N with some files replaced. There is no such room when no file can be. */
async function overNow(
  { before, now, texts }: Making,
  paths: readonly string[],
  written: (path: string, texts: Texts) => Promise<string | undefined>,
): Promise<RoomForExperiment> {
  const both = { before: await texts(before), now: await texts(now) }
  const over = new Map<string, string>()
  for (const path of paths) {
    const text = await written(path, both)
    if (text !== undefined) over.set(path, text)
  }
  return over.size === 0 ? { kind: 'none', why: 'impossible' } : { ...whole(now), over, key: [now, digestOf(over)] }
}

function digestOf(over: ReadonlyMap<string, string | null>): string {
  return createHash('sha256')
    .update(JSON.stringify([...over]))
    .digest('hex')
    .slice(0, 20)
}
