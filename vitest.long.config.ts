import { defineConfig } from 'vitest/config'
import usually, { onSources, projects, usual } from './vitest.config.ts'

// Some try a hundred times as much as in CI, beside others: only what hangs takes an hour.
const long = { ...usual, testTimeout: 3_600_000, env: { ...usual.env, LOADER_TESTS: 'long' } }

// `pnpm test:long`: all tests, each as often as it is ever tried, and those that need a machine of its own.
export default defineConfig({
  ...onSources,
  test: {
    ...usually.test,
    // What some of them count is the point.
    disableConsoleIntercept: true,
    projects: [
      ...projects.map(({ test, ...project }) => ({
        ...project,
        test: { ...test, ...long, ...('typecheck' in test && { typecheck: { ...test.typecheck, enabled: true } }) },
      })),
      {
        ...onSources,
        test: {
          ...long,
          name: 'long',
          include: ['packages/*/test/long/**/*.long.ts'],
          // One file at a time, after all others.
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
