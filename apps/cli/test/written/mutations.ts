import { type EventInput, LoaderError, Session, type StoredEvent } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { fixedEnvironment } from '@loader/test-harness'
import { SimulatedFileSystem } from '@loader/test-harness/faults'
import { exchange } from './written-session.ts'

/** A session on a simulated disk, as it was left, with its events as they are written. */
export interface Sample {
  readonly name: string
  readonly files: Readonly<Record<string, Uint8Array>>
  readonly events: readonly StoredEvent[]
}

/** A turn in which two calls are made; the second has no end when the turn was cut off in it. */
function working(number: number, end: 'finished' | 'cut off'): EventInput[] {
  const [inputId, turnId] = [`in_${number}`, `turn_${number}`]
  const [first, second] = [`call_${number}a`, `call_${number}b`]
  const request = (part: string) => `req_${number}${part}`
  const begun: EventInput[] = [
    { type: 'input.queued', inputId, text: `Do ${number}, ä"\\ \u0000 ${'x'.repeat(200)}` },
    { type: 'turn.started', turnId, inputId },
    { type: 'workspace.observed', tree: { id: `tree_${number}`, rest: 'none', leftOut: [] } },
    {
      type: 'prompt.rendered',
      format: 'native',
      sections: [{ name: 'Rules', digest: `d${number}` }],
      text: `Rules ${number}`,
    },
    { type: 'model.asked', requestId: request('a'), purpose: 'answer', attempt: 1, model: 'test/model' },
    { type: 'answer.progressed', requestId: request('a'), text: `Looking ${number}` },
    {
      type: 'model.answered',
      requestId: request('a'),
      content: [
        { type: 'text', text: `Looking ${number}.` },
        { type: 'call', call: { id: first, name: 'read', input: { path: 'a' } } },
        { type: 'call', call: { id: second, name: 'bash', input: { command: 'make' } } },
      ],
      finishReason: 'tool-calls',
      usage: { inputTokens: 50, outputTokens: 5 },
    },
    { type: 'call.examined', callId: first, effect: 'probe', paths: [{ path: '/w/a', inside: true }] },
    { type: 'permission.decided', callId: first, permit: 'allow', by: 'rule' },
    { type: 'tool.started', callId: first },
    { type: 'tool.finished', callId: first, outcome: 'ok', text: `Content ${number}` },
    { type: 'call.examined', callId: second, effect: 'unknown', command: 'make' },
    { type: 'permission.decided', callId: second, permit: 'allow', by: 'user' },
    { type: 'tool.started', callId: second },
  ]
  if (end === 'cut off') return begun
  return [
    ...begun,
    { type: 'tool.finished', callId: second, outcome: 'failed', text: `Made ${number}` },
    { type: 'todos.updated', todos: [{ id: `todo_${number}`, text: 'Do it', status: 'pending' }] },
    { type: 'model.asked', requestId: request('b'), purpose: 'answer', attempt: 1, model: 'test/model' },
    {
      type: 'model.answered',
      requestId: request('b'),
      content: [{ type: 'text', text: `Answer ${number}.` }],
      finishReason: 'stop',
      usage: { inputTokens: 90, outputTokens: 9 },
      model: 'test/model',
    },
    {
      type: 'workflow.decided',
      entry: { id: `entry_${number}`, kind: 'route', mode: 'execute', reasonCode: 'r', summary: `Routed ${number}` },
    },
    { type: 'turn.finished', turnId, reason: 'turn_complete', responseId: request('b') },
  ]
}

/** How each kind of session comes to be: killed in a turn; long, sealed and closed; a copy that went on, without a snapshot. */
const kinds = {
  'killed in a turn': {
    rotateAfterBytes: 30_000,
    turns: [exchange(1, 'Hi', 'Hello'), working(2, 'finished'), working(3, 'cut off')],
    left: 'killed',
  },
  'sealed and closed': {
    rotateAfterBytes: 3_000,
    turns: [1, 2, 3, 4, 5].map((number) => working(number, 'finished')),
    left: 'closed',
  },
  'forked, without a snapshot': {
    rotateAfterBytes: 4_000,
    turns: [1, 2, 3].map((number) => working(number, 'finished')),
    left: 'forked',
  },
} as const

export const kindNames = Object.keys(kinds) as (keyof typeof kinds)[]
const directory = '/w/sessions'

export function storeOn(fileSystem: SimulatedFileSystem): FileSessionStore {
  const self = { pid: 2, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null }
  return new FileSessionStore(
    { directory },
    { fileSystem, commit: 'inline', processes: { self, stateOf: () => 'dead' } },
  )
}

export async function sampleOf(name: keyof typeof kinds): Promise<Sample> {
  const { rotateAfterBytes, turns, left } = kinds[name]
  const disk = new SimulatedFileSystem({ directories: ['/w'] })
  const self = { pid: 1, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null }
  const store = new FileSessionStore(
    { directory },
    { fileSystem: disk, commit: 'inline', rotateAfterBytes, processes: { self, stateOf: () => 'alive' } },
  )
  const environment = fixedEnvironment()
  const stranger = await Session.open(store, { environment, id: 'stranger' })
  for (const number of [41, 42, 43]) for (const input of working(number, 'finished')) await stranger.append(input)
  const session = await Session.open(store, { environment, id: left === 'forked' ? 'first' : 'one', title: `A title` })
  for (const turn of turns) for (const input of turn) await session.append(input)
  if (left !== 'killed') await session.close()
  if (left === 'forked') {
    await store.fork('first', undefined, { id: 'one', environment })
    const fork = await Session.load(store, 'one', { environment })
    for (const input of working(9, 'finished')) await fork.append(input)
    await fork.close()
    disk.unlinkSync(`${directory}/one.json`)
  }
  const events: StoredEvent[] = []
  for await (const event of store.read('one')) events.push(event)
  return { name, files: disk.files(), events }
}

export interface Mutation {
  readonly what: string
  readonly path: string
  readonly bytes: Buffer | null
}

/** One way in which a file of the session can have changed. */
export function mutated({ files }: Sample, random: () => number): Mutation {
  const below = (most: number) => Math.floor(random() * most)
  const paths = Object.keys(files).filter((each) => /\/one\.(?:json|\d+\.json|journal\.jsonl)$/.test(each))
  const path = paths[below(paths.length)] as string
  const bytes = Buffer.from(files[path] as Uint8Array)
  const used = path.endsWith('.jsonl') ? bytes.lastIndexOf(']') + 2 : bytes.length
  const offset = below(used)
  const length = Math.min(1 + below(700), used - offset)
  const told = (what: string, changed: Buffer | null = bytes) => ({
    what: `${what} at ${offset} of ${path}`,
    path,
    bytes: changed,
  })
  switch (below(9)) {
    case 0:
    case 1:
    case 2:
      bytes[offset] = (bytes[offset] as number) ^ (1 << below(8))
      return told('a flipped bit')
    case 3:
      for (let index = 0; index < 3; index += 1) bytes[below(used)] = below(256)
      return told('three other bytes, one of them')
    case 4:
      return told(`${length} zeros`, bytes.fill(0, offset, offset + length))
    case 5:
      return told(`${length} newlines`, bytes.fill('\n', offset, offset + length))
    case 6:
      return pieceOfStranger(files, random)
    case 7:
      return told('a cut', bytes.subarray(0, offset))
    default:
      return below(4) === 0
        ? told('the whole file gone', null)
        : told(`${length} bytes gone`, Buffer.concat([bytes.subarray(0, offset), bytes.subarray(offset + length)]))
  }
}

/** The journal of another session in the place of this one's, without the lines before one of them. */
function pieceOfStranger(files: Sample['files'], random: () => number): Mutation {
  const [whole, path] = ['stranger', 'one'].map((id) => `${directory}/${id}.journal.jsonl`) as [string, string]
  const lines = linesOf(files[whole] as Uint8Array)
  const from = Math.floor(random() * (lines.length - 1))
  const piece = Buffer.from(lines.slice(from).join('\n'), 'latin1')
  const bytes = Buffer.alloc(Math.ceil((piece.length + 1) / 4096) * 4096, '\n')
  bytes.set(piece)
  return { what: `lines of another session, from its line ${from} on, as ${path}`, path, bytes }
}

/** The disk with the file changed. */
export function diskWith({ files }: Sample, { path, bytes }: Mutation): SimulatedFileSystem {
  const { [path]: _old, ...others } = files
  return new SimulatedFileSystem({ files: bytes === null ? others : { ...others, [path]: bytes } })
}

/** The lines of a file, without the empty ones that fill a journal. */
function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString('latin1').replace(/\n+$/, '\n').split('\n')
}

/** The events of which a copy that proves itself is left, by seq. */
export function provable(sample: Sample, mutation: Mutation): Set<number> {
  const texts = Object.entries(sample.files)
    .filter(([path]) => /\/one\.(?:\d+\.json|journal\.jsonl)$/.test(path))
    .map(([path, whole]) => {
      const now = path === mutation.path ? (mutation.bytes ?? Buffer.alloc(0)) : whole
      const lines = linesOf(whole)
      return { isJournal: path.endsWith('.jsonl'), lines, left: new Set(path === mutation.path ? linesOf(now) : lines) }
    })
  const segments = texts.filter(({ isJournal }) => !isJournal)
  const own = segments.filter(({ lines }) => lines[0]?.includes('"id":"one"'))
  // What a fork shares with another session is its own by the word of the event that says so, or of the chain.
  const isLinked = own[0] === undefined || own[0].left.has(own[0].lines[0] as string)
  const isSeeded = segments.every(({ lines, left }) => left.has(lines.at(-2) as string))
  return new Set(
    texts.flatMap(({ isJournal, lines, left }) => {
      // Of a segment, the list of checksums proves the events, as long as it stands whole with what frames it.
      const frames = [lines[0], lines.at(-2)].every((line) => left.has(line as string))
      const isShared = !isJournal && !lines[0]?.includes('"id":"one"')
      return lines.flatMap((line, index) => {
        const seq = /^(?:\["[0-9a-f]{8}",\d+,|\{"type":"[^"]*","seq":)(\d+),/.exec(line)?.[1]
        if (seq === undefined || !left.has(line)) return []
        const before = lines[index - 1]
        const isProven = isJournal
          ? before === undefined
            ? isSeeded
            : left.has(before)
          : frames && (!isShared || isLinked)
        return isProven ? [Number(seq)] : []
      })
    }),
  )
}

export async function eventsOf(store: FileSessionStore, id = 'one'): Promise<StoredEvent[] | LoaderError> {
  const events: StoredEvent[] = []
  try {
    for await (const event of store.read(id, { gaps: 'mark' })) events.push(event)
    return events
  } catch (error) {
    if (!LoaderError.is(error)) throw error
    return error
  }
}
