import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { removeLayer, tableLine } from './layers.ts'
import { sealTable } from './sealed.ts'

export interface OverlayPrograms {
  readonly unshare: string
  readonly mount: string
}

/** Programs that have worked in this process. Failures are not cached: the user may repair the cause meanwhile. */
const worked = { walls: new Set<string>(), filter: new Set<string>() }

async function onceItWorks(
  known: Set<string>,
  program: string,
  attempt: () => Promise<true | string>,
): Promise<true | string> {
  if (known.has(program)) return true
  const works = await attempt()
  if (works === true) known.add(program)
  return works
}

/** Whether bubblewrap can make the mounts and namespaces of walls, or its error message. */
export function tryBubblewrap(bubblewrap: string): Promise<true | string> {
  const words =
    '--unshare-user --unshare-pid --unshare-ipc --unshare-net --die-with-parent --new-session --cap-drop ALL --ro-bind / / --dev /dev --proc /proc --tmpfs /run'
  const test = ['/bin/sh', '-c', 'test "$$" -lt 10 && ! touch /loader-try 2>/dev/null']
  return onceItWorks(worked.walls, bubblewrap, () => tried(bubblewrap, [...words.split(' '), '--', ...test]))
}

/** Whether the kernel accepts a filter of system calls, or the error message. */
export function tryFilter(bubblewrap: string, filter: Uint8Array): Promise<true | string> {
  return onceItWorks(worked.filter, bubblewrap, () => triedFilter(bubblewrap, filter))
}

function triedFilter(bubblewrap: string, filter: Uint8Array): Promise<true | string> {
  const words = ['--unshare-user', '--ro-bind', '/', '/', '--seccomp', '3', '--', '/bin/sh', '-c', 'true']
  return new Promise((resolve) => {
    const child = spawn(bubblewrap, words, { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
    let said = ''
    child.stderr?.on('data', (chunk: Uint8Array) => (said += Buffer.from(chunk).toString('utf8')))
    const input = child.stdio[3]
    // A process that ends before reading everything reports the reason itself.
    if (input instanceof Writable) input.on('error', () => undefined).end(filter)
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code) => resolve(code === 0 || complaintIn(said) || `it ended with ${code}`))
  })
}

/** Whether layers can be mounted in their folder, or the error message. */
export async function tryOverlays({ unshare, mount }: OverlayPrograms, folder = tmpdir()): Promise<true | string> {
  const place = mkdtempSync(join(folder, 'loader-try-'))
  try {
    const [path = '', upper = '', work = ''] = ['lower', 'upper', 'work'].map((name) => join(place, name))
    for (const each of [path, upper, work]) mkdirSync(each)
    writeFileSync(join(path, 'file'), '1')
    writeFileSync(join(place, 'table'), tableLine({ path, upper, work }, 'change'))
    const script = '"$1" --all --fstab "$2" && echo 2 > "$3/file" && ls "$4/file"'
    const flags = ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', script, 'sh']
    return await tried(unshare, [...flags, mount, join(place, 'table'), path, upper])
  } finally {
    removeLayer(place)
  }
}

/** Those folders over which an overlay can be mounted here: not every file system can be a lower layer. */
export async function trySeals(
  { unshare, mount }: OverlayPrograms,
  folders: readonly string[],
  folder = tmpdir(),
): Promise<readonly string[]> {
  const place = mkdtempSync(join(folder, 'loader-try-'))
  const attempt = async (those: readonly string[]) => {
    const sealed = those.map((path, index) => ({ path, from: join(place, `sealed-${index}`) }))
    const none = join(place, 'none')
    const script = '"$1" --all --fstab "$2"'
    const flags = ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', script, 'sh']
    for (const path of [none, ...sealed.map(({ from }) => from)]) mkdirSync(path, { recursive: true })
    writeFileSync(join(place, 'table'), sealTable(sealed, none))
    return (await tried(unshare, [...flags, mount, join(place, 'table')])) === true
  }
  try {
    if (await attempt(folders)) return folders
    const good: string[] = []
    for (const each of folders) if (await attempt([each])) good.push(each)
    return good
  } finally {
    removeLayer(place)
  }
}

function tried(program: string, words: readonly string[]): Promise<true | string> {
  return new Promise((resolve) => {
    execFile(program, words, { timeout: 5000, killSignal: 'SIGKILL', cwd: '/', env: {} }, (error, _, errors) => {
      if (error === null) return resolve(true)
      resolve(complaintIn(errors) || error.message)
    })
  })
}

/** The first line of the errors; later advice is for other systems than this one. */
function complaintIn(errors: string): string {
  const [line = ''] = errors.trim().split('\n')
  return line.replace(/^bwrap: /, '').replace(/\. .*$|\.$/, '')
}
