import type { ActAnswers, ActBodies, ActName, FleetAnswer, Request } from '../../acts.ts'

/** What the server needs of the program that starts it, to act and to tell how sessions stand. */
export interface Acting {
  /**
   * Carries out an act. What it answers is durable. An `ActRefused` says why it was not carried out; a request that was before
   * is carried out once, also by another process.
   */
  readonly act: { readonly [Name in ActName]: (body: ActBodies[Name] & Request) => Promise<ActAnswers[Name]> }
  /** The workers and what is in line; undefined where there are none. */
  fleet(): Promise<FleetAnswer | undefined>
}
