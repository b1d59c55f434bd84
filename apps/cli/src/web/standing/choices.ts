import type { PermissionRule } from '@loader/session-core/coding'
import type { GivenAnswer, PermitChoice } from '@loader/web/server'
import { inOneLine } from '@loader/readings'
import { ruleText } from '@loader/workflow'
import { kindWords, sameAgain, scopeTitles } from '../../interactive/question.ts'

/** A call that needs a permission, with the rules that a lasting yes would add. */
export interface AskedPermit {
  readonly tool: string
  readonly rule: PermissionRule | undefined
  readonly exactRule: PermissionRule | undefined
  /** Whether rules of the project count in its later sessions. */
  readonly isTrusted: boolean
}

const once: PermitChoice = { letter: 'y', label: 'yes, this once', send: allow('once') }
const no: PermitChoice = {
  letter: 'n',
  label: 'no; a few words behind it tell the model why',
  send: { kind: 'permit', permit: 'deny', scope: 'once' },
}

/** What may be answered to a plan. */
export const planChoices: readonly PermitChoice[] = [
  { letter: 'y', label: 'yes, carry it out; words behind it say what to do differently', send: allow('once') },
  {
    letter: 'n',
    label: 'no; words behind it have the plan written anew',
    send: { kind: 'permit', permit: 'deny', scope: 'once' },
  },
]

/** What may be answered to a call, as at the terminal: a yes that lasts shows the rule that it adds. */
export function permitChoices(asked: AskedPermit): readonly PermitChoice[] {
  return [once, lasting('s', 'session', asked), lasting('a', 'always', asked), no]
}

type Scope = keyof typeof scopeTitles
const lengths = { session: 'for the rest of this session', always: 'always in this project' } as const

/** The terminal says this after such an answer. The page says it before, with the choice. */
const untilTrusted = '; new sessions count it once you trust the project (loader permissions trust)'

function lasting(letter: string, scope: Scope, { tool, rule, exactRule, isTrusted }: AskedPermit): PermitChoice {
  const length = `${lengths[scope]}${scope === 'session' || isTrusted ? '' : untilTrusted}`
  if (rule === undefined || exactRule === undefined) {
    const label = `yes, ${sameAgain(tool, rule)} ${length}`
    return { letter, label, send: allow(scope), ...(rule !== undefined && { rule: inOneLine(ruleText(rule)) }) }
  }
  const [exact, kind] = [inOneLine(ruleText(exactRule)), inOneLine(ruleText(rule))]
  const choices: readonly PermitChoice[] = [
    { letter: 'c', label: `this very call: ${exact}`, rule: exact, send: allow(scope, 'call') },
    { letter: 'k', label: `${kindWords(rule)}: ${kind}`, rule: kind, send: allow(scope, 'kind') },
    { ...once, label: 'neither; yes, this once' },
    no,
  ]
  return {
    letter,
    label: `yes, this very call or all of its kind, which is asked next, ${length}`,
    further: { title: scopeTitles[scope], choices },
  }
}

function allow(scope: 'once' | Scope, extent?: 'call' | 'kind'): GivenAnswer {
  return { kind: 'permit', permit: 'allow', scope, ...(extent !== undefined && { extent }) }
}

/** The choice that an answer takes; undefined if it is none of them. */
export function choiceFor(answer: GivenAnswer, choices: readonly PermitChoice[]): PermitChoice | undefined {
  if (answer.kind !== 'permit') return undefined
  const flat = choices.flatMap((choice) => [choice, ...(choice.further?.choices ?? [])])
  return flat.find(({ send }) => {
    return (
      send?.kind === 'permit' &&
      send.permit === answer.permit &&
      send.scope === answer.scope &&
      send.extent === answer.extent
    )
  })
}
