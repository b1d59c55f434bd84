import { mkdirSync } from 'node:fs'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { loader } from './written/fake-console.ts'

/** A name as an archive or a repository may bring it along: it would clear the screen, and turn what follows around. */
const name = 'a\u001b[2J\u202eb'

test.for([
  [['config']],
  [['doctor']],
  [['export', 'absent', '-o', name]],
  [['import', name]],
  [['permissions', 'add', 'deny', `Bash(${name})`]],
  [['permissions', 'explain', name]],
  [['permissions', 'list']],
  [['permissions', 'remove', 'deny', name]],
  [['permissions', 'trust']],
  [['permissions', 'trust', '--revoke']],
  [['sessions']],
  [['show', name]],
  [['show', `--${name}`]],
  [['status']],
  [['--mode', name]],
  [[`--${name}`]],
  [['-C', name]],
  [['help', name]],
] as const)('a folder, and words, with marks that a terminal obeys are shown: %j', async ([words]) => {
  await using workspace = await temporaryWorkspace({
    files: { [`${name}/.loader/permission-rules.json`]: `{ "allow": ["Bash(ls)"] }` },
  })
  const folder = workspace.path(name)
  mkdirSync(`${folder}/config`)
  const { out, err } = await loader(words, { folder, environment: { PATH: process.env['PATH'] ?? '' } })
  expect(out + err).not.toBe('')
  for (const mark of ['\u001b', '\u202e']) expect(out + err).not.toContain(mark)
})
