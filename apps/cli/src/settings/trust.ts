import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { editFile } from './edit-file.ts'
import { readJsonFile } from './json-file.ts'

const Trusted = z.strictObject({ folders: z.array(z.string()) })

/** Whether the user trusts this project to allow calls. Stored outside the project. A folder that is gone is not trusted. */
export function isTrusted(config: string, root: string): boolean {
  return existsSync(root) && trustedFolders(config).includes(realpathSync(root))
}

export function setTrust(config: string, root: string, trust: 'trusted' | 'not trusted'): void {
  const folder = realpathSync(root)
  editFile(fileIn(config), () => {
    const others = trustedFolders(config).filter((other) => other !== folder)
    const folders = trust === 'trusted' ? [...others, folder].toSorted() : others
    return `${JSON.stringify({ folders }, null, 2)}\n`
  })
}

function trustedFolders(config: string): readonly string[] {
  return readJsonFile(fileIn(config), Trusted)?.folders ?? []
}

function fileIn(config: string): string {
  return join(config, 'trusted.json')
}
