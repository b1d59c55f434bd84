import { choices, type Fate } from './choices.ts'
import { choiceKey, CrashImages } from './crash-images.ts'
import { imageDigest } from './disk-image.ts'
import { type PendingChange, PendingChanges } from './pending-changes.ts'
import { seededRandom } from './random.ts'
import type { RecordedEvent } from './recording.ts'
import { SimulatedFileSystem } from './simulated-file-system.ts'

/**
 * What may reach the disk independently. `weak`: every change that was not flushed, in any order. `ordered`: as in
 * today's journalling file systems, folder entries in the order in which they were made, data in any order.
 */
export type CrashModel = 'weak' | 'ordered'

/** Which disk states after a power cut are tried, and how many. */
export interface CrashStateOptions {
  readonly model?: CrashModel
  /** A write can be cut at multiples of these sizes. */
  readonly tears?: readonly number[]
  /** Up to this many pending changes every subset is tried. */
  readonly exhaustive?: number
  /** How many random subsets are tried in addition, at each point. */
  readonly randomSubsets?: number
  readonly seed?: number
}

/** One disk that a power cut could leave behind. */
export interface CrashState<Mark> {
  /** The number of recorded events before the power cut. */
  readonly point: number
  /** Equal for equal disks: same names, same bytes. */
  readonly digest: string
  /** The marks noted before the power cut. */
  readonly marks: readonly Mark[]
  /** The disk as found after the power cut; everything on it is durable. */
  readonly mount: () => SimulatedFileSystem<Mark>
  /** In words: when it happened, which changes were pending, and what became of each. */
  readonly describe: () => string
}

/**
 * Every disk that a power cut could leave behind at any point recorded by `disk`.
 *
 * Each state comes once; the same disk comes again only with more marks, as it may then lack something acknowledged.
 */
export function* crashStates<Mark>(
  disk: SimulatedFileSystem<Mark>,
  options: CrashStateOptions = {},
): Generator<CrashState<Mark>> {
  const { model = 'weak', tears = [512, 4096], exhaustive = 7, randomSubsets = 24, seed = 1 } = options
  const choiceOptions = { model, tears, exhaustive, randomSubsets, random: seededRandom(seed) }
  const { start, events } = disk.recording
  const changes = new PendingChanges(start, model)
  const images = new CrashImages()
  const seen = new Set<string>()
  const marks: Mark[] = []
  yield* statesAt(0, undefined)
  for (const [index, event] of events.entries()) {
    changes.take(event)
    if (event.type === 'mark') marks.push(event.mark)
    yield* statesAt(index + 1, event)
  }

  function* statesAt(point: number, event: RecordedEvent<Mark> | undefined): Generator<CrashState<Mark>> {
    const { settled, pending } = changes.now()
    const marked = marks.slice()
    const imageAfter = images.at(settled, pending)
    for (const fates of distinct(choices(pending, choiceOptions))) {
      const image = imageAfter(fates)
      const digest = imageDigest(image)
      const key = `${digest} ${marked.length}`
      if (seen.has(key)) continue
      seen.add(key)
      yield {
        point,
        digest,
        marks: marked,
        mount: () => new SimulatedFileSystem<Mark>(image),
        describe: () => `${describePoint(point, event)}${describeFates(pending, fates)}`,
      }
    }
  }
}

function* distinct(all: Iterable<readonly Fate[]>): Generator<readonly Fate[]> {
  const seen = new Set<string>()
  for (const fates of all) {
    const key = choiceKey(fates)
    if (seen.has(key)) continue
    seen.add(key)
    yield fates
  }
}

function describePoint(point: number, event: RecordedEvent<unknown> | undefined): string {
  switch (event?.type) {
    case undefined:
      return 'before the first call'
    case 'mark':
      return `after event ${point}, mark ${JSON.stringify(event.mark)}`
    case 'lost':
      return `after event ${point}, a failed flush`
    case 'begun':
      return `while event ${point} is under way, ${event.call.label}`
    case 'completed':
    case 'done':
      return `after event ${point}, ${event.call.label}`
    default:
      return event satisfies never
  }
}

function describeFates(pending: readonly PendingChange[], fates: readonly Fate[]): string {
  const labels = (wanted: string) =>
    pending.flatMap(({ call, durable }, index) => {
      const fate = fates[index] as Fate
      if (durable) return []
      if (typeof fate === 'string') return fate === wanted ? [call.label] : []
      if (wanted !== 'torn') return []
      return [fate.kept === 'size' ? `${call.label} (size alone)` : `${call.label} (${fate.kept} ${fate.bytes} bytes)`]
    })
  return ['kept', 'torn', 'undone']
    .map((fate) => ({ fate, labels: labels(fate) }))
    .filter(({ labels: some }) => some.length > 0)
    .map(({ fate, labels: some }) => `; ${fate}: ${some.join(', ')}`)
    .join('')
}
