import type { SyntaxNode } from '@lezer/common'

/** In these nodes white space between tokens is part of the content. */
const texts = new Set(['String', 'TemplateString', 'FormatString', 'RegExp', 'JSXText'])

/** Tokens and structure of a piece of program, without its comments and its layout. */
export function shapeOf(node: SyntaxNode, text: string): string {
  let shape = ''
  const cursor = node.cursor()
  cursor.iterate(
    ({ name, from, to, node: { firstChild } }) => {
      if (name.endsWith('Comment')) return false
      const isLeaf = firstChild === null || texts.has(name)
      shape += isLeaf ? `${text.slice(from, to)} ` : `${name}(`
      return !isLeaf
    },
    () => {
      shape += ')'
    },
  )
  return shape
}
