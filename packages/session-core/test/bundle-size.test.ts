import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { needing } from '@loader/test-tier'
import { expect, test } from 'vitest'

/** The part of esbuild that is used here. It comes with tsup, which bundles this package. */
interface Bundler {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly contents: Uint8Array }[] }>
}

const require = createRequire(import.meta.url)
const bundler = createRequire(require.resolve('tsup'))('esbuild') as Bundler
const built = fileURLToPath(new URL('../dist/index.js', import.meta.url))
const isBuilt = existsSync(built)
const named = (name: string) => needing(!isBuilt && 'the package is not built', name)

/** Bytes, compressed, of a program that uses nothing but these names of the built package. */
async function sizeWith(names: string): Promise<number> {
  const contents = `import { ${names} } from ${JSON.stringify(built)}; console.log(${names})`
  const { outputFiles } = await bundler.build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  return gzipSync(outputFiles[0]?.contents ?? '').length
}

test.skipIf(!isBuilt)(named('a program that only knows our errors is bundled without any schema'), async () => {
  expect(await sizeWith('LoaderError')).toBeLessThan(3 * 1024)
})

test.skipIf(!isBuilt)(
  named('a program that keeps sessions in memory is bundled with what that takes, and no more'),
  async () => {
    expect(await sizeWith('Session, MemoryStore, parseEvent')).toBeLessThan(45_000)
  },
)
