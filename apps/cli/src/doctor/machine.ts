import { platform } from 'node:os'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { wrongNode } from './needed-node.ts'
import type { DoctorCheck } from '../schemas/doctor.ts'

/** Checks the system, and the programs that Loader uses if they are installed. */
export async function machineChecks(environment: Readonly<Record<string, string | undefined>>): Promise<DoctorCheck[]> {
  const [git, ripgrep, bubblewrap] = await Promise.all(
    ['git', 'rg', 'bwrap'].map((name) => programVersion(name, environment)),
  )
  return [
    nodeCheck(process.versions.node),
    found(
      'git',
      git,
      'warning',
      'not found: no trees of your files are kept, so there is no undo, no diff and no evidence; the git tool does not work',
    ),
    found('ripgrep', ripgrep, 'note', 'not found: searching works without it, only slower'),
    ...(platform() === 'linux' && bubblewrap !== undefined ? [found('bubblewrap', bubblewrap, 'note', '')] : []),
  ]
}

export function nodeCheck(version: string): DoctorCheck {
  const wrong = wrongNode(version)
  return { name: 'node', state: wrong === undefined ? 'ok' : 'failure', message: wrong ?? version }
}

function found(name: string, version: string | undefined, otherwise: 'note' | 'warning', missing: string): DoctorCheck {
  return version === undefined ? { name, state: otherwise, message: missing } : { name, state: 'ok', message: version }
}

const run = promisify(execFile)

/** A program that does not answer in this time counts as missing. */
const patienceMs = 5000

/** The version that a program reports; undefined if it cannot be run. */
async function programVersion(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  try {
    const { stdout } = await run(name, ['--version'], { timeout: patienceMs, env: environment, windowsHide: true })
    return /\d+(?:\.\d+)+\S*/.exec(stdout)?.[0] ?? stdout.split('\n')[0]?.trim()
  } catch (error) {
    // Any failure means that the program cannot be used.
    if (error instanceof Error) return undefined
    throw error
  }
}
