import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../paths/system-errors.ts'
import { statsOf, textOf } from './entries.ts'

/** Files with these names hold credentials, wherever they lie. */
const credentialFile =
  /^(\.env(\..+)?|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.dockercfg|\.s3cfg|\.boto|credentials(\.(json|toml|db|ya?ml))?|auth\.json|hosts\.ya?ml|secrets?\.(json|toml|ya?ml)|.*_history|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.*\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk)|.*service[-_]account.*\.json)$/i
/** Exceptions: files that hold no credentials in spite of their names. */
const harmlessFile = /^\.env\.(example|sample|template|dist)$|\.pub$/i
const credentialFolder = /^(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store|keyrings)$/
const notLookedInto: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.venv',
  'site-packages',
  'registry',
  'pkg',
  'target',
])

const deepest = 4
const mostFolders = 4000

/**
 * Files and folders with credentials in a folder that is let in: those with telling names, files that only the user may
 * read, and named pipes. Modes are ignored in a folder whose programs only the user may read: there every file is
 * private.
 */
export function credentialsIn(
  folder: string,
  mayBePrivate: (path: string) => boolean = () => true,
): { readonly files: readonly string[]; readonly folders: readonly string[] } {
  const named: string[] = []
  const unread: string[] = []
  const folders: string[] = []
  const pending = [{ path: folder, depth: 0 }]
  let isShared = false
  for (let seen = 0; seen < mostFolders; seen += 1) {
    const next = pending.shift()
    if (next === undefined) break
    for (const entry of entriesIn(next.path)) {
      const path = join(next.path, entry.name)
      if (entry.isFile()) {
        const mode = statsOf(path)?.mode ?? 0
        if (isCredentialFile(entry.name)) named.push(path)
        else if ((mode & 0o111) === 0 && (mode & 0o004) === 0 && mayBePrivate(path)) unread.push(path)
        isShared ||= (mode & 0o005) === 0o005
      }
      // Even on a read-only mount, a command could read from a pipe what others send through it.
      if (entry.isFIFO()) named.push(path)
      if (!entry.isDirectory()) continue
      if (credentialFolder.test(entry.name)) folders.push(path)
      else if (next.depth < deepest && !notLookedInto.has(entry.name)) pending.push({ path, depth: next.depth + 1 })
    }
  }
  return { files: isShared ? [...named, ...unread] : named, folders }
}

function isCredentialFile(name: string): boolean {
  return credentialFile.test(name) && !harmlessFile.test(name)
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}

/** Whether a configuration of git holds a password or a token. */
export function hasSecretInGitConfig(path: string): boolean {
  return /extraheader|\/\/[^/\s]*:[^/\s]*@|(password|token)\s*=/i.test(textOf(path) ?? '')
}

/**
 * What only root may read: commands that run as root without its capabilities still own these files. Looked for in the
 * usual places of a system, two folders deep.
 */
export function rootOnly(): { readonly files: readonly string[]; readonly folders: readonly string[] } {
  const tops = [
    '/etc',
    '/var',
    '/opt',
    '/srv',
    '/boot',
    '/sys/kernel',
    '/var/lib',
    '/var/log',
    '/var/spool',
    '/etc/ssh',
    '/etc/ssl',
  ]
  const files: string[] = []
  const folders: string[] = []
  for (const top of [...tops, ...tops.filter((each) => each !== '/sys/kernel').flatMap(foldersIn)]) {
    for (const { name } of entriesIn(top)) {
      const path = join(top, name)
      const stats = statsOf(path)
      if (stats === undefined || (stats.mode & 0o004) !== 0) continue
      if (stats.isFile() && stats.size > 0) files.push(path)
      if (stats.isDirectory()) folders.push(path)
    }
  }
  return { files: [...new Set(files)], folders: [...new Set(folders)] }
}

function foldersIn(top: string): readonly string[] {
  return entriesIn(top).flatMap((entry) => (entry.isDirectory() ? [join(top, entry.name)] : []))
}
