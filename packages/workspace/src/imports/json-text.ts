import type { SyntaxNode } from '@lezer/common'
import { parse } from './parse.ts'

/** The value of a JSON text, comments and trailing commas allowed; undefined if it is none. */
export async function jsonOf(text: string, milliseconds: number): Promise<unknown> {
  const whole = text.replace(/^\ufeff/, '')
  const plain = plainJsonOf(whole)
  if (plain !== undefined) return plain
  const parsed = await parse('json', whole, milliseconds)
  if (parsed.kind === 'stopped') return undefined
  for (let node = parsed.tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    if (!node.name.endsWith('Comment')) return valueOf(node, whole)
  }
  return undefined
}

function plainJsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function valueOf(node: SyntaxNode, text: string): unknown {
  const source = text.slice(node.from, node.to)
  switch (node.name) {
    case 'ObjectExpression':
      return Object.fromEntries(
        node.getChildren('Property').flatMap((property) => {
          const { firstChild: key, lastChild: value } = property
          return key?.name === 'String' && value !== null ? [[valueOf(key, text), valueOf(value, text)]] : []
        }),
      )
    case 'ArrayExpression': {
      const values: unknown[] = []
      for (let child = node.firstChild; child !== null; child = child.nextSibling) {
        if (!['[', ']', ','].includes(child.name) && !child.name.endsWith('Comment')) values.push(valueOf(child, text))
      }
      return values
    }
    default:
      return plainJsonOf(source)
  }
}
