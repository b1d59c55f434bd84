import type { ChildProcess } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { basename } from 'node:path'
import { call, line } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { stage } from './scene/stage.ts'

/** The programs of this name that this process starts meanwhile. */
async function started(name: string, work: () => Promise<unknown>): Promise<readonly (readonly string[])[]> {
  const children: ChildProcess[] = []
  const note = (message: unknown) => {
    if (isStart(message)) children.push(message.process)
  }
  subscribe('child_process', note)
  try {
    await work()
  } finally {
    unsubscribe('child_process', note)
  }
  return children.filter(({ spawnfile }) => basename(spawnfile) === name).map(({ spawnargs }) => spawnargs)
}

function isStart(message: unknown): message is { readonly process: ChildProcess } {
  return typeof message === 'object' && message !== null && 'process' in message
}

const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node test.js" } }\n',
  'test.js': "import './sum.js'\n",
  'sum.js': 'export const sum = (a, b) => a - b\n',
  'src/deep/c.txt': 'c\n',
}

/**
 * A turn looks three times: before its first change, after the command, and before the check. Where a folder has changed
 * only just before a look, what needs it asks once more. The first turn asks for the rules of the user as well, and for the
 * list of files in their repository.
 */
const most = { first: 8, further: 6 }

test.each(['no repository', 'a repository of git'])(
  'a turn with a command and a check starts git a few times only, in a project with %s',
  async (kind) => {
    const turn = (value: string) => [
      line(
        'I do it.',
        call('bash', { command: `echo 'export const sum = ${value}' > sum.js && echo ${value} > new.txt` }),
      ),
      line('Ended.'),
    ]
    const lines = [...turn('1'), ...turn('2')]
    const doneWhen = { doneWhen: [{ command: 'node test.js' }] }
    await using set = await stage(lines, { files, config: { permissionMode: 'allow' }, trees: 'kept' })
    if (kind !== 'no repository') {
      const at = { cwd: set.place.workspace.root }
      execFileSync('git', ['init', '-q'], at)
      execFileSync('git', ['add', '-A'], at)
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', 'commit', '-qm', 'start'], at)
    }
    const first = await started('git', () => set.agent.run('Change the sum.', doneWhen))
    const further = await started('git', () => set.agent.run('Change it again.', doneWhen))
    expect(set.agent.session.state?.evidence?.length).toBeGreaterThan(1)
    expect(first.length).toBeGreaterThan(0)
    expect(first.slice(most.first)).toEqual([])
    expect(further.slice(most.further)).toEqual([])
  },
)
