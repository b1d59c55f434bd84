import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Signal } from '@loader/session-core'
import type {
  BeforeTree,
  BesideChanges,
  BesideTree,
  Check,
  CheckRun,
  CheckTrials,
  Experiment,
  RoomOptions,
  RoomOutcome,
  RoomRun,
  TrialChanges,
  TrialGround,
  TrialSurvey,
} from '@loader/session-core/coding'
import { type ImportGraph, importGraph } from '../imports/import-graph.ts'
import type { FileReading } from '../imports/file-reading.ts'
import { endingNotes, signalOf } from '../processes/ending-text.ts'
import { lookAt } from '../rooms/kept-ignored.ts'
import { digestOfFile } from '../rooms/rewritten.ts'
import type { RoomCommandRun as RanRoom, Rooms } from '../rooms/room.ts'
import { canaryFailed } from '../runners/canary.ts'
import { readReport } from '../runners/read-reports.ts'
import type { RunnerReport } from '../runners/runner.ts'
import type { LocalTrees } from '../trees/open-trees.ts'
import type { TreeTexts } from '../trees/trees-shown.ts'
import { besideChanges, lookBeside } from './beside.ts'
import { canaryAmongTests } from './canary-rooms.ts'
import { filesOfCheck } from './files-of-check.ts'
import { type KeptRun, KeptRuns } from './kept-runs.ts'
import type { Making, RoomFor } from './making.ts'
import { roomOutcome } from './outcome-of.ts'
import { packagesOf } from './packages-of.ts'
import { roomFor } from './room-for.ts'
import { survey, type SurveyedTree } from './survey.ts'
import { withoutSuppressions } from './suppressions.ts'
import { reportsOf, toldBy } from './told.ts'

/** What trials of checks need, and where their results are stored. */
export interface TrialsOptions {
  readonly root: string
  readonly trees: LocalTrees
  readonly rooms: Rooms
  /** The folder for results: private, and no command sees it. */
  readonly folder: string
  /** For checks that do not say how long they may run. */
  readonly timeoutMs: number
  readonly now: () => string
  /** Everything else that influences checks and is the same for all of them: versions, the kind of walls. */
  readonly machine: () => Promise<string>
}

/** How many trees are cached: B, N, and those of the previous turn. */
const mostTrees = 4

/** Trials of checks on this machine. */
export class LocalTrials implements CheckTrials {
  readonly #options: TrialsOptions
  readonly #kept: KeptRuns
  readonly #readings = new Map<string, FileReading>()
  readonly #texts = new Map<string, Promise<TreeTexts>>()
  readonly #graphs = new Map<string, Promise<ImportGraph>>()

  constructor(options: TrialsOptions) {
    this.#options = options
    this.#kept = new KeptRuns(join(options.folder, 'runs'))
  }

  async made({ base, layers }: BeforeTree): Promise<string> {
    return layers.length === 0 ? base : await this.#options.trees.mix(base, layers)
  }

  lookBeside(options: { readonly signal?: Signal } = {}): Promise<BesideTree> {
    return lookBeside(this.#options, options)
  }

  besideChanges(
    from: BesideTree,
    to: BesideTree,
    { session }: { readonly session?: string } = {},
  ): Promise<BesideChanges> {
    return besideChanges(this.#options, from, to, session)
  }

  moveIgnored(kept: string, edit: { readonly from: string; readonly to: string }): Promise<string> {
    return this.#options.rooms.moveIgnored(kept, edit)
  }

  async packages(options: { readonly signal?: Signal } = {}): Promise<string | undefined> {
    return await this.#options.trees.takeInventory(options)
  }

  async keepIgnored(options: { readonly signal?: Signal } = {}): Promise<string | undefined> {
    const kept = await this.#options.rooms.keepIgnored(options)
    return kept.kind === 'kept' ? kept.id : undefined
  }

  async environment(ground: TrialGround): Promise<string> {
    return digestOf([await this.#roomsOf(ground), ...(await this.#besideNow(ground))])
  }

  /** The part of the key shared by all rooms, except those with the current ignored files and packages. */
  async #roomsOf({ packagesNow, ignoredBefore }: TrialGround): Promise<string> {
    return digestOf([await this.#options.machine(), packagesNow ?? '', ignoredBefore ?? ''])
  }

  async run(
    check: Check,
    experiment: Experiment,
    ground: TrialGround & { readonly changed?: TrialChanges; readonly told?: string },
    options: RoomOptions = {},
  ): Promise<RoomRun> {
    const { before, now, changed = nothingChanged } = ground
    const making: Making = {
      root: this.#options.root,
      before,
      now,
      changed,
      reports: reportsOf(ground.told ?? ''),
      scripts: async () => {
        const { scripts, judged } = await filesOfCheck(check, [], await this.#textsOf(now))
        return [...scripts].filter((path) => !judged.has(path)).toSorted()
      },
      sources: async () => (await filesOfCheck(check, [], await this.#textsOf(now))).sources,
      mix: (base, parts) => this.#options.trees.mix(base, parts),
      texts: (tree) => this.#textsOf(tree),
      graph: (tree) => this.#graphOf(tree),
    }
    const inRoom = (room: RoomFor) => this.#inRoom(check, experiment, room, ground, options)
    const told = experiment.room === 'canary' ? await canaryAmongTests(making, inRoom) : undefined
    if (told !== undefined) return told
    const room = await roomFor(experiment, making)
    if (room.kind === 'none') {
      return { outcome: { kind: 'not_shown', why: room.why }, tree: now, told: '', isKept: false, durationMs: 0 }
    }
    return await inRoom(room)
  }

  async #inRoom(
    check: Check,
    experiment: Experiment,
    room: RoomFor,
    ground: TrialGround,
    options: RoomOptions,
  ): Promise<RoomRun> {
    const { before } = ground
    const { command, cwd = '.', reach = 'work' } = check
    const beside = room.ignored === 'now' ? await this.#besideNow(ground) : [ground.ignoredBefore ?? '']
    const key = [command, cwd, reach, experiment.again ?? [], room.key, ...beside, await this.#roomsOf(ground)]
    // A run with a wider reach can see more than the key covers.
    const known = reach === 'work' ? await this.#kept.get(key) : undefined
    if (known !== undefined) {
      return { ...known, outcome: await this.#withUndone(known, before), tree: room.tree, isKept: true, durationMs: 0 }
    }
    const ran = await this.#run(check, room, ground, options)
    if (ran.outcome.kind === 'shown' && reach === 'work') await this.#kept.keep(key, ran)
    return { ...ran, outcome: await this.#withUndone(ran, before), tree: room.tree, isKept: false }
  }

  /** Says of which files the run has undone what the work changed in them. The kept run does not know B. */
  async #withUndone({ outcome, digests = {} }: KeptRun, before: string): Promise<RoomOutcome> {
    if (outcome.kind === 'not_shown' || Object.keys(digests).length === 0) return outcome
    const texts = await this.#textsOf(before)
    const undone: string[] = []
    for (const [path, digest] of Object.entries(digests)) {
      const text = await texts.text(path)
      if (text !== undefined && digestOfFile(text) === digest) undone.push(path)
    }
    return undone.length === 0 ? outcome : { ...outcome, shown: { ...outcome.shown, undone } }
  }

  async survey(
    check: Check,
    { before, now, told, ...ground }: TrialGround & { readonly told: string },
    { protect = [] }: { readonly protect?: readonly string[] } = {},
  ): Promise<TrialSurvey> {
    const reports = reportsOf(told)
    const { trees, rooms } = this.#options
    const { packagesBefore, packagesNow, ignoredBefore, ignoredNow, session } = ground
    const packages =
      packagesBefore === undefined || packagesNow === undefined || packagesBefore === packagesNow
        ? []
        : packagesOf(await trees.inventoryChanges(packagesBefore, packagesNow))
    const ignored =
      ignoredBefore === undefined || ignoredNow === undefined || ignoredBefore === ignoredNow
        ? []
        : (await rooms.ignoredChanges(ignoredBefore, ignoredNow)).map(({ path }) => path)
    const layered = session === undefined ? [] : [...(await rooms.layers(session)).keys()]
    const changes = before === now ? [] : await trees.changes(before, now)
    const trees2 = { before: await this.#surveyed(before), now: await this.#surveyed(now) }
    const texts = await this.#changedTexts(
      changes.map(({ path }) => path),
      trees2,
    )
    return {
      ...(await survey({ check, reports, ...trees2, changes, protect })),
      packages,
      ignored: [...new Set([...ignored, ...layered])].toSorted(),
      namesTests: reports.length > 0,
      suppressed: (product) =>
        product.filter((path) => {
          const both = texts.get(path)
          return (
            both !== undefined &&
            withoutSuppressions(
              both,
              reports.map(({ runner }) => runner),
            ) !== undefined
          )
        }),
    }
  }

  /** The current ignored files, and the session's changes to packages. */
  async #besideNow({ ignoredNow, session }: TrialGround): Promise<readonly unknown[]> {
    const layers = session === undefined ? [] : [...(await this.#options.rooms.layers(session))]
    const versions = layers.map(async ([path, upper]) => [path, (await lookAt(upper, '', undefined)).version])
    return [ignoredNow ?? '', await Promise.all(versions)]
  }

  async #run(
    check: Check,
    room: RoomFor,
    { ignoredBefore, session }: TrialGround,
    options: RoomOptions,
  ): Promise<KeptRun & { readonly durationMs: number }> {
    const { root, rooms, now } = this.#options
    const startedAt = now()
    const timeoutMs = check.timeoutMs ?? this.#options.timeoutMs
    const isAsIs = room.ignored === 'now'
    const ran = await rooms.run(
      {
        tree: room.tree,
        over: room.over,
        ignored: isAsIs
          ? { kind: 'now' }
          : ignoredBefore === undefined
            ? { kind: 'none' }
            : { kind: 'kept', id: ignoredBefore },
        packages: isAsIs && session !== undefined ? { kind: 'layered', session } : { kind: 'installed' },
      },
      {
        command: check.command,
        ...(check.cwd !== undefined && { cwd: check.cwd }),
        timeoutMs,
        reach: check.reach ?? 'work',
        signal: options.signal,
        onOutput: options.onOutput === undefined ? undefined : (chunk) => options.onOutput?.(chunk),
        runners: room.canary === undefined ? {} : { canary: room.canary.lone },
      },
    )
    const reports = reportsIn(ran, root)
    const outcome =
      room.canary === undefined
        ? withRewritten(roomOutcome(ran.ending, reports), ran)
        : canaryOutcome(room.canary, ran, reports)
    const run = { ...asCheckRun(ran, timeoutMs), startedAt, finishedAt: now() }
    const digests = ran.digests.size === 0 ? {} : { digests: Object.fromEntries(ran.digests) }
    return { outcome, told: toldBy(reports), ...digests, run, durationMs: ran.durationMs }
  }

  async #surveyed(tree: string): Promise<SurveyedTree> {
    return { texts: await this.#textsOf(tree), graph: await this.#graphOf(tree) }
  }

  async #changedTexts(paths: readonly string[], { before, now }: { before: SurveyedTree; now: SurveyedTree }) {
    const texts = new Map<string, { readonly before: string | undefined; readonly now: string }>()
    for (const path of paths) {
      const text = await now.texts.text(path)
      if (text !== undefined) texts.set(path, { before: await before.texts.text(path), now: text })
    }
    return texts
  }

  #textsOf(tree: string): Promise<TreeTexts> {
    return remembered(this.#texts, tree, () => this.#options.trees.texts(tree))
  }

  #graphOf(tree: string): Promise<ImportGraph> {
    return remembered(this.#graphs, tree, async () =>
      importGraph((await this.#textsOf(tree)).sources, { cache: this.#readings }),
    )
  }
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20)
}

const nothingChanged: TrialChanges = { product: [], aside: [], mixed: [], ignored: [], suppressed: [] }

function remembered<Value>(all: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const known = all.get(key)
  if (known !== undefined) return known
  const made = make()
  all.set(key, made)
  made.catch(() => all.delete(key))
  const [oldest] = all.keys()
  if (all.size > mostTrees && oldest !== undefined) all.delete(oldest)
  return made
}

function reportsIn({ reports, how }: RanRoom, root: string): readonly RunnerReport[] {
  const text = new TextDecoder()
  const seenAt = how.kind === 'copy' ? how.at : root
  return [...reports]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, bytes]) => readReport(text.decode(bytes), seenAt) ?? [])
}

function withRewritten(outcome: RoomOutcome, { rewritten }: RanRoom): RoomOutcome {
  if (outcome.kind === 'not_shown' || rewritten.length === 0) return outcome
  return { ...outcome, shown: { ...outcome.shown, rewritten: [...rewritten] } }
}

/** Red if it failed in all of its ways. A canary that could not be loaded shows neither red nor green. */
function canaryOutcome(
  canary: NonNullable<RoomFor['canary']>,
  { ending }: RanRoom,
  reports: readonly RunnerReport[],
): RoomOutcome {
  const outcome = roomOutcome(ending, reports)
  if (outcome.kind === 'not_shown') return outcome
  if (canaryFailed(canary, reports)) return { kind: 'shown', shown: { exit: 'red' } }
  const { mark } = canary.lone
  const own = reports.flatMap(({ results }) => results).filter(({ name, file }) => `${name} ${file}`.includes(mark))
  const isUnloaded = own.length > 0 && own.every((it) => it.outcome === 'load')
  const tests = [{ name: mark, outcome: 'unloaded' as const }]
  return { kind: 'shown', shown: isUnloaded ? { exit: 'red', tests } : { exit: 'green' } }
}

function asCheckRun(ran: RanRoom, timeoutMs: number): Omit<CheckRun, 'startedAt' | 'finishedAt'> & { output: string } {
  const { ending, output } = ran
  const signal = signalOf(ending)
  const notes = [...endingNotes(ran, timeoutMs), ...ran.withheld].map((note) => `[${note}]`)
  const isGreen = ending.how === 'exited' && ending.exitCode === 0
  return {
    outcome: ending.how === 'cancelled' ? 'interrupted' : isGreen ? 'passed' : 'failed',
    exitCode: ending.how === 'exited' ? ending.exitCode : null,
    ...(signal === undefined ? {} : { signal }),
    output: [output.text().trimEnd(), ...notes].filter((part) => part !== '').join('\n'),
    outputDigest: output.digest(),
  }
}
