import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { inOneLine, inText, questionTitle } from '@loader/readings'
import type { GivenAnswer, PermitChoice, StandingQuestion } from '../../../protocol.ts'
import { type Act, useAct } from '../../model/act.ts'
import { keepDraft, readDraft } from '../../model/drafts.ts'
import { aloneMs, isMeant, readingMs } from '../../model/guard.ts'
import { useKeys } from '../../model/keys.ts'
import { Diff } from '../../ui/diff.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { ActFailure } from './act-failure.tsx'

interface QuestionProps {
  readonly session: string
  readonly question: StandingQuestion
  /** Whether no process has the session any more. */
  readonly isAlone: boolean
}

/** What a session asks, and what may be answered. */
export function QuestionCard({ session, question, isAlone }: QuestionProps) {
  const act = useAct('answer')
  const card = useRef<HTMLElement>(null)
  const isStill = useStill(card, question.questionId)
  const { questionId, shown } = question
  const answer = (given: GivenAnswer, rule?: string) => {
    if (act.isPending) return
    void act.run({ session, questionId, shown, answer: given, ...(rule !== undefined && { rule }) })
  }
  return (
    <section class="question" ref={card} aria-labelledby="question-title">
      <h3 id="question-title">
        <span aria-hidden="true">?</span> {questionTitle(question)}
      </h3>
      {isAlone && <p class="quiet">The process that asked has ended. Answer, and the session goes on from here.</p>}
      <About question={question} />
      {question.kind === 'question' ? (
        <Words question={question} act={act} onAnswer={answer} isStill={isStill} />
      ) : (
        <Permit question={question} act={act} onAnswer={answer} isStill={isStill} />
      )}
      <ActFailure failure={act.failure} what="The answer" />
    </section>
  )
}

/** Everything that the user must know before answering. It is never shortened. */
function About({ question: { kind, isPlan, text, reason, why, reach } }: { question: StandingQuestion }) {
  const isDiff = kind === 'permit' && !isPlan && /^--- /m.test(text) && /^@@ /m.test(text)
  return (
    <>
      <div class="question-text" tabIndex={0} role="group" aria-label="What it is about">
        {isDiff ? (
          <Diff text={text} most={Number.POSITIVE_INFINITY} />
        ) : kind === 'permit' && !isPlan ? (
          <pre class="output">{inText(text)}</pre>
        ) : (
          <Markdown text={text} />
        )}
      </div>
      {reason !== null && !isPlan && <p class="quiet">Asked because: {inOneLine(reason)}</p>}
      {why !== null && <p class="quiet">The model says: {inOneLine(why)}</p>}
      {reach === 'network' && <p class="quiet">It needs the network.</p>}
      {reach === 'open' && <p class="quiet">It needs to reach more than the project: there are no walls around it.</p>}
    </>
  )
}

interface AnswerProps {
  readonly question: StandingQuestion
  readonly act: Act<'answer'>
  readonly onAnswer: (answer: GivenAnswer, rule?: string) => void
  /** Whether the buttons stand where they were long enough to be aimed at. */
  readonly isStill: () => boolean
}

/** Allow or deny: the same choices as at the terminal, each with its letter. */
function Permit({ question, act, onAnswer, isStill }: AnswerProps) {
  const { isPlan, questionId } = question
  const [words, setWords] = useDraft(questionId)
  const [step, setStep] = useState<Step>({ title: null, choices: question.choices })
  const [given, setGiven] = useState<PermitChoice | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const choose = (choice: PermitChoice) => {
    if (!isStill()) return
    if (choice.send === undefined) return setStep(choice.further)
    setGiven(choice)
    const said = words.trim()
    const { send } = choice
    const takesWords = isPlan || isDeny(choice)
    onAnswer(send.kind === 'permit' && takesWords && said !== '' ? { ...send, words: said } : send, choice.rule)
  }
  useLetters(question.choices, {
    isStill,
    toWords: () => field.current?.focus(),
    choose: (letter) => {
      const choice = step.choices.find((one) => one.letter === letter)
      if (choice !== undefined) choose(choice)
    },
  })
  const isBack = step.choices !== question.choices
  return (
    <>
      {step.title !== null && <p class="question-step">{inOneLine(step.title)}</p>}
      <div class="question-choices" role="group" aria-label={step.title ?? 'Answers'}>
        {step.choices.map((choice) => (
          <button
            key={`${step.title} ${choice.letter}`}
            type="button"
            class={classOf(choice)}
            disabled={act.isPending}
            aria-busy={act.isPending && given === choice}
            onClick={() => choose(choice)}
          >
            <kbd aria-hidden="true">{choice.letter}</kbd>
            <span>{act.isPending && given === choice ? 'Being stored…' : inOneLine(choice.label)}</span>
          </button>
        ))}
        {isBack && (
          <button
            type="button"
            class="plain"
            disabled={act.isPending}
            onClick={() => setStep({ title: null, choices: question.choices })}
          >
            Back
          </button>
        )}
      </div>
      <form
        class="question-words"
        onSubmit={(event) => {
          event.preventDefault()
          const deny = step.choices.find(isDeny)
          // Enter in this field can only mean no: a yes has a button and a letter of its own.
          if (deny !== undefined && words.trim() !== '') choose(deny)
        }}
      >
        <label for="question-words">
          {isPlan ? 'What should it do differently? Goes with a yes or a no' : 'Why not? Goes to the model with a no'}
        </label>
        <input
          id="question-words"
          ref={field}
          autocomplete="off"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </form>
    </>
  )
}

interface Step {
  readonly title: string | null
  readonly choices: readonly PermitChoice[]
}

function isDeny({ send }: PermitChoice): boolean {
  return send?.kind === 'permit' && send.permit === 'deny'
}

function classOf(choice: PermitChoice): string {
  if (isDeny(choice)) return 'deny'
  return choice.send?.kind === 'permit' && choice.send.scope === 'once' ? 'main' : ''
}

/** A question of the model: one of its options, or other words. */
function Words({ question, act, onAnswer, isStill }: AnswerProps) {
  const { options, questionId } = question
  const [words, setWords] = useDraft(questionId)
  return (
    <>
      {options.length > 0 && (
        <div class="question-choices" role="group" aria-label="Options">
          {options.map(({ label, description }) => (
            <button
              key={label}
              type="button"
              disabled={act.isPending}
              onClick={() => isStill() && onAnswer({ kind: 'words', words: label })}
            >
              <span>
                {inOneLine(label)}
                {description !== undefined && <span class="quiet"> {inOneLine(description)}</span>}
              </span>
            </button>
          ))}
        </div>
      )}
      <form
        class="question-words with-button"
        onSubmit={(event) => {
          event.preventDefault()
          if (words.trim() !== '') onAnswer({ kind: 'words', words: words.trim() })
        }}
      >
        <label for="question-words">{options.length > 0 ? 'Or in other words' : 'Your answer'}</label>
        <input
          id="question-words"
          autocomplete="off"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button type="submit" class="main" disabled={act.isPending || words.trim() === ''}>
          {act.isPending ? 'Being stored…' : 'Answer'}
        </button>
      </form>
    </>
  )
}

/** Words behind an answer, kept over a reload. */
function useDraft(questionId: string): readonly [string, (text: string) => void] {
  const place = `question ${questionId}`
  const [text, setText] = useState(() => readDraft(place).text)
  return [
    text,
    (next) => {
      setText(next)
      keepDraft(place, { text: next })
    },
  ]
}

/**
 * Tells whether the card has been seen where it is for long enough: since the question appeared, since it last changed its
 * size, and since the page came into view.
 */
function useStill(card: { readonly current: HTMLElement | null }, questionId: string): () => boolean {
  const since = useRef(performance.now())
  useLayoutEffect(() => {
    const moved = () => {
      since.current = performance.now()
      card.current?.classList.remove('still')
      clearTimeout(timer)
      timer = setTimeout(() => card.current?.classList.add('still'), readingMs)
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    let size = ''
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      const now = `${Math.round(width)} ${Math.round(height)}`
      if (now !== size) moved()
      size = now
    })
    if (card.current !== null) observer.observe(card.current)
    const looked = () => document.visibilityState === 'visible' && moved()
    document.addEventListener('visibilitychange', looked)
    moved()
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('visibilitychange', looked)
    }
  }, [questionId])
  return () => isMeant({ now: performance.now(), stillSince: since.current })
}

interface Letters {
  readonly isStill: () => boolean
  readonly choose: (letter: string) => void
  readonly toWords: () => void
}

/** Letters answer as at the terminal: alone, and after a pause in which the question could be read. A no leads to its words. */
function useLetters(choices: readonly PermitChoice[], { isStill, choose, toWords }: Letters): void {
  const keys = useRef({ before: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY })
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(choose)
  latest.current = choose
  useEffect(() => {
    const onKey = () => {
      clearTimeout(waiting.current)
      keys.current = { before: keys.current.last, last: performance.now() }
    }
    document.addEventListener('keydown', onKey, true)
    return () => {
      clearTimeout(waiting.current)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [])
  useKeys(
    withFurther(choices).map((choice) => ({
      keys: [choice.letter],
      group: 'The question',
      says: isDeny(choice) ? 'No; to the words that go with it' : inOneLine(choice.label),
      run: () => {
        const { before, last } = keys.current
        if (!isStill() || !isMeant({ now: last, stillSince: Number.NEGATIVE_INFINITY, keyBefore: before })) return
        if (isDeny(choice)) toWords()
        else waiting.current = setTimeout(() => latest.current(choice.letter), aloneMs)
      },
    })),
  )
}

/** Every letter that can be an answer, once. */
function withFurther(choices: readonly PermitChoice[]): PermitChoice[] {
  const all = [...choices, ...choices.flatMap(({ further }) => further?.choices ?? [])]
  return all.filter(({ letter }, index) => all.findIndex((one) => one.letter === letter) === index)
}
