import { defineConfig } from 'vitest/config'
import usually, { onSources, projects, usual } from './vitest.config.ts'

const env = { ...usual.env, LOADER_TESTS: 'long' }

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
        test: { ...test, env, ...('typecheck' in test && { typecheck: { ...test.typecheck, enabled: true } }) },
      })),
      {
        ...onSources,
        test: { ...usual, env, name: 'long', include: ['packages/*/test/long/**/*.long.ts'], fileParallelism: false },
      },
    ],
  },
})
