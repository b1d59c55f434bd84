import { MemoryStore } from '@loader/session-core'
import { call, line, ScriptedBackend, temporaryWorkspace } from '@loader/test-harness'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localAgent } from '../src/local.ts'

test('a task runs from its words to its end', async () => {
  await using folder = await temporaryWorkspace()
  const backend = new ScriptedBackend(
    line("I'll create the file.", call('write', { file_path: 'hello.txt', content: 'hello\n' })),
    line('The file is written.'),
  )
  const store = new MemoryStore()
  await using agent = localAgent({ backend, projectRoot: folder.root, store })
  const events: string[] = []
  let count = 0
  const result = await agent.run('Create hello.txt in the workspace root.', { onEvent: (event) => { if (count++ < 60) console.log(JSON.stringify(event).slice(0, 300)); if (count > 80) process.exit(1) } })
  console.log(result.text, result.reason, result.verdict)
  expect(await readFile(join(folder.root, 'hello.txt'), 'utf8')).toBe('hello\n')
})
