// The API reference of every public package, as a web site: `pnpm run api-docs [folder]`.
import { join, resolve } from 'node:path'
import { readApi } from './api.mjs'

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../.turbo/api-docs'))
const { app, project } = await readApi()
await app.generateDocs(project, folder)
console.log(join(folder, 'index.html'))
process.exitCode = app.logger.hasErrors() ? 1 : 0
