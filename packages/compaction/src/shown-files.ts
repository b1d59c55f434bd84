import { excerptOf, type FilePart, type Message } from '@loader/session-core'

/** The images and files of messages and results, each once, in the order in which they were shown. */
export function shownFiles(messages: readonly Message[]): string[] {
  const files = messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'file' ? [part] : part.type === 'result' ? (part.files ?? []) : [])),
  )
  return [...new Set(files.map(describeFile))]
}

const longestName = 60
const digits = 12

/** A name, a kind, and the beginning of the name of the blob that the session keeps it in. */
export function describeFile({ name, mediaType, source }: FilePart): string {
  const kept = source.kind === 'base64' && typeof source.data !== 'string' ? `, kept as ${source.data.blob}` : ''
  const reference = kept.length > digits * 3 ? `${kept.slice(0, 10 + digits)}…` : kept
  const shown = name === undefined ? 'without a name' : excerptOf(name.replaceAll(/[;()]/g, '_'), longestName)
  return `${shown} (${mediaType}${reference})`
}
