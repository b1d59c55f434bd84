import type { Refusal } from '../../protocol.ts'

/** Why an act was not carried out, for the page to show. Nothing has changed then. */
export class ActRefused extends Error {
  readonly refusal: Refusal['error']

  constructor(code: string, message: string, more: Pick<Refusal['error'], 'by' | 'permit'> = {}) {
    super(message)
    this.refusal = { code, message, ...more }
  }
}
