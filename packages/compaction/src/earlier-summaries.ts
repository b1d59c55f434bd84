import { type Message, textOf } from '@loader/session-core'
import { type EarlierSummary, isSummary, readSummaryMessage } from './summary-message.ts'

/** A model may write anything; nothing of ours is longer. */
const longestLine = 400

/** What the summaries among these messages say, oldest first. There is one at most, but for imports. */
export function earlierSummaries(messages: readonly Message[]): EarlierSummary[] {
  return messages.filter(isSummary).map(({ content }) => readSummaryMessage(textOf(content)))
}

/** The lines of what they said, without the bullets. */
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
