import { shownText } from '@loader/session-core'
import { type Completion, line, type ScriptLine } from '@loader/test-harness'

/**
 * A model that goes by the conversation, so that it does not matter how often it is asked, or by which process: for the
 * words of the user that were said last it has a list of answers, and gives the one that comes next.
 */
export function steadily(answers: Readonly<Record<string, readonly Completion[]>>, most = 60): ScriptLine[] {
  const next: ScriptLine = ({ messages }) => {
    const place = messages.findLastIndex(({ origin }) => origin === 'input')
    const [said] = messages[place]?.content ?? []
    const script = (said?.type === 'text' && answers[shownText(said.text)]) || []
    const given = messages.slice(place + 1).filter(({ origin, interrupted }) => origin === 'model' && !interrupted)
    return script[given.length] ?? line('I have nothing more to say.')
  }
  return Array.from({ length: most }, () => next)
}
