import fileSystem from 'node:fs'
import { type CommitMode, type FileSystem, FileSessionStore } from '@loader/session-fs'
import { call, line, ScriptedBackend, type ScriptLine, temporaryWorkspace } from '@loader/test-harness'
import { fromCi, sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { Agent } from '../src/index.ts'
import { localOptions } from '../src/local.ts'
import { toldTrees } from './scene/told-trees.ts'
import { withoutTrees } from './scene/without-trees.ts'

const syncs = new Set(['fsyncSync', 'fdatasyncSync', 'fsync', 'fdatasync'])

interface CountedFileSystem {
  readonly fileSystem: FileSystem
  readonly flushes: number
}

/** The file system of this machine, and how often a session asked it to be sure. */
function countedFileSystem(): CountedFileSystem {
  let flushes = 0
  const counted = new Proxy<FileSystem>(fileSystem, {
    get(target, key: keyof FileSystem) {
      if (syncs.has(key)) flushes += 1
      return target[key]
    },
  })
  return {
    fileSystem: counted,
    get flushes() {
      return flushes
    },
  }
}

/** How many flushes lie between the requests of a run, one number for each answer. */
async function flushesBetween(
  commit: CommitMode,
  task: string,
  ...answers: readonly ReturnType<typeof line>[]
): Promise<number[]> {
  await using workspace = await temporaryWorkspace({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } })
  const disk = countedFileSystem()
  const store = new FileSessionStore({ root: workspace.root }, { fileSystem: disk.fileSystem, commit })
  const seen: number[] = []
  const counted = [...answers, line('Done.')].map((answer): ScriptLine => {
    return () => {
      seen.push(disk.flushes)
      return answer
    }
  })
  const backend = new ScriptedBackend(...counted)
  const options = localOptions({
    backend,
    projectRoot: workspace.root,
    store,
    walls: { use: 'off' },
    config: { permissionMode: 'allow' },
  })
  const told = { ...withoutTrees(options.workspace), trees: toldTrees() }
  await using agent = new Agent({ ...options, workspace: fromCi ? options.workspace : told })
  await agent.run(task)
  return seen.slice(1).map((count, index) => count - (seen[index] ?? 0))
}

const task = 'Create the files.'
const question = 'Explain what is in the files.'
const commands = (count: number) =>
  Array.from({ length: count }, (_unused, index) => call('bash', { command: `echo ${index} >> log` }))
const writes = (count: number) =>
  Array.from({ length: count }, (_unused, index) => call('write', { file_path: `${index}.txt`, content: 'x\n' }))
const reads = [
  call('read', { file_path: 'a.txt' }),
  call('read', { file_path: 'b.txt' }),
  call('glob', { pattern: '*' }),
]
const first = line('First.', call('write', { file_path: 'first.txt', content: 'x\n' }))

describe.each(sample<CommitMode>(['inline', 'pool', 'auto'], { quick: 1 }))('flushes, committing %s', (commit) => {
  test.each([1, 3, 10])(
    '%i calls in a row cost two more than there are calls: one while their files are looked at',
    async (count) => {
      const [, ofCommands, ofWrites] = await flushesBetween(
        commit,
        task,
        first,
        line('Run.', ...commands(count)),
        line('Write.', ...writes(count)),
      )
      expect({ ofCommands, ofWrites }).toEqual({ ofCommands: count + 2, ofWrites: count + 2 })
    },
  )

  test('calls that merely look run together, and cost two', async () => {
    expect(await flushesBetween(commit, question, line('Look.', ...reads))).toEqual([2])
  })

  test('the first change of a turn costs no more, for what comes before the look at the workspace goes along with the call', async () => {
    expect(await flushesBetween(commit, task, line('One.', ...writes(4)))).toEqual([6])
  })
})
