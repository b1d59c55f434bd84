// Reads every changeset: a broken header or an unknown package is an error now and not on the day of the release.
// (`changeset status` compares with another branch, and so says nothing on a clone without history.)
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readChangesets } from '@changesets/read'

const manifests = ['packages', 'apps']
  .filter((group) => existsSync(group))
  .flatMap((group) => readdirSync(group).map((name) => join(group, name, 'package.json')))
  .filter((file) => existsSync(file))
const known = new Set(manifests.map((file) => JSON.parse(readFileSync(file, 'utf8')).name))

const changesets = await readChangesets(process.cwd())
for (const { id, releases } of changesets) {
  for (const { name } of releases)
    if (!known.has(name)) fail(`.changeset/${id}.md names ${name}, which is no package here`)
  if (releases.length === 0) fail(`.changeset/${id}.md names no package`)
}
console.log(`${changesets.length} changesets`)

function fail(message) {
  console.log(message)
  process.exitCode = 1
}
