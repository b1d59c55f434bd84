import { describeGap, type LostEvents } from '@loader/session-core'
import { counted } from './amounts.ts'

/** Describes a range of unreadable events in a sentence or two. */
export function gapText({ first, last, bytes, before, after }: LostEvents): string {
  const count = last - first + 1
  const extent = [
    ...(count > 1 ? [counted(count, 'event')] : []),
    ...(bytes === null ? [] : [`${counted(bytes, 'damaged byte')}`]),
  ]
  const around = [
    ...(before === null ? [] : [`after ${before.type} (event ${before.seq}, ${before.at})`]),
    ...(after === null ? [] : [`before ${after.type} (event ${after.seq}, ${after.at})`]),
  ]
  const what = `${describeGap({ first, last })} cannot be read`
  const known = [
    ...(extent.length > 0 ? [`: ${extent.join(', ')}`] : []),
    ...(around.length > 0 ? [`, ${around.join(' and ')}`] : []),
  ]
  return `${what}${known.join('')}. What happened there is not known.`
}
