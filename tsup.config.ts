import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { defineConfig, type Options } from 'tsup'
import { withoutMeanings } from './packages/session-core/scripts/without-meanings.ts'

// The one bundler setting of all packages: tsup finds this file from a package's folder by looking upwards.
// What to build is read off the package's own `exports`: every target of the `@loader/source` condition.
type Manifest = { exports?: Record<string, string | { '@loader/source'?: string }> }

const { exports = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const entry = Object.values(exports).flatMap((target) =>
  typeof target === 'string' ? [] : (target['@loader/source'] ?? []),
)

const meaningsLeftOut: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'meanings-left-out',
  setup(build) {
    build.onLoad({ filter: /[/\\]session-core[/\\]src[/\\].*\.ts$/ }, async ({ path }) => ({
      contents: withoutMeanings(await readFile(path, 'utf8')),
      loader: 'ts',
    }))
  },
}

export default defineConfig({
  entry,
  esbuildPlugins: [meaningsLeftOut],
  format: ['esm'],
  // tsc writes the declarations: tsup's own way needs a compiler interface that TypeScript 7 does not have.
  dts: false,
  sourcemap: true,
  clean: true,
  target: 'node20.19',
  // `node:sqlite` and others have no name without the prefix.
  removeNodeProtocol: false,
})
