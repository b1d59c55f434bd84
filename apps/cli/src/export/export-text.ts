import { conversationOf, counted, shortCount } from '@loader/readings'
import type { SessionRow } from '@loader/session-core'
import type { Console } from '../console/console.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { ChosenSession } from '../sessions/chosen-session.ts'
import { asJson } from './as-json.ts'
import { asMarkdown } from './as-markdown.ts'
import { type Exported, exportedOf } from './exported.ts'

export type ExportFormat = 'json' | 'md' | 'html'

/** A session as one text, and what it was made of. Without a redactor secrets are kept. */
export async function exportText(
  chosen: ChosenSession,
  format: ExportFormat,
  redactor: Redactor | undefined,
  console: Console,
): Promise<{ readonly text: string; readonly exported: Exported }> {
  const { row } = chosen
  const exported = await exportedOf(chosen, redactor)
  const title = redactor?.text(row.title) ?? row.title
  const exportedAt = new Date().toISOString()
  const secrets = redactor === undefined ? 'kept' : 'replaced'
  const facts = { id: row.id, title, exportedAt, loader: console.version, secrets } as const
  const text = async () => {
    switch (format) {
      case 'md':
        return asMarkdown(conversationOf(exported.events, exported.blobs), { id: row.id, title, about: about(row) })
      case 'html':
        return (await import('./as-page.ts')).asPage(exported, { ...facts, chosen, redactor }, console)
      case 'json':
        return asJson(exported, facts)
      default:
        return format satisfies never
    }
  }
  return { text: await text(), exported }
}

function about(row: SessionRow): string[] {
  const { id, createdAt, updatedAt, turns, inputTokens, outputTokens, verdict, project } = row
  return [
    `Session ${id}${project === null ? '' : ` in ${project}`}`,
    `From ${createdAt} to ${updatedAt}`,
    `${counted(turns, 'turn')}, ${shortCount(inputTokens)} tokens in, ${shortCount(outputTokens)} out`,
    ...(verdict === null ? [] : [`Last verdict: ${verdict}`]),
  ]
}
