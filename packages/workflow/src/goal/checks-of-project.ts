import type { SessionState } from '@loader/session-core'
import type { ProjectFacts } from '@loader/session-core/coding'
import type { Proposal } from './proposal.ts'

const texts = {
  test: 'the tests of the project pass',
  typecheck: 'the project passes its type check',
  build: 'the project builds',
  lint: 'the project passes its linter',
} as const

/** The checks that a project declares, all of them. */
export function checksOfProject({ workspace }: SessionState): readonly Proposal[] {
  return checksIn(workspace?.facts ?? {})
}

export function checksIn({ commands = {} }: ProjectFacts): readonly Proposal[] {
  return Object.entries(texts).flatMap(([kind, text]) => {
    const command = commands[kind]?.trim()
    return command === undefined || command === '' ? [] : [{ command, text, kind, source: 'project' as const }]
  })
}
