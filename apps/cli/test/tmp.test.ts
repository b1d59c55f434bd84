import { temporaryWorkspace } from '@loader/test-harness'
import { test } from 'vitest'
import { workedSession } from './written/worked-session.ts'
import { loader } from './written/fake-console.ts'
test('x', async () => {
  await using workspace = await temporaryWorkspace()
  const { id } = await workedSession(workspace)
  for (const words of process.env.W!.split('|')) {
    const r = await loader(words.split(' '), { folder: workspace.root, columns: Number(process.env.COLS ?? 80) })
    console.log(`$ loader ${words} -> ${r.code}\n${r.out}${r.err}`)
  }
})
