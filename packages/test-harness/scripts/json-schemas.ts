import { FinishReason, JsonObject, Usage } from '@loader/session-core'
import * as z from 'zod'
import { Fault } from '../src/script/fault.ts'
import { Chunks, Completion, Script, ScriptedCall, ScriptedPart } from '../src/script/script.ts'
import {
  WireMatch,
  OnTheWire,
  When,
  WireFault,
  WireLine,
  WireModel,
  WireScript,
  WireScripts,
} from '../src/wire/wire-script.ts'

/** The schemas under `$defs`, by name, with their descriptions. */
const sharedTypes: Readonly<Record<string, readonly [schema: z.core.$ZodType, description: string]>> = {
  Chunks: [Chunks, 'How an answer arrives.'],
  Completion: [Completion, 'What the model answers to one request, how that arrives, and what goes wrong.'],
  Fault: [Fault, 'What goes wrong.'],
  FinishReason: [FinishReason, 'Why the model stopped.'],
  ScriptedCall: [ScriptedCall, 'What the model wants a tool to do.'],
  ScriptedPart: [ScriptedPart, 'A part of an answer. `type` says which.'],
  Usage: [Usage, 'Tokens of one request.'],
  Match: [WireMatch, 'What a text has to be like.'],
  OnTheWire: [OnTheWire, 'How an answer goes over HTTP.'],
  When: [When, 'What a request has to be like. All that is named has to fit.'],
  WireFault: [WireFault, 'What goes wrong with the bytes.'],
  WireLine: [WireLine, 'What a server answers to one request, how that arrives, and what goes wrong.'],
  WireModel: [WireModel, 'A model that the server has.'],
  WireScript: [WireScript, 'The script of one model.'],
}

/** JSON Schemas of hand-written files, for editors and for programs in other languages. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  const metadata = new Names()
  for (const [id, [shared, description]] of Object.entries(sharedTypes)) metadata.add(shared, { id, description })
  const schemaOf = (title: string, schema: z.ZodType) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata, override })
    return { $schema, title, ...rest }
  }
  return {
    script: schemaOf('Script of a model', Script),
    'wire-script': schemaOf(
      'Script of a model behind a server, or several by name',
      z.union([WireScript, WireScripts]),
    ),
  }
}

/** Names schemas, in addition to their global descriptions. */
class Names extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get<Schema extends z.core.$ZodType>(schema: Schema) {
    return { ...super.get(schema), ...z.globalRegistry.get(schema) }
  }
}

/** Adds constraints that the schemas check in code and that JSON Schema can express. */
const override: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  if (zodSchema === JsonObject) Object.assign(jsonSchema, { type: 'object' })
  if (zodSchema === Completion || zodSchema === WireLine)
    Object.assign(jsonSchema, { dependentSchemas: { content: standsAlone } })
}

const standsAlone = { properties: { text: false, calls: false, reasoning: false } }
