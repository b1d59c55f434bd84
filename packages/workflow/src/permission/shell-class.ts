import { type Level, worstFirst } from './shell/level.ts'
import { readShell } from './shell/read-shell.ts'
import type { ReadCommand, ShellReading } from './shell/reading.ts'

/**
 * What a shell command may do: only look, change files in the workspace that it names, anything, or harm beyond the
 * workspace. Only what is understood in full is a probe.
 */
export interface ShellClass {
  readonly class: 'probe' | 'write' | 'unknown' | 'danger'
  /** The same in finer steps, on which permits rest. */
  readonly level: Level
  /** Which part led to it, the worst first. */
  readonly reasons: readonly ShellReason[]
}

export interface ShellReason {
  readonly level: Level
  /** The part of the command, shortened. */
  readonly part: string
  readonly why: string
}

/** `root` is the real path of the workspace; without it, every absolute path counts as outside. */
export function shellClass(command: string, { root }: { readonly root?: string } = {}): ShellClass {
  return shellClassOf(findings(readShell(command, root === undefined ? {} : { root })))
}

export function shellClassOf(found: readonly Finding[]): ShellClass {
  const reasons = worstFirst(found).map(({ level, part, why }) => ({ level, part: shortened(part), why }))
  const level = reasons[0]?.level ?? 'probe'
  return { class: classes[level], level, reasons }
}

const classes = {
  probe: 'probe',
  write: 'write',
  run: 'unknown',
  ask: 'unknown',
  danger: 'danger',
  ruin: 'danger',
} as const satisfies Record<Level, ShellClass['class']>

/** One part of what a call can lead to. */
export interface Finding {
  readonly level: Level
  readonly part: string
  readonly why: string
  /** It runs something that cannot be read. */
  readonly hides?: true
  /** It takes the folder of the runtime away, along with everything else. */
  readonly sweeps?: true
  /** The command that it is, if it is one. */
  readonly command?: ReadCommand
}

/** Everything that was found in a command line, with what follows from its parts taken together. */
export function findings({ commands, constructs }: ShellReading): Finding[] {
  const found = [...commands.map((command) => ({ ...command.judgement, part: command.text, command })), ...constructs]
  const wanderer = found.find(({ wanders }) => wanders)
  const settled = wanderer === undefined ? found : found.map((one) => elsewhere(one, wanderer.part))
  const fetcher = found.find(({ fetches }) => fetches)
  const runner = found.find(({ runsInput }) => runsInput)
  if (fetcher === undefined || runner === undefined) return settled
  return [...settled, { level: 'danger', part: runner.part, why: `may run what ${fetcher.part} fetches` }]
}

/** What changes something may do so anywhere, once the line has left the workspace. */
function elsewhere<Part extends Finding>(found: Part, leaving: string): Part {
  if (found.level !== 'write' && found.level !== 'run') return found
  return { ...found, level: 'ask', why: `${found.why}, perhaps outside the workspace: ${leaving}` }
}

function shortened(part: string): string {
  return part.length <= 120 ? part : `${part.slice(0, 119)}…`
}
