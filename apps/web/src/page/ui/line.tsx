import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Inline } from '../markdown/inlines.ts'
import { lineOf, wordsOf } from '../markdown/plain-line.ts'

/** A text in Markdown on one line: a title, or the first words of something. It holds no links, because it often is one. */
export function Line({ text }: { readonly text: string }) {
  const parts = useMemo(() => lineOf(text).map(drawn), [text])
  return <>{parts}</>
}

function drawn(part: Inline, index: number): ComponentChildren {
  if (typeof part === 'string') return part
  if (part.kind === 'code') return <code key={index}>{part.text}</code>
  if (part.kind === 'strong') return <strong key={index}>{part.parts.map(drawn)}</strong>
  return wordsOf(part)
}
