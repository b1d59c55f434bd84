import { defineConfig } from 'vitest/config'
import { onSources } from './vitest.config.ts'

// `pnpm test:long`: what takes long or needs a machine of its own. Nothing else is repeated, but for tests that only
// differ in how often they try.
export default defineConfig({
  ...onSources,
  test: {
    include: ['packages/*/test/long/**/*.long.ts', 'packages/session-fs/test/processes*.test.ts'],
    env: { LOADER_KILLS: '1000' },
    // What they count is the point.
    disableConsoleIntercept: true,
    fileParallelism: false,
  },
})
