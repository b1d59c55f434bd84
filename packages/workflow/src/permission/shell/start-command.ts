import { parse, type Command, type Redirection } from 'unbash'
import { judgeCommand } from '../commands/judge-command.ts'
import { type Feed, type Judgement, judged } from './judgement.ts'
import { type Around, type Draft, note, notUnderstood, wait } from './reading.ts'
import { feedOf } from './redirects.ts'
import { fixedWord, readWord, type ShellWord } from './shell-word.ts'

/** Commands that start commands that start commands, and text that runs text. */
const deepest = 12

/** Notes a command, and everything that it starts in turn. */
export function startCommand(draft: Draft, { name, args, redirects }: Command, around: Around): void {
  if (name === undefined) return
  const words = [name, ...args].flatMap((arg) => (arg.type === 'Assignment' ? [assignmentWord(arg)] : readWord(arg)))
  start(draft, words, [name, ...args].map(({ text }) => text).join(' '), {
    ...around,
    feed: fedBy(redirects, around.feed),
  })
}

function start(draft: Draft, words: readonly ShellWord[], text: string, around: Around): void {
  const judgement = judge(draft, words, around)
  draft.commands.push({ text, words, judgement, flows: around.flows })
  const { starts = [], scripts = [] } = judgement
  if (starts.length + scripts.length === 0) return
  if (around.depth >= deepest) {
    note(draft, text, notUnderstood('it starts too much in turn to be judged'))
    return
  }
  const inner: Around = { ...around, depth: around.depth + 1, ofProject: judgement.ofProject === true }
  for (const started of starts) start(draft, started, started.map((word) => word.text).join(' '), inner)
  for (const source of scripts) wait(draft, [parse(source)], { ...inner, source, isArgument: false })
}

function judge({ functions, place }: Draft, words: readonly ShellWord[], around: Around): Judgement {
  const { feed, within, beside, ofProject } = around
  const [name] = words
  if (name?.kind === 'fixed') {
    if (within.includes(name.value)) {
      return beside ? judged('ruin', 'starts more and more of itself') : judged('ask', 'calls itself without end')
    }
    if (functions.has(name.value)) return judged('probe', 'calls a function of this command')
  }
  return judgeCommand(words, { place, feed, ofProject })
}

/** `NAME=value` behind `export` and its like. */
function assignmentWord({ text, name, value }: Extract<Command['args'][number], { type: 'Assignment' }>): ShellWord {
  if (value.type === 'ArrayValue') return { ...fixedWord(`${name}=`), text }
  const words = readWord(value)
  const [word = fixedWord('')] = words
  const prefix = `${name}=`
  return { ...word, text, value: prefix + word.value, start: prefix + word.start, splits: false }
}

function fedBy(redirects: readonly Redirection[], otherwise: Feed): Feed {
  let feed = otherwise
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') feed = feedOf(redirect)
    else if (redirect.type === 'HereString') feed = fedByWord(redirect.target && readWord(redirect.target))
    else if (redirect.operator === '<' || redirect.operator === '<>' || redirect.operator === '<&')
      feed = { kind: 'unknown' }
  }
  return feed
}

function fedByWord(words: readonly ShellWord[] = []): Feed {
  const [word] = words
  return word?.kind === 'fixed' && words.length === 1 ? { kind: 'text', text: word.value } : { kind: 'unknown' }
}
