import type { LineStyle } from '../screen/event-lines.ts'
import { hanging } from '../screen/hanging.ts'

/** Commands that can be typed instead of a task. Help and completion are generated from this. */
export const slashCommands = {
  help: 'what can be typed',
  mode: 'clarify, plan, execute, verify or explore: for the next task',
  model: 'choose the model to go on with; by name: /model ollama/qwen3:8b',
  thinking: 'how much the model thinks: /thinking off, low, medium, high or auto; also Ctrl-T',
  compact: 'fold older messages into a summary; words after it say what to dwell on',
  permissions: 'show the rules; what would happen: /permissions git push; add, remove, trust',
  timeline: 'what the runtime decided, and why',
  why: 'why the last turn ended as it did',
  evidence: 'what checks have shown',
  status: 'where this session stands: model, policy, open work',
  config: 'every setting, its value, and where it comes from',
  usage: 'tokens, turn by turn',
  ps: 'background commands that go on',
  skills: 'the skills that the model can load',
  diff: 'what this session has changed in the files; of the last turn: /diff 1',
  review: 'have what is not committed reviewed; words after it name something else',
  accept: 'accept what the last turn rests on, after a look at the diff',
  check: 'what the next task must pass: /check npm test; take it back: /check off',
  goal: 'how to know that the work is done, and where that stands',
  undo: 'take the last turn back, with what it did to files',
  rewind: 'choose the turn to go back to; also Esc Esc',
  rename: 'give this session a title',
  fork: 'go on in a copy of this session',
  resume: 'choose a session and go on with it; by name: /resume <id or title>',
  export: 'write this session to a file: /export talk.md',
  clear: 'begin a fresh session',
  quit: 'leave; the session stays',
} as const

export type SlashName = keyof typeof slashCommands

export interface Slash {
  readonly name: SlashName
  readonly words: string
}

/** Commands that also work while a turn runs. */
const meanwhile: ReadonlySet<SlashName> = new Set([
  'help',
  'mode',
  'thinking',
  'permissions',
  'timeline',
  'why',
  'evidence',
  'status',
  'config',
  'usage',
  'ps',
  'skills',
  'diff',
  'rename',
])

export function worksMeanwhile(name: SlashName): boolean {
  return meanwhile.has(name)
}

/** Built-in commands that are a task and nothing else: one of the user's own with such a name goes before it. */
const tasks: ReadonlySet<string> = new Set<SlashName>(['review'])

/** Whether a command of the user's own with this name is not used, because the built-in one does more than a task. */
export function isTaken(name: string): boolean {
  return isSlashName(name) && !tasks.has(name)
}

export type ReadSlash =
  | { readonly kind: 'command'; readonly slash: Slash }
  | { readonly kind: 'unknown'; readonly name: string }

/** The command in a line; undefined if the line is a task. A path at the beginning of a task is not a command. */
export function readSlash(line: string): ReadSlash | undefined {
  if (line.trim() === '?') return { kind: 'command', slash: { name: 'help', words: '' } }
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(line.trim())
  if (match === null) return undefined
  const [, name = '', words = ''] = match
  if (isSlashName(name)) return { kind: 'command', slash: { name, words: words.trim() } }
  if (name === 'exit') return { kind: 'command', slash: { name: 'quit', words: '' } }
  return { kind: 'unknown', name }
}

/** The commands whose names begin with this text. */
export function completeSlash(line: string): string[] {
  const match = /^\/([a-z]*)$/.exec(line)
  return match === null
    ? []
    : Object.keys(slashCommands)
        .filter((name) => name.startsWith(match[1] ?? ''))
        .map((name) => `/${name}`)
}

const keys = [
  'Enter sends. Alt-Enter, Ctrl-J, or a backslash at the end, begins another line. Up and Down bring back what was said.',
  'Shift-Tab takes the mode of the next task, Ctrl-T how much the model thinks, Ctrl-R what was said before. @ names a file, !command runs one as you. ? alone shows this; all keys: loader help terminal',
  'While a turn runs, what you type is said to the model before its next step. Esc or Ctrl-C stops the turn; what came is kept.',
]

export function slashHelp({ paint, columns }: LineStyle): string[] {
  const width = Math.max(...Object.keys(slashCommands).map((name) => name.length)) + 5
  return [
    ...Object.entries(slashCommands).flatMap(([name, summary]) =>
      hanging(`  ${paint('bold', `/${name}`)}${' '.repeat(width - name.length - 3)}`, width, summary, { columns }),
    ),
    '',
    ...keys.flatMap((text) => hanging('  ', 2, text, { columns })),
  ]
}

function isSlashName(name: string): name is SlashName {
  return Object.hasOwn(slashCommands, name)
}
