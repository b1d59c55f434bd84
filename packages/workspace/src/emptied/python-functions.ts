import type { SyntaxNode, Tree } from '@lezer/common'
import type { FoundFunction } from './javascript-functions.ts'
import { shapeOf } from './shape-of.ts'

/** Methods that create an object. They are kept: without an object no other method of the class could run. */
const constructors = new Set(['__init__', '__new__', '__post_init__', '__init_subclass__', '__set_name__'])

/** Every function but constructors; lambdas as well. */
export function pythonFunctions(tree: Tree, text: string): readonly FoundFunction[] {
  const found: FoundFunction[] = []
  const walk = (node: SyntaxNode, above: readonly string[]) => {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      const name = nameOf(child, text)
      const own = name === undefined ? above : [...above, name]
      const one = functionOf(child, text)
      if (one !== undefined && !constructors.has(name ?? '')) {
        // A decorator changes what a function does, so it belongs to the function.
        const whole = child.parent?.name === 'DecoratedStatement' ? child.parent : child
        found.push({ name: own.join('.'), shape: shapeOf(whole, text), ...one })
      }
      walk(child, own)
    }
  }
  walk(tree.topNode, [])
  return found
}

function nameOf(node: SyntaxNode, text: string): string | undefined {
  if (node.name === 'LambdaExpression') return 'lambda'
  if (node.name !== 'FunctionDefinition' && node.name !== 'ClassDefinition') return undefined
  const name = node.getChild('VariableName')
  return name === null ? '' : text.slice(name.from, name.to)
}

function functionOf(node: SyntaxNode, text: string): Pick<FoundFunction, 'from' | 'to' | 'empty'> | undefined {
  const body = node.lastChild
  if (body === null) return undefined
  if (node.name === 'LambdaExpression') return { from: body.from, to: body.to, empty: 'None' }
  if (node.name !== 'FunctionDefinition' || body.name !== 'Body') return undefined
  const to = body.from + text.slice(body.from, body.to).trimEnd().length
  return { from: body.from, to, empty: yields(body) ? ': return; yield' : ': return' }
}

/** Whether the function itself contains a `yield`. Functions nested in it do not count. */
function yields(node: SyntaxNode): boolean {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (/^(FunctionDefinition|LambdaExpression|ClassDefinition)$/.test(child.name)) continue
    if (child.name.startsWith('Yield') || child.name === 'yield' || yields(child)) return true
  }
  return false
}
