import { type FilePart, shownText } from '@loader/session-core'
import {
  between,
  callTitle,
  counted,
  gapText,
  inLines,
  inOneLine,
  inText,
  type ShowEntry,
  type ShownCall,
  type ShownMessage,
  type ShownTurnEnd,
} from '@loader/readings'
import type { DocumentFacts } from './as-markdown.ts'
import { escapeHtml } from './html-text.ts'
import { markdownToHtml } from './markdown-to-html.ts'
import { pageStyle } from './page-style.ts'
import { speakers } from './speakers.ts'

/** Forbids all loading and scripts, whatever a session contains. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** The conversation as one self-contained page. */
export function asHtml(entries: readonly ShowEntry[], { title, about }: DocumentFacts): string {
  const name = escapeHtml(inOneLine(title))
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">`,
    '<meta name="referrer" content="no-referrer">',
    `<title>${name}</title>`,
    `<style>${pageStyle}</style>`,
    '</head>',
    '<body>',
    `<header><h1>${name}</h1><ul>${about.map((line) => `<li>${escapeHtml(inOneLine(line))}</li>`).join('')}</ul></header>`,
    '<main>',
    ...entries.map(entryHtml),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function messageHtml(message: ShownMessage): string {
  const { seq, at, standing, interrupted, text, reasoning, files, calls } = message
  const marks = [...(standing === 'live' ? [] : [standing]), ...(interrupted ? ['cut off'] : [])]
  const small = [
    `<time datetime="${escapeHtml(at)}">${escapeHtml(readableTime(at))}</time>`,
    `event ${seq}`,
    ...marks,
  ].join(' · ')
  const thought = `<details><summary>Reasoning</summary><blockquote>${markdownToHtml(inText(reasoning))}</blockquote></details>`
  return [
    `<article id="event-${seq}" class="${classOf(message)}${standing === 'live' ? '' : ' gone'}">`,
    `<h2>${escapeHtml(inOneLine(speakers(message)))}<small>${small}</small></h2>`,
    ...(reasoning === '' ? [] : [thought]),
    ...(text === '' ? [] : [markdownToHtml(inText(text))]),
    ...files.map(fileHtml),
    ...calls.map(callHtml),
    '</article>',
  ].join('\n')
}

/** In UTC, because readers may be in any time zone. */
function readableTime(at: string): string {
  return `${at.slice(0, 19).replace('T', ' ')} UTC`
}

function classOf({ origin, role }: ShownMessage): string {
  if (origin === 'input' || origin === 'steering') return 'user'
  if (origin === 'import') return role === 'assistant' ? 'model' : 'user'
  return origin
}

const pictures = /^image\/(?:png|jpeg|gif|webp)$/

function fileHtml({ source, mediaType, name }: FilePart): string {
  const label = escapeHtml(inOneLine(name ?? mediaType))
  if (source.kind === 'base64' && pictures.test(mediaType) && typeof source.data === 'string') {
    return `<img alt="${label}" src="data:${mediaType};base64,${escapeHtml(source.data)}">`
  }
  const place =
    source.kind === 'base64' ? '' : ` (${escapeHtml(inOneLine(source.kind === 'url' ? source.url : source.path))})`
  return `<p>[${label}]${place}</p>`
}

function callHtml(call: ShownCall): string {
  const { outcome, effect, preview, result, input, command } = call
  const body =
    effect === 'write' && preview !== undefined
      ? diffHtml(preview)
      : pre(command ?? (typeof input === 'string' ? input : JSON.stringify(input, null, 2)))
  return [
    // Calls are open by default, because a printed page would hide the content of closed ones.
    '<details class="call" open>',
    `<summary>${escapeHtml(callTitle(call))}<span class="outcome ${outcome ?? 'none'}">${outcome ?? 'no result'}</span></summary>`,
    body,
    ...(result === null || result === '' ? [] : [pre(result)]),
    '</details>',
  ].join('\n')
}

function pre(text: string): string {
  return `<pre><code>${escapeHtml(inText(shownText(text)))}</code></pre>`
}

function diffHtml(diff: string): string {
  const lines = inLines(diff).map((line) => {
    const isName = /^(?:---|\+\+\+) /.test(line)
    const name = isName ? '' : line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : ''
    return name === '' ? escapeHtml(line) : `<span class="${name}">${escapeHtml(line)}</span>`
  })
  return `<pre><code>${lines.join('\n')}</code></pre>`
}

function entryHtml(entry: ShowEntry): string {
  switch (entry.kind) {
    case 'message':
      return messageHtml(entry)
    case 'turn_end':
      return turnEndHtml(entry)
    case 'gap':
      return `<p class="end">${escapeHtml(inOneLine(gapText({ first: entry.seq, ...entry })))}</p>`
    default:
      return entry satisfies never
  }
}

function turnEndHtml({ turn }: ShownTurnEnd): string {
  const { reason, verdict, summary, startedAt, finishedAt, usage } = turn
  const facts = [reason, ...(verdict === undefined ? [] : [verdict]), counted(usage.requests, 'request')]
  const said = summary === undefined ? '' : ` ${escapeHtml(inOneLine(summary))}`
  return `<p class="end">The turn ended after ${between(startedAt, finishedAt)}: ${escapeHtml(facts.join(', '))}.${said}</p>`
}
