import type { Verification } from '@loader/session-core'
import { MortalStore } from '../mortal-store.ts'
import { wrong, type WrongStore } from './wrong-store.ts'

/** Looks at sessions, and sees nothing in texts that no event names. */
class OverlooksTexts extends MortalStore {
  verify(id: string): Promise<Verification> {
    return Promise.resolve({ id, intact: true, events: { first: 1, last: 1, missing: [] }, files: [], findings: [] })
  }
}

export const wrongUnnamedTexts: readonly WrongStore[] = [
  wrong(
    'overlooks texts that no event names',
    () => new OverlooksTexts(),
    'such a text is told as a note, and is no damage',
    'it goes with the first claim after the end of its process, and what is named stays',
  ),
]
