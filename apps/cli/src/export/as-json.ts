import { type ExportOutput, exportFormat, exportVersion } from '@loader/session-core'
import { visibleJson } from '../console/print.ts'
import type { Exported } from './exported.ts'

export interface ExportFacts {
  readonly id: string
  readonly title: string
  readonly exportedAt: string
  readonly loader: string
  readonly secrets: ExportOutput['secrets']
}

/** The history as one JSON document with one event per line, so that two exports can be compared. */
export function asJson({ events, blobs }: Exported, facts: ExportFacts): string {
  const head = headOf(events, facts)
  const fields = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  const lines = events.map((event) => `    ${JSON.stringify(event)}`).join(',\n')
  const texts = [...blobs].map(([name, text]) => `    ${JSON.stringify(name)}: ${JSON.stringify(text)}`).join(',\n')
  const document = [
    '{',
    `${fields.join(',\n')},`,
    '  "events": [',
    lines,
    '  ],',
    texts === '' ? '  "blobs": {}' : `  "blobs": {\n${texts}\n  }`,
    '}',
    '',
  ].join('\n')
  return visibleJson(document)
}

/** The same as a value. */
export function documentOf({ events, blobs }: Exported, facts: ExportFacts): ExportOutput {
  return { ...headOf(events, facts), events, blobs: Object.fromEntries(blobs) }
}

function headOf(events: Exported['events'], { id, title, exportedAt, loader, secrets }: ExportFacts) {
  const session = { id, title, lastSeq: events.at(-1)?.seq ?? 0 }
  return { format: exportFormat, version: exportVersion, exportedAt, loader, session, secrets } as const
}
