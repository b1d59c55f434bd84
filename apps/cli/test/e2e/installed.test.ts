import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { builtLoader } from './stage/built-loader.ts'
import { loaderNode } from './stage/stage.ts'

const npm = {
  HOME: '/nonexistent',
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
}

test.runIf(fromCi)('the packed command is installed with npm alone, brings nothing along, and runs', async () => {
  await using workspace = await temporaryWorkspace()
  const environment = { ...process.env, ...npm, npm_config_cache: workspace.path('cache') }
  const run = (words: readonly string[], cwd: string) =>
    execFileSync('npm', words, { cwd, env: environment, stdio: 'pipe', encoding: 'utf8' })
  const packed =
    run(['pack', '--pack-destination', workspace.root], dirname(dirname(builtLoader())))
      .trim()
      .split('\n')
      .at(-1) ?? ''
  const prefix = workspace.path('global')
  run(['install', '--global', '--offline', '--prefix', prefix, workspace.path(packed)], workspace.root)
  const modules = join(prefix, 'lib', 'node_modules', '@loader', 'cli')
  expect(readdirSync(modules).toSorted()).toEqual(expect.arrayContaining(['dist', 'package.json']))
  expect(readdirSync(modules)).not.toContain('node_modules')
  const loader = join(prefix, 'bin', 'loader')
  for (const words of [['--version'], ['permissions', 'explain', 'git push'], ['sessions', '--json']]) {
    const started = spawnSync(loaderNode, [loader, ...words], {
      cwd: workspace.root,
      env: environment,
      encoding: 'utf8',
    })
    expect([words, started.status, started.stderr]).toEqual([words, 0, ''])
  }
})
