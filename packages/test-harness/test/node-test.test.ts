import { spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { existsSync, realpathSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { needing } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../src/index.ts'

const packages = fileURLToPath(new URL('../..', import.meta.url))
// What users have, when it is not the Node that runs this.
const node = process.env['HOST_NODE'] || process.execPath
const isBuilt = existsSync(`${packages}/test-harness/dist/index.js`)

test.skipIf(!isBuilt)(
  needing(!isBuilt && 'the package is not built', 'the built package works under node:test where there is no vitest'),
  async () => {
    await using project = await temporaryWorkspace({ files: { 'package.json': '{ "type": "module" }' } })
    await install(project, 'session-core')
    await install(project, 'test-harness')
    await symlink(realpathSync(`${packages}/test-harness/node_modules/zod`), project.path('node_modules/zod'))
    const loop = await readFile(new URL('../examples/own-loop.ts', import.meta.url), 'utf8')
    const smoke = await readFile(new URL('node-test/smoke.mjs', import.meta.url), 'utf8')
    await project.write('examples/own-loop.mjs', stripTypeScriptTypes(loop))
    await project.write('test/node-test/smoke.mjs', smoke.replace('own-loop.ts', 'own-loop.mjs'))

    expect(run(project, ['--input-type=module', '--eval', "await import('vitest')"])).toContain('ERR_MODULE_NOT_FOUND')
    expect(run(project, ['--test', '--test-reporter=tap', 'test/node-test/smoke.mjs'])).toMatch(
      /^# pass 3$[^]*^# fail 0$/m,
    )
  },
)

/** As npm would: what is published, without what the workspace links to it. */
async function install(project: TemporaryWorkspace, name: string): Promise<void> {
  const folder = project.path('node_modules/@loader', name)
  await mkdir(folder, { recursive: true })
  await cp(`${packages}/${name}/dist`, `${folder}/dist`, { recursive: true })
  const manifest = JSON.parse(await readFile(`${packages}/${name}/package.json`, 'utf8'))
  const { exports } = manifest.publishConfig
  await writeFile(`${folder}/package.json`, JSON.stringify({ name: manifest.name, type: 'module', exports }))
}

function run(project: TemporaryWorkspace, args: readonly string[]): string {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...env } = process.env
  const { stdout, stderr } = spawnSync(node, args, { cwd: project.root, env, encoding: 'utf8' })
  return stdout + stderr
}
