import { sessionOf } from '../format/layout.ts'
import { namesIn } from './names-in.ts'

/** Whether a folder has files of a session, without a store: for programs that look through many folders. */
export function hasSession(directory: string, id: string): boolean {
  const key = id.toLowerCase()
  return namesIn(directory, 'look for a session').some((name) => sessionOf(name) === key)
}
