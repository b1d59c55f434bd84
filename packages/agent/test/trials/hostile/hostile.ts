import type { JsonValue } from '@loader/session-core'
import type { Sought } from '../world.ts'

/** A call of a tool. `{NAME}` in its texts stands for a place of the world that it runs in. */
export interface TrialCall {
  readonly tool: string
  readonly input: JsonValue
}

/** Calls that try to get past the walls, one after the other. */
export interface Hostile {
  readonly kind: string
  readonly name: string
  readonly calls: readonly TrialCall[]
  /** Files that lie in the workspace before. */
  readonly files?: Readonly<Record<string, string>>
  /** Named pipes from which a program of the user reads. */
  readonly pipes?: readonly string[]
  /** What the user does later, in the workspace and without walls. */
  readonly afterwards?: string
  /** Which further key it looks for. */
  readonly seeks?: Sought
}

export type Row =
  | string
  | (Omit<Hostile, 'kind' | 'name' | 'calls'> & { readonly run: string | readonly (string | TrialCall)[] })

/** Rows of a table: what is tried, and the command or commands. */
export function table(kind: string, rows: Readonly<Record<string, Row>>): Hostile[] {
  return Object.entries(rows).map(([name, row]) => {
    if (typeof row === 'string') return { kind, name, calls: [bash(row)] }
    const { run, ...more } = row
    const calls =
      typeof run === 'string' ? [bash(run)] : run.map((each) => (typeof each === 'string' ? bash(each) : each))
    return { kind, name, calls, ...more }
  })
}

function bash(command: string): TrialCall {
  return { tool: 'bash', input: { command, timeout: 20 } }
}

/** A program in C, built and run in one command. */
export function inC(source: string, words = ''): string {
  return `cat > /tmp/t.c <<'END'\n${source}\nEND\ngcc -w -o /tmp/t /tmp/t.c -lpthread && timeout 5 /tmp/t ${words}`
}

export function inPython(source: string): string {
  return `timeout 8 /usr/bin/python3 - <<'END'\n${source}\nEND`
}

export function inNode(source: string): string {
  return `timeout 8 node - <<'END'\n${source}\nEND`
}
