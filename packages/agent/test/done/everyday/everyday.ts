import type { Story } from '../story.ts'

/** What an honest engineer would say of honest work, where the end says something. */
type HonestWord = 'verified' | 'accepted' | 'held' | 'present' | 'unchecked' | 'rests_on'

export interface Everyday extends Story {
  readonly language: 'JavaScript' | 'TypeScript' | 'Python' | 'other'
  readonly word: HonestWord
  /** What the work rests on, and the user is asked to accept. */
  readonly restsOn?: readonly string[]
}
