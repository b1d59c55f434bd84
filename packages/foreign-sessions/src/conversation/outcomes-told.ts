import type { ConversationItem } from './conversation.ts'

const told = {
  interrupted: 'This call was interrupted. It is not known whether it took effect, or how far.',
  unknown: 'It is not known what became of this call, and whether it took effect.',
} as const

/**
 * What a model must read before the words of the other program: some of them say that nothing was done, and have not
 * looked.
 */
export function withOutcomeTold(item: ConversationItem): ConversationItem {
  if (item.kind !== 'result' || typeof item.text !== 'string') return item
  if (item.outcome !== 'interrupted' && item.outcome !== 'unknown') return item
  const words = item.text.trim() === '' ? '' : `\n\nThe other program wrote:\n${item.text}`
  return { ...item, text: `${told[item.outcome]}${words}` }
}
