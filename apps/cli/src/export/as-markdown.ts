import type { FilePart } from '@loader/session-core'
import {
  between,
  callTitle,
  counted,
  gapText,
  moveText,
  inOneLine,
  inText,
  type ShowEntry,
  type ShownCall,
  type ShownMessage,
  type ShownTurnEnd,
} from '@loader/readings'
import { speakers } from './speakers.ts'

export interface DocumentFacts {
  readonly id: string
  readonly title: string
  /** Lines below the title. */
  readonly about: readonly string[]
}

/** The conversation as a Markdown document. */
export function asMarkdown(entries: readonly ShowEntry[], { title, about }: DocumentFacts): string {
  const head = [`# ${escaped(inOneLine(title))}`, ...about.map((line) => `- ${escaped(inOneLine(line))}`)]
  const parts = entries.map(entryText)
  return `${[head.join('\n').replace('\n', '\n\n'), ...parts].join('\n\n')}\n`
}

function entryText(entry: ShowEntry): string {
  switch (entry.kind) {
    case 'message':
      return messageText(entry)
    case 'turn_end':
      return turnEndText(entry)
    case 'background':
    case 'child':
    case 'hook':
      return `*${escaped(inOneLine(entry.text))}*`
    case 'gap':
      return `**${escaped(gapText({ first: entry.seq, ...entry }))}**`
    case 'moved':
      return `*${escaped(inOneLine(moveText(entry)))}*`
    default:
      return entry satisfies never
  }
}

function messageText(message: ShownMessage): string {
  const { at, seq, standing, interrupted, text, reasoning, files, quoted: texts = [], calls } = message
  const marks = [at, `event ${seq}`, ...(standing === 'live' ? [] : [standing]), ...(interrupted ? ['cut off'] : [])]
  return [
    `## ${speakers(message)}`,
    `*${marks.join(', ')}*`,
    ...(reasoning === '' ? [] : [quoted(inText(reasoning))]),
    ...(text === '' ? [] : [inText(text)]),
    ...texts.map(({ text: quote }) => fenced(inText(quote))),
    ...files.map(fileText),
    ...calls.map(callText),
  ].join('\n\n')
}

function fileText({ name, mediaType }: FilePart): string {
  return `*[${escaped(inOneLine(name ?? mediaType))}]*`
}

function callText(call: ShownCall): string {
  const { outcome, effect, preview, result, files = [] } = call
  const shown = effect === 'write' && preview !== undefined ? [fenced(inText(preview), 'diff')] : []
  const input = shown.length > 0 ? [] : inputText(call)
  return [
    `**${escaped(callTitle(call))}** (${outcome ?? 'no result'})`,
    ...shown,
    ...input,
    ...(result === null || result === '' ? [] : [fenced(inText(result))]),
    ...files.map(fileText),
  ].join('\n\n')
}

function inputText({ input, command }: ShownCall): string[] {
  if (command !== undefined) return [fenced(inText(command), 'sh')]
  const text = typeof input === 'string' ? input : JSON.stringify(input, null, 2)
  return text === '{}' ? [] : [fenced(inText(text), typeof input === 'string' ? '' : 'json')]
}

function turnEndText({ turn }: ShownTurnEnd): string {
  const { reason, verdict, summary, startedAt, finishedAt, usage } = turn
  const facts = [reason, ...(verdict === undefined ? [] : [verdict]), counted(usage.requests, 'request')]
  const said = summary === undefined ? '' : ` ${escaped(inOneLine(summary))}`
  return `---\n\n*The turn ended after ${between(startedAt, finishedAt)}: ${facts.join(', ')}.${said}*`
}

/** Uses a longer fence than any in the text, so that the text cannot close it. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** Escapes characters with a meaning in Markdown. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>#|]/g, (mark) => `\\${mark}`)
}
