import type { Plan } from '@loader/session-core/coding'
import { itemsOf } from './items-of.ts'
import { oneLine } from './one-line.ts'
import { readSections, type TextSection } from './read-sections.ts'
import { verificationCommands } from './verification-commands.ts'

/** A parsed plan. */
export interface PlanReading {
  /** How to do it, in markdown. */
  readonly implementation: string
  /** How to check it, in markdown; empty if the plan does not say. */
  readonly verification: string
  readonly fileChanges: readonly string[]
  /** The execution order, else the file changes, else the task itself. */
  readonly steps: readonly string[]
  readonly risks: readonly string[]
  readonly criteria: readonly string[]
  readonly commands: readonly string[]
  readonly notes: readonly string[]
}

/** The line between the two halves of a plan. */
const planSeparator = '<<<VERIFICATION>>>'

const separatorLine = /^[#>*` \t]*<{2,3}[ \t]*VERIFICATION[ \t]*>{2,3}[*` \t\r]*$/im

const implementationNames = namesOf({
  file_changes: ['file changes', 'files', 'changes', 'files to change', 'files to create', 'changed files'],
  execution_order: [
    'execution order',
    'steps',
    'execution steps',
    'implementation steps',
    'implementation order',
    'order',
  ],
  risks: ['risks', 'risk'],
  progress: ['confirmed progress'],
})
const verificationNames = namesOf({
  acceptance_criteria: ['acceptance criteria', 'acceptance criterion', 'acceptance', 'success criteria', 'criteria'],
  verification_commands: ['verification commands', 'commands', 'checks', 'verification command', 'verification steps'],
  notes: ['notes', 'note'],
})

/** Parses a plan. Its two halves are split at the separator, or else at their headings. */
export function parsePlan(text: string, task: string): PlanReading {
  const [implementation, verification] = halvesOf(text)
  const before = readSections(implementation, implementationNames)
  const after = readSections(verification, verificationNames)
  const fileChanges = itemsOf(sectionLines(before, 'file_changes'))
  const order = itemsOf(sectionLines(before, 'execution_order'))
  const wanted = oneLine(task)
  return {
    implementation: implementation.trim(),
    verification: verification.trim(),
    fileChanges,
    steps: [order, fileChanges].find((steps) => steps.length > 0) ?? (wanted === '' ? [] : [wanted]),
    risks: itemsOf(sectionLines(before, 'risks')),
    criteria: itemsOf(sectionLines(after, 'acceptance_criteria')),
    commands: verificationCommands(sectionLines(after, 'verification_commands')),
    notes: itemsOf(sectionLines(after, 'notes')),
  }
}

/**
 * The plan that is used if none was written: the task is its only step and criterion. It has no command: a command that
 * cannot fail would verify anything.
 */
export function fallbackPlan(task: string): PlanReading {
  const wanted = oneLine(task)
  return parsePlan(
    `## Execution Order\n1. ${wanted}\n${planSeparator}\n## Acceptance Criteria\n- ${wanted}\n\n## Verification Commands`,
    task,
  )
}

/** Parses the plan of a session; null if its text is stored as a blob. */
export function readPlan({ implementation, verification = '' }: Plan, task: string): PlanReading | null {
  if (typeof implementation !== 'string' || typeof verification !== 'string') return null
  return parsePlan(`${implementation}\n${planSeparator}\n${verification}`, task)
}

function halvesOf(text: string): readonly [string, string] {
  const separator = separatorLine.exec(text)
  if (separator !== null) {
    return [text.slice(0, separator.index), text.slice(separator.index + separator[0].length)]
  }
  // A model that forgot the separator still wrote the headings.
  const heading = /^(?:#{1,6}\s+|\*\*)(?:Acceptance Criteria|Verification Commands|Verification)\b/im.exec(text)
  return heading === null ? [text, ''] : [text.slice(0, heading.index), text.slice(heading.index)]
}

function sectionLines<Name extends string>(sections: readonly TextSection<Name>[], name: Name): string[] {
  return sections.filter((section) => section.name === name).flatMap(({ lines }) => [...lines, ''])
}

function namesOf<Name extends string>(aliases: Readonly<Record<Name, readonly string[]>>): ReadonlyMap<string, Name> {
  const names = Object.keys(aliases) as Name[]
  return new Map(names.flatMap((name) => aliases[name].map((alias) => [alias, name] as const)))
}
