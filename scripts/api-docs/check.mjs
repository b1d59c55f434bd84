// Each name that users can import has a doc comment, and each link in one leads somewhere: `node scripts/api-docs/check.mjs`.
import { readApi, undocumented } from './api.mjs'

const { app, project } = await readApi()
app.validate(project)
const { names, missing } = undocumented(project)
for (const name of missing) console.error(`${name} has no doc comment`)
console.log(`${names} exported names, ${missing.length} without a doc comment`)
process.exitCode = names > 0 && missing.length === 0 && !app.logger.hasErrors() && !app.logger.hasWarnings() ? 0 : 1
