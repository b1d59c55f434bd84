// The JSON Schemas that the package ships, written from its sources: schemas/NAME.schema.json.
import { mkdirSync, writeFileSync } from 'node:fs'
import { jsonSchemas } from './json-schemas.ts'

const folder = new URL('../schemas/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, schema] of Object.entries(jsonSchemas())) {
  writeFileSync(new URL(`${name}.schema.json`, folder), JSON.stringify(schema, null, 2) + '\n')
}
