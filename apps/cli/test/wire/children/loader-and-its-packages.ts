// Runs `loader` from its sources, with the arguments behind the first, and writes the packages of providers that were
// loaded on the way into the file that the first one names.
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const [node = '', , report = '', ...words] = process.argv
const loaded = new Set<string>()

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const [, name] =
      /node_modules\/(@ai-sdk\/[^/]+|@anthropic-ai\/[^/]+|openai|ollama|ai)\/(?!.*node_modules)/.exec(resolved.url) ??
      []
    if (name !== undefined) loaded.add(name)
    return resolved
  },
})

process.on('exit', () => writeFileSync(report, JSON.stringify([...loaded].toSorted())))
const command = new URL('../../../src/loader.ts', import.meta.url)
process.argv.splice(0, process.argv.length, node, command.pathname, ...words)
await import(command.href)
