import { type Server, sharedServer } from '@loader/test-postgres'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'

let server: Server
beforeAll(async () => {
  server = await sharedServer()
})

test('the program of the README runs as it is printed', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const [, program = ''] = /```js\n(.*?)```/s.exec(readme) ?? []
  // Beside the tests, where the packages that it names are found.
  const folder = await mkdtemp(join(fileURLToPath(new URL('.', import.meta.url)), 'readme-'))
  try {
    await writeFile(join(folder, 'program.mjs'), program)
    const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'program.mjs')], {
      encoding: 'utf8',
      env: {
        ...process.env,
        DATABASE_URL: await server.database(),
        NODE_OPTIONS: '--conditions=@loader/source --disable-warning=ExperimentalWarning',
      },
    })
    expect({ stdout, stderr }).toEqual({ stdout: '1\n', stderr: '' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
