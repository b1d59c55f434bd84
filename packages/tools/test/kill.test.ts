import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { processesWith, rareSleep, temporaryWorkspace } from '@loader/test-harness'
import { fromCi, needing, times } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { bashTool } from '../src/index.ts'
import { noNamespace } from './bubblewrap.ts'
import { perform, toolContext } from './perform.ts'
import { familyCommand, killAll } from './survivors.ts'

const rounds = times({ quick: 1, ci: 4, long: 200 })
const linux = { skip: process.platform !== 'linux' }
const namespaced = { ...linux, skip: linux.skip || noNamespace !== undefined }

type Stop = 'timed_out' | 'cancelled'

/** Runs the family until it is stopped. Returns how many of it are left, and leaves none. */
async function survivorsOf(stop: Stop, options: { bubblewrap?: null; forgetful: boolean }): Promise<number> {
  await using workspace = await temporaryWorkspace()
  const { bubblewrap, forgetful } = options
  const tool = bashTool({ root: workspace.root, graceMs: 300, ...(bubblewrap === null ? { bubblewrap } : {}) })
  const sleep = rareSleep()
  const stopping = new AbortController()
  const onOutput = (chunk: string) => void (stop === 'cancelled' && chunk.includes('ready') && stopping.abort())
  const context = await toolContext({ signal: stopping.signal, onOutput })
  const input = { command: familyCommand(sleep, { forgetful }), timeout: stop === 'timed_out' ? 0.25 : 60 }
  const result = await perform(tool, input, context)
  expect(result).toMatchObject({
    outcome: stop === 'cancelled' ? 'interrupted' : 'failed',
    metadata: { ended: stop, sandbox: bubblewrap === null ? 'group' : 'namespace' },
  })
  const survivors = processesWith(sleep)
  killAll(survivors)
  return survivors.length
}

async function survivorsOfAll(options: { bubblewrap?: null; forgetful: boolean }): Promise<number[]> {
  const counts: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    counts.push(await survivorsOf('timed_out', options), await survivorsOf('cancelled', options))
  }
  return counts
}

describe('of a command with children, grandchildren and sessions of its own', () => {
  test(
    needing(noNamespace, `nothing survives in a namespace (${rounds} times timed out, ${rounds} times cancelled)`),
    namespaced,
    async () => {
      expect(await survivorsOfAll({ forgetful: true })).toEqual(Array.from({ length: 2 * rounds }, () => 0))
    },
  )

  test.runIf(fromCi)(
    `nothing survives in a group either, as long as it keeps its environment (${rounds} times each)`,
    linux,
    async () => {
      const counts = await survivorsOfAll({ bubblewrap: null, forgetful: false })
      expect(counts).toEqual(Array.from({ length: 2 * rounds }, () => 0))
    },
  )

  test.runIf(fromCi)(
    'what clears its environment and leaves the group can survive, and the result says so',
    linux,
    async () => {
      const survivors = await survivorsOf('cancelled', { bubblewrap: null, forgetful: true })
      console.log(`survivors without bubblewrap, of a family of which one cleared its environment: ${survivors}`)
      expect(survivors).toBeLessThanOrEqual(1)
    },
  )
})

/** A process of ours that runs the family. Returns when the command says that it is ready. */
async function startRunner(bubblewrap: 'with' | 'without', end: 'exit' | 'throw' | 'wait', sleep: string) {
  const workspace = await temporaryWorkspace()
  const program = fileURLToPath(new URL('children/run-command.ts', import.meta.url))
  const command = familyCommand(sleep, { forgetful: false })
  const options = ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', program]
  const stdio = ['ignore' as const, 'pipe' as const, 'ignore' as const]
  const runner = spawn(process.execPath, [...options, workspace.root, bubblewrap, end, command], { stdio })
  if (runner.stdout === null) throw new Error('The runner has no output.')
  for await (const line of createInterface({ input: runner.stdout })) if (line === 'ready') break
  return { runner, [Symbol.asyncDispose]: () => workspace.dispose() }
}

describe('when our own process ends', () => {
  test.runIf(fromCi).each(['exit', 'throw'] as const)(
    needing(noNamespace, 'by %s, nothing is left in a namespace'),
    namespaced,
    async (end) => {
      const sleep = rareSleep()
      await using _runner = await startRunner('with', end, sleep)
      await expect.poll(() => processesWith(sleep)).toEqual([])
    },
  )

  test.runIf(fromCi).each(['exit', 'throw'] as const)('by %s, nothing is left in a group', linux, async (end) => {
    const sleep = rareSleep()
    await using _runner = await startRunner('without', end, sleep)
    await expect.poll(() => processesWith(sleep)).toEqual([])
  })

  test(needing(noNamespace, 'by SIGKILL, nothing is left in a namespace'), namespaced, async () => {
    for (let round = 0; round < times({ quick: 1, ci: 5, long: 100 }); round += 1) {
      const sleep = rareSleep()
      await using started = await startRunner('with', 'wait', sleep)
      expect(processesWith(sleep).length).toBeGreaterThan(5)
      started.runner.kill('SIGKILL')
      await expect.poll(() => processesWith(sleep)).toEqual([])
    }
  })

  test.runIf(fromCi)('by SIGKILL, what stayed in the group is gone as well', linux, async () => {
    const sleep = rareSleep()
    await using started = await startRunner('without', 'wait', sleep)
    started.runner.kill('SIGKILL')
    // Four of the family have sessions of their own; nobody is left to look for those.
    const left = () => processesWith(sleep).length
    await expect.poll(left).toBeLessThanOrEqual(5)
    console.log(`strays after SIGKILL without bubblewrap: ${left()}`)
    killAll(processesWith(sleep))
  })
})
