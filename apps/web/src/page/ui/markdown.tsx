import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { inText } from '@loader/readings'
import { type Block, type Read, readMarkdown } from '../markdown/blocks.ts'
import { type Inline, inlinesOf } from '../markdown/inlines.ts'
import { wordsOf } from '../markdown/plain-line.ts'
import { CodeWords } from './code-words.tsx'

// Transcripts are text of strangers. Characters that hide or reorder text are written out first. What Markdown makes of the
// rest is a tree of our own, and drawn here: no text ever becomes markup, and there are no other elements and attributes
// than the ones below.

/** Texts of a model or a person. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => <Blocks {...readMarkdown(inText(text))} />, [text])
  return <div class="prose">{blocks}</div>
}

function Blocks({ blocks, targets }: Read) {
  return (
    <>
      {blocks.map((block, index) => (
        <OneBlock key={index} block={block} targets={targets} />
      ))}
    </>
  )
}

function OneBlock({ block, targets }: { readonly block: Block; readonly targets: Read['targets'] }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Line text={block.text} targets={targets} />
        </p>
      )
    case 'heading': {
      // The page has headings of its own above.
      const Heading = (['h3', 'h4', 'h5'] as const)[block.level - 1] ?? 'h6'
      return (
        <Heading>
          <Line text={block.text} targets={targets} />
        </Heading>
      )
    }
    case 'code':
      // A long line is scrolled to, also by keys.
      return (
        <pre tabIndex={0}>
          <code>
            <CodeWords text={block.text} language={block.language} />
          </code>
        </pre>
      )
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} targets={targets} />
        </blockquote>
      )
    case 'list':
      return <List list={block} targets={targets} />
    case 'table':
      return <Table table={block} targets={targets} />
    case 'rule':
      return <hr />
    default:
      return block satisfies never
  }
}

type Of<Kind> = Extract<Block, { readonly kind: Kind }>

function List({ list: { start, isLoose, items }, targets }: { list: Of<'list'>; targets: Read['targets'] }) {
  const entries = items.map((blocks, index) => (
    <li key={index}>
      {blocks.map((block, place) =>
        block.kind === 'paragraph' && !isLoose ? (
          <Line key={place} text={block.text} targets={targets} />
        ) : (
          <OneBlock key={place} block={block} targets={targets} />
        ),
      )}
    </li>
  ))
  return start === null ? <ul>{entries}</ul> : <ol start={start}>{entries}</ol>
}

function Table({ table: { head, rows }, targets }: { table: Of<'table'>; targets: Read['targets'] }) {
  return (
    <table tabIndex={0}>
      <thead>
        <tr>
          {head.map((text, index) => (
            <th key={index}>
              <Line text={text} targets={targets} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((text, index) => (
              <td key={index}>
                <Line text={text} targets={targets} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Line({ text, targets }: { readonly text: string; readonly targets: Read['targets'] }) {
  return <>{inlinesOf(text, targets).map(drawn)}</>
}

function drawn(part: Inline, index: number): ComponentChildren {
  if (typeof part === 'string') return part
  switch (part.kind) {
    case 'code':
      return <code key={index}>{part.text}</code>
    case 'break':
      return <br key={index} />
    case 'strong':
      return <strong key={index}>{part.parts.map(drawn)}</strong>
    case 'em':
      return <em key={index}>{part.parts.map(drawn)}</em>
    case 'del':
      return <del key={index}>{part.parts.map(drawn)}</del>
    case 'link':
      return <Link key={index} url={part.url} parts={part.parts} />
    default:
      return part satisfies never
  }
}

/** A link opens elsewhere, tells nothing of this page, and says where it leads if its words name another place. */
function Link({ url, parts }: { readonly url: string; readonly parts: readonly Inline[] }) {
  const words = parts.map(drawn)
  const place = placeOf(url)
  if (place === undefined) return <>{words}</>
  const named = /\b((?:[\w-]{1,63}\.){1,9}[a-z]{2,63})\b/i.exec(parts.map(wordsOf).join(''))?.[1]?.toLowerCase()
  const isElsewhere = place.host !== '' && named !== undefined && named !== place.host.toLowerCase()
  return (
    <a
      href={place.href}
      title={inText(place.href)}
      target="_blank"
      rel="noopener noreferrer"
      referrerpolicy="no-referrer"
    >
      {words}
      {isElsewhere && ` (${place.host})`}
    </a>
  )
}

/** Where an address leads that a page may link to; undefined for any other. */
function placeOf(address: string): URL | undefined {
  const url = URL.parse(address)
  return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? url : undefined
}
