import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const program = readme.slice(readme.indexOf('```js\n') + 6, readme.lastIndexOf('```'))

test('the README stays within 40 lines, and its program within 20', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
})

test('the program of the README does what it says', async () => {
  await using folder = await temporaryWorkspace()
  const path = folder.path('program.mjs')
  const resolved = program.replaceAll(
    /from '(@loader\/[a-z-]+)'/g,
    (_, name: string) => `from '${import.meta.resolve(name)}'`,
  )
  await writeFile(path, resolved)
  const run = spawnSync(
    process.execPath,
    ['--conditions=@loader/source', '--disable-warning=ExperimentalWarning', path],
    {
      cwd: folder.root,
      encoding: 'utf8',
    },
  )
  expect({ stderr: run.stderr, stdout: run.stdout }).toEqual({
    stderr: '',
    stdout:
      'write true --- /dev/null\n+++ hello.txt\n@@ -0,0 +1,1 @@\n+Hello\n\n' +
      'Edited hello.txt at line 1; matched exactly.\nHello\n\n',
  })
})
