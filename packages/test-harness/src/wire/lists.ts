import { anthropicWords } from './anthropic-words.ts'
import { geminiWords } from './gemini-words.ts'
import { ollamaWords } from './ollama-words.ts'
import { openaiWords } from './openai-words.ts'
import type { PreparedScript } from './prepared-script.ts'
import { jsonReply, type WireReply, send } from './reply.ts'
import type { Endpoint } from './routes.ts'
import type { WireModel } from './wire-script.ts'
import { fieldsOf } from '../history-faults/check.ts'

type ListEndpoint = Extract<Endpoint, { type: 'models' | 'tags' | 'show' | 'ps' | 'version' | 'alive' }>

/** The server's answers about its models and itself. */
export function listReply(endpoint: ListEndpoint, script: PreparedScript, body: unknown): WireReply {
  const models = script.models ?? [{ id: 'scripted' }]
  switch (endpoint.type) {
    case 'models':
      return modelLists[endpoint.dialect](models, endpoint.model)
    case 'tags':
      return jsonReply(200, { models: models.map(tagOf) })
    case 'ps':
      return jsonReply(200, { models: models.map(runningOf) })
    case 'show': {
      const { model, name } = fieldsOf(body)
      const id = typeof model === 'string' ? model : name
      return show(models, typeof id === 'string' ? id : '', script.models === undefined)
    }
    case 'version':
      return jsonReply(200, { version: '0.12.0' })
    case 'alive':
      return { status: 200, headers: { 'content-type': 'text/plain' }, steps: [send('Ollama is running')] }
    default:
      return endpoint satisfies never
  }
}

const seconds = 1_767_225_600
const time = '2026-01-01T00:00:00Z'

function openaiModels(models: readonly WireModel[], id: string | undefined): WireReply {
  const shown = models.map(({ id: name, contextWindow }) => ({
    id: name,
    object: 'model',
    created: seconds,
    owned_by: 'scripted',
    // Not part of OpenAI's API: servers of local models report their window in this field.
    ...(contextWindow !== undefined && { max_model_len: contextWindow }),
  }))
  if (id === undefined) return jsonReply(200, { object: 'list', data: shown })
  const one = shown.find((model) => model.id === id)
  const said = openaiWords.sayNoModel(id)
  return one ? jsonReply(200, one) : jsonReply(said.status, openaiWords.errorBody(said, 0))
}

function anthropicModels(models: readonly WireModel[], id: string | undefined): WireReply {
  const shown = models.map(({ id: name, contextWindow }) => ({
    type: 'model',
    id: name,
    display_name: name,
    created_at: time,
    ...(contextWindow !== undefined && { max_input_tokens: contextWindow }),
  }))
  if (id === undefined)
    return jsonReply(200, { data: shown, has_more: false, first_id: shown[0]?.id, last_id: shown.at(-1)?.id })
  const one = shown.find((model) => model.id === id)
  const said = anthropicWords.sayNoModel(id)
  return one ? jsonReply(200, one) : jsonReply(said.status, anthropicWords.errorBody(said, 0))
}

function geminiModels(models: readonly WireModel[], id: string | undefined): WireReply {
  const shown = models.map(({ id: name, contextWindow = unlimited }) => ({
    name: `models/${name}`,
    version: '001',
    displayName: name,
    inputTokenLimit: contextWindow,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }))
  if (id === undefined) return jsonReply(200, { models: shown })
  const one = shown.find(({ name }) => name === `models/${id}`)
  const said = geminiWords.sayNoModel(id)
  return one ? jsonReply(200, one) : jsonReply(said.status, geminiWords.errorBody(said, 0))
}

const modelLists = { openai: openaiModels, anthropic: anthropicModels, gemini: geminiModels } as const

function tagOf({ id }: WireModel): object {
  return { name: id, model: id, modified_at: time, size: 1_000_000, digest: 'scripted', details }
}

function runningOf({ id, contextWindow }: WireModel): object {
  return {
    ...tagOf({ id }),
    expires_at: '2126-01-01T00:00:00Z',
    size_vram: 1_000_000,
    context_length: contextWindow ?? unlimited,
  }
}

function show(models: readonly WireModel[], id: string, isAnyName: boolean): WireReply {
  const model = models.find((one) => one.id === id.replace(/:latest$/, '') || one.id === id)
  if (model === undefined && !isAnyName) {
    const said = ollamaWords.sayNoModel(id)
    return jsonReply(said.status, ollamaWords.errorBody(said, 0))
  }
  const { contextWindow = unlimited, capabilities = ['tools', 'thinking', 'vision'] } = model ?? {}
  return jsonReply(200, {
    modelfile: '',
    parameters: '',
    template: '',
    details,
    model_info: { 'general.architecture': 'scripted', 'scripted.context_length': contextWindow },
    capabilities: ['completion', ...capabilities],
    modified_at: time,
  })
}

/** For fields that require a limit where there is none. */
const unlimited = 1_048_576

const details = {
  parent_model: '',
  format: 'gguf',
  family: 'scripted',
  families: ['scripted'],
  parameter_size: '1B',
  quantization_level: 'F16',
}
