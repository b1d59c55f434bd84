import { type Message, textOf } from '@loader/session-core'
import { type EarlierSummary, isSummary, readSummaryMessage } from './summary-message.ts'

/** Lines of local summaries are shorter; this limits those written by a model. */
const longestLine = 400

/** The content of the summaries among these messages, oldest first. Only imports can have more than one. */
export function earlierSummaries(messages: readonly Message[]): EarlierSummary[] {
  return messages.filter(isSummary).map(({ content }) => readSummaryMessage(textOf(content)))
}

/** The lines of the earlier summaries, without bullets. */
export function earlierLines(messages: readonly Message[]): string[] {
  return earlierSummaries(messages)
    .flatMap(({ summary }) => summary)
    .map((line) =>
      line
        .replace(/^\s*[-*•]\s+/, '')
        .trim()
        .slice(0, longestLine),
    )
}
