import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const app = resolve(import.meta.dirname, '../../../apps/web')

/** The folder of the built page. It is built where no build has been made; `pnpm --dir apps/web build` makes it anew. */
export function builtPage(): string {
  const folder = join(app, 'dist', 'page')
  if (existsSync(join(folder, 'index.html'))) return folder
  const place = mkdtempSync(join(app, 'node_modules', 'page-'))
  execFileSync(join(app, 'node_modules', '.bin', 'vite'), ['build', '--outDir', place, '--logLevel', 'error'], {
    cwd: app,
  })
  try {
    mkdirSync(join(app, 'dist'), { recursive: true })
    renameSync(place, folder)
  } catch (error) {
    rmSync(place, { recursive: true })
    // Another run was faster.
    if (!existsSync(join(folder, 'index.html'))) throw error
  }
  return folder
}
