import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

export type { Browser, BrowserContext, Page } from 'playwright-core'

/** Why a test cannot look at a page; undefined where it can. Tests that are skipped have it in their name. */
export const whyNoBrowser: string | undefined = program() === undefined ? 'Chromium is not installed' : undefined

/** The Chromium of the system. Close it, or dispose of it. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = program()
  if (executablePath === undefined) throw new Error('There is no Chromium here: apt-get install chromium')
  // As root, in a container, its own walls cannot be built.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
}

function program(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders
    .flatMap((folder) => ['chromium', 'chromium-browser'].map((name) => join(folder, name)))
    .find(existsSync)
}
