import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Tests run on the sources of every package: no build has to come first. The conditions are repeated in each
// project because inline projects do not inherit them.
export const onSources = {
  resolve: { conditions: ['@loader/source', 'module', 'node', 'development|production'] },
  ssr: {
    resolve: {
      conditions: ['@loader/source', 'module', 'node', 'development|production'],
      externalConditions: ['@loader/source', 'node'],
    },
  },
}

// A machine may be busy with other things. What is late by then does not come at all; no test is about time.
export const usual = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 120_000 } },
  // Files share what they import, which is a third of the time of a run. So a test gives back what it changes of its
  // process, and a module that tests import keeps nothing that another test would see.
  isolate: false,
  // No test leaves anything among the projects of the user who runs it.
  setupFiles: [fileURLToPath(new URL('vitest.setup.ts', import.meta.url))],
  // Processes that tests start run the sources as they are: none of them has to compile what another one has compiled.
  env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/loader-tests', import.meta.url)) },
}

export const projects = [
  {
    ...onSources,
    test: {
      ...usual,
      name: 'packages',
      include: ['packages/*/test/**/*.test.ts'],
      // In longer runs: it compiles everything, and `pnpm typecheck` has refused by then what it would refuse.
      typecheck: { include: ['packages/*/test/**/*.test-d.ts'], tsconfig: './tsconfig.all.json' },
    },
  },
  { ...onSources, test: { ...usual, name: 'apps', include: ['apps/*/test/**/*.test.ts'] } },
]

export default defineConfig({
  ...onSources,
  test: {
    // More than there are cores: many tests wait for a process or for the disk.
    maxWorkers: availableParallelism() + 2,
    coverage: { provider: 'v8', include: ['packages/*/src/**', 'apps/*/src/**'] },
    projects,
  },
})
