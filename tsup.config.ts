import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

// The one bundler setting of all packages: tsup finds this file from a package's folder by looking upwards.
// What to build is read off the package's own `exports`: every target of the `@loader/source` condition.
type Manifest = { exports?: Record<string, string | { '@loader/source'?: string }> }

const { exports = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const entry = Object.values(exports).flatMap((target) =>
  typeof target === 'string' ? [] : (target['@loader/source'] ?? []),
)

export default defineConfig({
  entry,
  format: ['esm'],
  // tsc writes the declarations: tsup's own way needs a compiler interface that TypeScript 7 does not have.
  dts: false,
  sourcemap: true,
  clean: true,
  target: 'node20.19',
  // `node:sqlite` and others have no name without the prefix.
  removeNodeProtocol: false,
})
