import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { FileIntent } from '@loader/session-core/coding'
import { temporaryWorkspace, type TemporaryWorkspace } from '@loader/test-harness'
import { fromCi, needing, sample, tier } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { writeTool } from '../src/index.ts'
import { perform } from './perform.ts'
import { attach, callsIn, ended, type SystemCall, type Thread, threadsOf, untraceable } from './strace.ts'

const reason = untraceable()
const options = { timeout: 3_600_000, skip: reason !== undefined }
/** That these are made in the right order is seen in one life already. */
const killing = { ...options, skip: options.skip || !fromCi }

const content = 'new content\n'.repeat(1000)
const old = 'old content\n'.repeat(900)

/** A write that has been looked at and waits. */
interface Waiting {
  readonly child: ChildProcess
  readonly intent: readonly z.infer<typeof FileIntent>[]
  /** Lets it run, and tells what it said in the end. */
  readonly go: () => Promise<string>
}

async function waitingWrite(workspace: TemporaryWorkspace): Promise<Waiting> {
  const program = fileURLToPath(new URL('children/write-once.ts', import.meta.url))
  const args = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', program]
  const child = spawn(process.execPath, [...args, workspace.root, 'd/f', content], {
    // What it compiled is not kept: that would be more files that it writes.
    env: { ...process.env, UV_THREADPOOL_SIZE: '1', NODE_COMPILE_CACHE: undefined },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const intent = z.array(FileIntent).parse(JSON.parse(String((await lines.next()).value)))
  const go = async () => {
    child.stdin.write('go\n')
    const { value } = await lines.next()
    await ended(child)
    return String(value)
  }
  return { child, intent, go }
}

interface Point extends SystemCall {
  readonly thread: Thread
  /** Which call of this name in this thread. */
  readonly nth: number
}

/** Calls that change what a disk holds, or make sure of it. */
function isChanging({ name, arguments: rest }: SystemCall): boolean {
  return /^(fsync|fdatasync|rename|link|unlink|mkdir)/.test(name) || rest.includes('loader-tmp')
}

/** Calls that touch no file: before and after them is the same as before and after their neighbours. */
const elsewhere =
  /^(futex|epoll|clock_|sched_|m(map|unmap|protect|advise)|brk|rt_sig|restart|getpid|gettid|ioctl|poll|prctl)/

/** Every system call of the write, in order, and what is needed to meet it again. */
async function systemCallsOf(files: Readonly<Record<string, string>>): Promise<Point[]> {
  await using workspace = await temporaryWorkspace({ files })
  await using traces = await temporaryWorkspace()
  const { child, go } = await waitingWrite(workspace)
  const { main, pool } = threadsOf(child.pid ?? 0)
  const tracer = await attach(main, ['-f', '-y', '-o', traces.path('trace')])
  expect(await go()).toMatch(/^ok /)
  await ended(tracer)
  const counts = new Map<string, number>()
  return callsIn(await readFile(traces.path('trace'), 'utf8')).flatMap((call) => {
    const thread = call.threadId === main ? 'main' : call.threadId === pool ? 'pool' : undefined
    if (thread === undefined || elsewhere.test(call.name)) return []
    const nth = (counts.get(`${thread} ${call.name}`) ?? 0) + 1
    counts.set(`${thread} ${call.name}`, nth)
    return [{ ...call, thread, nth }]
  })
}

/** Kills a write right before one of its system calls, and tells what is there then. */
async function killAt(files: Readonly<Record<string, string>>, { thread, name, nth }: Point) {
  await using workspace = await temporaryWorkspace({ files })
  const { child, intent, go } = await waitingWrite(workspace)
  const inject = ['-e', `trace=${name}`, '-e', `inject=${name}:signal=SIGKILL:when=${nth}`, '-o', '/dev/null']
  const tracer = await attach(threadsOf(child.pid ?? 0)[thread], inject)
  await go()
  await ended(tracer)
  const tool = writeTool(workspace)
  const left = await workspace.files()
  const now = (await tool.observe?.(intent))?.files[0]?.now
  const told = now === intent[0]?.after ? 'done' : now === intent[0]?.before ? 'not done' : 'something else'
  const isKilled = child.signalCode === 'SIGKILL'
  // Whoever writes the file again leaves nothing of the one that was killed.
  await perform(tool, { file_path: 'd/f', content: 'again\n' })
  return { isKilled, held: left['d/f'], told, rest: Object.keys(await workspace.files()) }
}

/** How often two threads wake one another differs from run to run: one that made fewer such calls is not yet a miss. */
async function killWithin(
  attempts: number,
  files: Readonly<Record<string, string>>,
  point: Point,
): ReturnType<typeof killAt> {
  const outcome = await killAt(files, point)
  return outcome.isKilled || attempts === 1 ? outcome : killWithin(attempts - 1, files, point)
}

const beginnings = [
  ['replaces a file', { 'd/f': old }],
  ['creates a file and its folder', { other: '' }],
] as const

describe.each(sample(beginnings, { quick: 1 }))('a write that %s', (_, files: Readonly<Record<string, string>>) => {
  test(
    needing(
      reason,
      'killed before any of its system calls leaves the old file or the new one, and observing tells which',
    ),
    killing,
    async () => {
      const calls = await systemCallsOf(files)
      const changing = calls.filter(isChanging)
      const others = calls.filter((point) => !isChanging(point))
      const points =
        tier === 'long'
          ? calls
          : [...sample(changing, { quick: 1 }), ...changing.slice(-1), ...sample(others, { quick: 0, ci: 6 })]
      const seen = { killedAt: points.length, done: 0, 'not done': 0, missed: 0 }
      await inTwoLanes(points, async (point) => {
        const { isKilled, held, told, rest } = await killWithin(3, files, point)
        const label = `${point.thread} ${point.name} ${point.nth}`
        expect([label, told]).toEqual([label, held === content ? 'done' : 'not done'])
        expect([label, held]).toEqual([label, held === content ? content : files['d/f']])
        expect([label, ...rest.filter((path) => path.includes('.loader-tmp'))]).toEqual([label])
        if (!isKilled) seen.missed += 1
        if (isKilled) seen[told === 'done' ? told : 'not done'] += 1
      })
      console.log(`of ${calls.length} system calls: ${JSON.stringify(seen)}`)
      expect(seen.missed).toBe(0)
      expect(seen.done).toBeGreaterThan(0)
      expect(seen['not done']).toBeGreaterThan(0)
    },
  )
})

test(
  needing(reason, 'a write is on the disk before it says so: the file before it gets its name, the name right after'),
  options,
  async () => {
    const calls = await systemCallsOf({ 'd/f': old })
    const steps = calls.flatMap(({ name, arguments: rest }) => {
      if (name === 'fsync' || name === 'fdatasync')
        return rest.includes('loader-tmp') ? ['flush file'] : ['flush folder']
      if (name === 'rename') return ['rename']
      return name === 'write' && rest.includes('"ok ') ? ['say so'] : []
    })
    expect(steps).toEqual(['flush file', 'rename', 'flush folder', 'say so'])
  },
)

async function inTwoLanes<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item)
  }
  await Promise.all([lane(), lane()])
}
