import { useState } from 'preact/hooks'
import {
  callTitle,
  counted,
  duration,
  inOneLine,
  inText,
  type ShownCall,
  type ShownMessage,
  speakerOf,
  type Span,
} from '@loader/readings'
import type { FilePart, JsonValue } from '@loader/session-core'
import { plainLine } from '../../markdown/plain-line.ts'
import { toneOf } from '../../model/words.ts'
import { languageOf } from '../../ui/code-colours.ts'
import { CodeWords } from '../../ui/code-words.tsx'
import { Diff } from '../../ui/diff.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Chip, Output, SeqLink, Time } from '../../ui/parts.tsx'

/** A text that is longer is cut until one asks for the rest. */
const longText = 24_000

interface MessageProps {
  readonly message: ShownMessage
  readonly spans: ReadonlyMap<string, Span>
  readonly isChosen: boolean
}

export function MessageRow({ message, spans, isChosen }: MessageProps) {
  const { seq, at, standing, interrupted, model, text, reasoning, files, quoted = [], calls } = message
  const who = speakerOf(message)
  return (
    <article
      class={`message by-${kindOf(message)} ${standing === 'live' ? '' : 'gone'}`}
      aria-label={`${who}, event ${seq}`}
    >
      <header>
        <span class="who">{who}</span>
        {model !== undefined && <span class="quiet">{inOneLine(model)}</span>}
        {standing !== 'live' && <Chip word={standing} tone="idle" says={gone[standing]} />}
        {interrupted && <Chip word="cut off" tone="warn" says="What had arrived is kept." />}
        <span class="where">
          <Time at={at} />
          <SeqLink seq={seq} view="state" />
        </span>
      </header>
      {reasoning.trim() !== '' && <Thinking text={reasoning} />}
      {text.trim() !== '' && <LongText text={text} />}
      {quoted.map((file, index) => (
        <QuotedFile file={file} key={index} />
      ))}
      {files.map((file, index) => (
        <FileLine file={file} key={index} />
      ))}
      {calls.length > 0 && (
        <ul class="calls" aria-label={counted(calls.length, 'call')}>
          {calls.map((call) => (
            <CallRow key={call.id} call={call} span={spans.get(call.id)} isChosen={isChosen} />
          ))}
        </ul>
      )}
    </article>
  )
}

const gone: Readonly<Record<Exclude<ShownMessage['standing'], 'live'>, string>> = {
  folded: 'The model sees a summary instead.',
  withdrawn: 'It does not stand, and the model no longer sees it.',
  rewound: 'The conversation went back to before it.',
}

function kindOf({ origin, role }: ShownMessage): string {
  if (origin === 'input' || origin === 'steering') return 'user'
  if (origin === 'import') return role === 'user' ? 'user' : 'model'
  return origin === 'model' ? 'model' : 'loader'
}

function Thinking({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="thinking" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Thinking <span class="quiet">{plainLine(text.slice(0, 400)).slice(0, 110)}</span>
      </summary>
      {isOpen && <Markdown text={text} />}
    </details>
  )
}

/** A file that was named with an @, as the model was given it. */
function QuotedFile({ file: { file, text } }: { file: NonNullable<ShownMessage['quoted']>[number] }) {
  const [isOpen, setOpen] = useState(false)
  const lines = text === '' ? 0 : text.split('\n').length
  return (
    <details class="quoted" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>@{inOneLine(file)}</code> <span class="quiet">{counted(lines, 'line')}, as it was then</span>
      </summary>
      {isOpen && (
        <pre class="output" tabIndex={0} aria-label={`What was in ${inOneLine(file)}`}>
          <CodeWords text={inText(text)} language={languageOf(file)} />
        </pre>
      )}
    </details>
  )
}

function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (isWhole || text.length <= longText) return <Markdown text={text} />
  return (
    <>
      <Markdown text={text.slice(0, longText)} />
      <button type="button" class="plain more" onClick={() => setWhole(true)}>
        {counted(text.length - longText, 'more character')}
      </button>
    </>
  )
}

/** A call: its name and what it is about in a line, and below what it changed and what came out. */
function CallRow({ call, span, isChosen }: { call: ShownCall; span: Span | undefined; isChosen: boolean }) {
  const { name, outcome, effect, permit, reason, files = [] } = call
  const isWrite = effect === 'write' && call.preview !== undefined
  const [isOpen, setOpen] = useState(isWrite || (outcome !== 'ok' && outcome !== null))
  const title = callTitle(call)
  const tool = inOneLine(name)
  const named = title.startsWith(tool) ? title.slice(tool.length).trim() : title
  const subject = named.startsWith('{') ? valuesOf(call.input) : named
  return (
    <li class={`call tone-${toneOf(outcome ?? 'open')}`}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="tool">{tool}</span>
          <span class="subject">{subject}</span>
          <span class="call-end">
            {span !== undefined && span.to !== null && span.to - span.from >= 100 && (
              <span class="quiet figure">{duration(span.to - span.from)}</span>
            )}
            <Chip
              word={outcome ?? (permit === 'ask' ? 'waits for you' : 'no result yet')}
              tone={toneOf(outcome ?? 'open')}
            />
          </span>
        </summary>
        {isOpen && (
          <div class="call-body">
            {permit === 'deny' && reason !== undefined && <p class="tone-bad said">Denied: {inOneLine(reason)}</p>}
            {span?.cutBy !== undefined && (
              <p class="tone-warn said">
                Its process ended while it ran. Below stands what was found out afterwards.{' '}
                <SeqLink seq={span.cutBy} view="recovery" />
              </p>
            )}
            {isWrite ? (
              <Diff text={call.preview ?? ''} most={isChosen ? 80 : 24} />
            ) : (
              <Input call={call} subject={subject} />
            )}
            {call.result !== null && call.result.trim() !== '' && (
              <Output text={call.result} name={`Result of ${title}`} most={isWrite ? 3 : 14} />
            )}
            {files.map((file, index) => (
              <FileLine file={file} key={index} />
            ))}
          </div>
        )}
      </details>
    </li>
  )
}

/** Arguments of which none tells most, without their names and brackets. */
function valuesOf(input: JsonValue): string {
  return inOneLine(
    Object.values(input ?? {})
      .map(String)
      .join(' · '),
  )
}

/** The arguments, where the line above does not hold all of them. */
function Input({ call: { input, command }, subject }: { call: ShownCall; subject: string }) {
  if (command !== undefined) return command === subject ? null : <Output text={command} name="The command" />
  if (saysAll(input, subject)) return null
  return (
    <Output text={typeof input === 'string' ? input : JSON.stringify(input, null, 2)} name="The arguments" most={10} />
  )
}

function saysAll(input: JsonValue, subject: string): boolean {
  if (input === null || typeof input !== 'object') return true
  const values = Object.values(input)
  return values.length === 0 || (values.length === 1 && values[0] === subject)
}

const pictures = /^image\/(?:png|jpeg|gif|webp)$/

/** Pictures that lie in the session are shown; nothing is loaded from elsewhere. */
function FileLine({ file: { mediaType, name, source } }: { file: FilePart }) {
  const label = inOneLine(name ?? mediaType)
  if (source.kind === 'base64' && typeof source.data === 'string' && pictures.test(mediaType)) {
    return <img class="picture" alt={label} src={`data:${mediaType};base64,${source.data}`} />
  }
  const place = source.kind === 'url' ? source.url : source.kind === 'path' ? source.path : 'in the session'
  return (
    <p class="quiet">
      {label} ({inOneLine(place)})
    </p>
  )
}
