import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

export interface RunAsUser {
  readonly command: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The command behind `!`, run as the user; behind `!!`, what it prints is put into the input as well. */
export function readBang(line: string): { readonly command: string; readonly isKept: boolean } | undefined {
  const [, twice = '', command = ''] = /^!(!?)\s*([^]*\S)\s*$/.exec(line) ?? []
  return command === '' ? undefined : { command, isKept: twice !== '' }
}

/**
 * Runs a command with the terminal, as if it were typed in the user's own shell: no permission is asked, and there are
 * no walls. Ctrl-C is for the command. Returns its exit code; null if a signal ended it or it could not be started.
 */
export function runWithTerminal({ command, folder, environment }: RunAsUser): Promise<number | null> {
  const child = spawn(command, { shell: shellOf(environment), stdio: 'inherit', cwd: folder })
  return endOf(child)
}

/** The same, and returns what was printed too; it reaches the terminal as it comes. */
export async function runKept(
  options: RunAsUser,
  write: (text: string) => void,
): Promise<readonly [number | null, string]> {
  const { command, folder, environment } = options
  const child = spawn(command, { shell: shellOf(environment), stdio: ['inherit', 'pipe', 'pipe'], cwd: folder })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      printed += text
      write(text)
    })
  }
  return [await endOf(child), stripVTControlCharacters(printed)]
}

async function endOf(child: ReturnType<typeof spawn>): Promise<number | null> {
  // The terminal sends Ctrl-C to all who use it.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  try {
    return await new Promise((resolve) => {
      child.on('close', resolve)
      child.on('error', () => resolve(null))
    })
  } finally {
    process.off('SIGINT', ignore)
  }
}

function shellOf(environment: RunAsUser['environment']): string | true {
  return process.platform === 'win32' ? true : environment['SHELL'] || true
}
