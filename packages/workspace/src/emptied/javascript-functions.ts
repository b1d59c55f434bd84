import type { SyntaxNode, Tree } from '@lezer/common'
import { shapeOf } from './shape-of.ts'

export interface FoundFunction {
  /** Qualified by what contains it: `Class.method`, `outer.inner`. */
  readonly name: string
  readonly shape: string
  /** The range of its body, and the text that replaces it. */
  readonly from: number
  readonly to: number
  readonly empty: string
}

const functions = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunction',
  'MethodDeclaration',
  'Property',
])
const namers = new Set(['ClassDeclaration', 'ClassExpression', 'PropertyDeclaration', 'Property', 'MethodDeclaration'])

/** Every function with a body, except constructors and functions called where they are defined: those wrap a module. */
export function javascriptFunctions(
  tree: Tree,
  text: string,
  language: 'javascript' | 'typescript',
): readonly FoundFunction[] {
  const found: FoundFunction[] = []
  const walk = (node: SyntaxNode, above: readonly string[]) => {
    let name: string | undefined
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      // `const a = …, b = …`: the name before the value.
      if (child.name === 'VariableDefinition' || child.name === 'TypeDefinition')
        name = text.slice(child.from, child.to)
      const isNamed = functions.has(child.name) || namers.has(child.name)
      const own = isNamed ? [...above, ownName(child, text) ?? name ?? ''] : name === undefined ? above : above
      const body = bodyOf(child)
      if (body !== undefined && !isConstructor(child, text) && !isCalled(child)) {
        const { from, to } = body
        found.push({
          name: own.join('.'),
          shape: shapeOf(child, text),
          from,
          to,
          empty: emptyOf(child, body, language),
        })
      }
      walk(child, own)
    }
  }
  walk(tree.topNode, [])
  return found
}

function ownName(node: SyntaxNode, text: string): string | undefined {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (/Definition$|^(String|Number)$/.test(child.name) && child.name !== 'TypeDefinition') {
      const kind = child.prevSibling?.name
      const prefix = kind === 'get' || kind === 'set' ? `${kind} ` : ''
      return prefix + text.slice(child.from, child.to)
    }
    if (child.name === 'ParamList' || child.name === 'Block' || child.name === 'ClassBody') return undefined
  }
  return undefined
}

function bodyOf(node: SyntaxNode): SyntaxNode | undefined {
  if (!functions.has(node.name)) return undefined
  const last = node.lastChild
  if (last === null) return undefined
  if (node.name === 'ArrowFunction') return last
  // A property with a value has no list of parameters of its own.
  return last.name === 'Block' && node.getChild('ParamList') !== null ? last : undefined
}

function isConstructor(node: SyntaxNode, text: string): boolean {
  return node.name === 'MethodDeclaration' && node.getChild('static') === null && ownName(node, text) === 'constructor'
}

function isCalled(node: SyntaxNode): boolean {
  const outer = node.parent?.name === 'ParenthesizedExpression' ? node.parent : node
  const call = outer.parent
  return call !== null &&
    /^(CallExpression|NewExpression|UnaryExpression)$/.test(call.name) &&
    call.getChild('ArgList') !== null
    ? call.firstChild?.from === outer.from || call.name === 'UnaryExpression'
    : false
}

/** Returns `undefined as never`, which fits every return type, so that the compiler accepts the emptied file. */
function emptyOf(node: SyntaxNode, body: SyntaxNode, language: 'javascript' | 'typescript'): string {
  const isPlain = language === 'javascript'
  if (body.name !== 'Block') return isPlain ? 'undefined' : '(undefined as never)'
  return isPlain || node.getChild('set') !== null ? '{}' : '{ return undefined as never }'
}
