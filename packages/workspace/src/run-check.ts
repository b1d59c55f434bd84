import type { Signal } from '@loader/session-core'
import type { Check, CheckRun } from '@loader/session-core/coding'
import { commandFolder } from './processes/command-folder.ts'
import { endingNotes, signalOf } from './processes/ending-text.ts'
import { checkOutputCap, unattended } from './processes/unattended.ts'
import type { EndedWalledCommand } from './walls/walls.ts'
import type { WallsAround } from './walls/walls-around.ts'
import { withheldNotes } from './walls/withheld.ts'

export interface RunCheckOptions {
  readonly root: string
  readonly walls: WallsAround
  /** For checks that do not say how long they may run. */
  readonly timeoutMs: number
  readonly now: () => string
  readonly signal?: Signal | undefined
  readonly onOutput?: ((chunk: string) => void) | undefined
}

/** Runs a check. It passes only if its command ends by itself with exit code 0. */
export async function runCheck(check: Check, options: RunCheckOptions): Promise<CheckRun> {
  const startedAt = options.now()
  const folder = commandFolder(options.root, check.cwd ?? '.')
  if (typeof folder === 'string') {
    return { outcome: 'failed', exitCode: null, output: `[${folder}]`, startedAt, finishedAt: options.now() }
  }
  const timeoutMs = check.timeoutMs ?? options.timeoutMs
  const request = {
    variables: unattended,
    command: check.command,
    cwd: folder.path,
    timeoutMs,
    cap: checkOutputCap,
    signal: options.signal,
    onOutput: options.onOutput,
  }
  const ended = await options.walls.run(request, 'work')
  return { ...shown(ended, timeoutMs), startedAt, finishedAt: options.now() }
}

function shown(ended: EndedWalledCommand, timeoutMs: number): Omit<CheckRun, 'startedAt' | 'finishedAt'> {
  const { ending, output } = ended
  const signal = signalOf(ending)
  const notes = [...endingNotes(ended, timeoutMs), ...withheldNotes(ended, 'work')].map((note) => `[${note}]`)
  return {
    outcome: outcomeOf(ended),
    exitCode: ending.how === 'exited' ? ending.exitCode : null,
    ...(signal === undefined ? {} : { signal }),
    output: [output.text().trimEnd(), ...notes].filter((part) => part !== '').join('\n'),
    outputDigest: output.digest(),
  }
}

function outcomeOf({ ending }: EndedWalledCommand): CheckRun['outcome'] {
  if (ending.how === 'cancelled') return 'interrupted'
  return ending.how === 'exited' && ending.exitCode === 0 ? 'passed' : 'failed'
}
