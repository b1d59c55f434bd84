import {
  between,
  callTitle,
  counted,
  fullTime,
  gapText,
  inLines,
  inOneLine,
  moveText,
  shortCount,
  type ShowEntry,
  type ShownCall,
  type ShownGap,
  type ShownMessage,
  type ShownTurnEnd,
  speakerOf,
} from '@loader/readings'
import type { Paint, Style } from '../screen/paint.ts'
import { cut, wrap } from '../screen/width.ts'

export interface ConversationOptions {
  readonly width: number
  readonly paint: Paint
  /** Everything, or only what the model still sees, with long texts cut. */
  readonly extent: 'short' | 'full'
}

const indent = '  '
/** The most lines of a long text, unless the full text is requested. */
const shortLines = { result: 6, diff: 12, reasoning: 3 } as const

export function conversationLines(entries: readonly ShowEntry[], options: ConversationOptions): string[] {
  const shown = options.extent === 'full' ? entries : entries.filter(({ standing }) => standing === 'live')
  const hidden = entries.filter(({ kind, standing }) => kind === 'message' && standing !== 'live')
  const note =
    options.extent === 'short' && hidden.length > 0
      ? [
          options.paint(
            'dim',
            `[${counted(hidden.length, 'message')} not shown that the model no longer sees: --full]`,
          ),
          '',
        ]
      : []
  return [...note, ...shown.flatMap((entry) => [...entryLines(entry, options), ''])].slice(0, -1)
}

function entryLines(entry: ShowEntry, options: ConversationOptions): string[] {
  switch (entry.kind) {
    case 'message':
      return messageLines(entry, options)
    case 'turn_end':
      return turnEndLines(entry, options)
    case 'gap':
      return gapLines(entry, options)
    case 'moved':
      return styled(wrap(`-- ${inOneLine(moveText(entry))}`, options.width), 'cyan', options.paint)
    case 'background':
    case 'child':
    case 'hook':
      return styled(wrap(`-- ${inOneLine(entry.text)}`, options.width), 'dim', options.paint)
    default:
      return entry satisfies never
  }
}

function messageLines(message: ShownMessage, options: ConversationOptions): string[] {
  const { width, paint } = options
  const { seq, at, standing, interrupted, model } = message
  const marks = [
    ...(standing === 'live' ? [] : [standing]),
    ...(interrupted ? ['cut off'] : []),
    ...(model === undefined ? [] : [inOneLine(model)]),
  ]
  const head = [speakerOf(message), fullTime(at), `#${seq}`, ...marks].join(' · ')
  return [
    paint('bold', paint(speakerStyle(message), cut(head, width))),
    ...styled(body(message.reasoning, options, shortLines.reasoning), 'dim', paint),
    ...body(message.text, options),
    ...(message.quoted ?? []).flatMap(({ file, text }) =>
      options.extent === 'full' ? body(text, options) : [`${indent}[${inOneLine(file)}]`],
    ),
    ...message.files.map(({ name, mediaType }) => `${indent}[${inOneLine(name ?? mediaType)}]`),
    ...message.calls.flatMap((call) => callLines(call, options)),
  ]
}

function speakerStyle({ origin, role }: ShownMessage): Style {
  if (origin === 'input' || origin === 'steering') return 'cyan'
  return origin === 'model' || role === 'assistant' ? 'green' : 'magenta'
}

function callLines(call: ShownCall, options: ConversationOptions): string[] {
  const { width, paint } = options
  const outcome = call.outcome ?? 'no result yet'
  const title = cut(`${indent}> ${callTitle(call)}`, Math.max(16, width - outcome.length - 4))
  const head = `${title} [${paint(outcomeStyle(call.outcome), outcome)}]`
  const denied = call.permit === 'deny' && call.reason !== undefined ? [`denied: ${call.reason}`] : []
  return [
    head,
    ...denied.flatMap((reason) => body(reason, options, undefined, 2)),
    ...diffLines(call, options),
    ...styled(body(call.result ?? '', options, shortLines.result, 2), 'dim', paint),
  ]
}

function outcomeStyle(outcome: ShownCall['outcome']): Style {
  if (outcome === 'ok') return 'green'
  return outcome === 'failed' || outcome === 'denied' ? 'red' : 'yellow'
}

/** The lines that a write adds and removes; other calls are described by their titles. */
function diffLines({ effect, preview }: ShownCall, options: ConversationOptions): string[] {
  if (effect !== 'write' || preview === undefined) return []
  const lines = inLines(preview).filter((line) => /^[-+]/.test(line) && !/^(?:---|\+\+\+) /.test(line))
  const fitted = lines.map((line) => cut(indent.repeat(2) + line, options.width))
  return shortened(fitted, options, shortLines.diff).map((line) => {
    const sign = line.trimStart()[0]
    return sign === '+' ? options.paint('green', line) : sign === '-' ? options.paint('red', line) : line
  })
}

function body(text: string, options: ConversationOptions, most?: number, depth = 1): string[] {
  if (text.trim() === '') return []
  const margin = indent.repeat(depth)
  const lines = inLines(text).flatMap((line) => wrap(line, options.width - margin.length).map((part) => margin + part))
  return shortened(lines, options, most).map((line) => line.trimEnd())
}

function shortened(lines: readonly string[], { extent }: ConversationOptions, most: number | undefined): string[] {
  if (extent === 'full' || most === undefined || lines.length <= most + 1) return [...lines]
  const margin = /^ */.exec(lines[0] ?? '')?.[0] ?? ''
  return [...lines.slice(0, most), `${margin}... ${lines.length - most} more lines: --full`]
}

function styled(lines: readonly string[], style: Style, paint: Paint): string[] {
  return lines.map((line) => paint(style, line))
}

function gapLines({ seq: first, ...gap }: ShownGap, { width, paint }: ConversationOptions): string[] {
  return styled(wrap(`-- ${inOneLine(gapText({ first, ...gap }))}`, width), 'red', paint)
}

function turnEndLines({ turn, seq }: ShownTurnEnd, options: ConversationOptions): string[] {
  const { reason, verdict, summary, usage, startedAt, finishedAt } = turn
  const figures = [
    counted(usage.requests, 'request'),
    `${shortCount(usage.inputTokens + usage.outputTokens)} tokens`,
    between(startedAt, finishedAt),
    `#${seq}`,
  ]
  const head = `-- ${verdict === undefined ? reason : `${reason}, ${verdict}`} · ${figures.join(' · ')}`
  const lines = [...wrap(inOneLine(head), options.width), ...body(summary ?? '', options)]
  return styled(lines, verdict === 'verified' || verdict === 'waived' ? 'green' : 'yellow', options.paint)
}
