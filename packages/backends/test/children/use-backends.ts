// Imports the package, does what the argument says, and prints which packages of the AI SDK were loaded at each step.
// A package that the second argument names is not installed, as far as this process knows.
import { registerHooks } from 'node:module'

const [step = 'import', missing = ''] = process.argv.slice(2)
const loaded = new Set<string>()

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === missing) {
      const message = `Cannot find package '${specifier}' imported from ${context.parentURL}`
      throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
    }
    const resolved = next(specifier, context)
    const [, name] = /node_modules\/((?:@ai-sdk\/|ai(?=\/))[^/]*)\/(?!.*node_modules)/.exec(resolved.url) ?? []
    if (name !== undefined) loaded.add(name)
    return resolved
  },
})

const { anthropic, backendFor, openaiCompatible } = await import('@loader/backends')
const report: Record<string, unknown> = { imported: [...loaded] }

if (step !== 'import') {
  const nowhere = { baseUrl: 'http://127.0.0.1:9/v1', variables: {}, apiKey: 'sk-test-0123456789' }
  const names = ['openai/m', 'anthropic/m', 'vllm/m', 'ollama/m']
  const backends = names.map((name) => backendFor(name, nowhere))
  report['made'] = [...loaded]
  const backend =
    step === 'anthropic' ? anthropic({ ...nowhere, model: 'm' }) : openaiCompatible({ ...nowhere, model: 'm' })
  report['count'] = backends.length
  try {
    const request = { requestId: 'r', purpose: 'answer', system: '', messages: [], tools: [] } as const
    for await (const event of backend.stream(request)) report['event'] = event.type
  } catch (error) {
    report['error'] = { name: (error as Error).name, code: (error as { code?: string }).code, message: String(error) }
  }
  report['used'] = [...loaded]
}
console.log(JSON.stringify(report))
