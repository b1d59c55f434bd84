import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const app = resolve(import.meta.dirname, '../..')

/** The probe, built as the page is. */
export async function builtProbe(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'loader-probe-'))
  await build({
    configFile: join(app, 'vite.config.ts'),
    root: join(import.meta.dirname, 'probe'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  })
  return outDir
}
