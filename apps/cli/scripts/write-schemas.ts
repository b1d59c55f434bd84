// The JSON Schemas of what commands and runs print, as they are shipped: schemas/NAME.schema.json.
import { mkdirSync, writeFileSync } from 'node:fs'
import { publishedSchemas } from '../src/schemas/published.ts'

const folder = new URL('../schemas/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, schema] of Object.entries(publishedSchemas())) {
  writeFileSync(new URL(`${name}.schema.json`, folder), `${JSON.stringify(schema, null, 2)}\n`)
}
