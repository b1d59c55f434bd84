import { readAgents, readSkills } from '@loader/extensions'
import { inOneLine } from '@loader/readings'
import { ruleText } from '@loader/workflow'
import { customCommands } from '../custom/find-commands.ts'
import { hooksOfRun } from '../hooks/hooks-of-run.ts'
import { serversOfRun } from '../mcp/servers-of-run.ts'
import type { Places } from '../places/places.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { skillPlaces } from '../skills/configured.ts'
import { rulesInForce } from './rules-files.ts'

/** All that counts, or runs, once this project is trusted, each with its file. It throws where a file is not valid. */
export function whatTrustGives(places: Places): readonly string[] {
  const loaded = loadSettings(places)
  const settings = loaded.origins.filter(({ ignored }) => ignored !== undefined)
  const told = new Set(settings.flatMap(({ name, source }) => (name === 'hooks' ? [source] : [])))
  const hooks = hooksOfRun({ ...loaded, trusted: false }, places).inert.filter(({ source }) => !told.has(source))
  const ofProject = ({ origin }: { readonly origin: 'user' | 'project' }) => origin === 'project'
  const lenders = [
    ...[...readSkills(skillPlaces(places)).skills.values()].map((skill) => ({ ...skill, kind: 'skill' })),
    ...[...customCommands(places).values()].map((command) => ({ ...command, kind: 'command' })),
  ]
  const agents = [...readAgents({ ...skillPlaces(places), trusted: true }).agents.values()].filter(ofProject)
  const servers = serversOfRun({ places, loaded: { ...loaded, trusted: true }, files: [] }).servers
  const starting = servers.filter(({ ofProject, inert, source }) => {
    return ofProject && inert === undefined && !settings.some((one) => one.source === source)
  })
  const given: readonly (readonly [what: string, file: string])[] = [
    ...rulesInForce(places, 'untrusted').inert.map((rule) => [`allow ${ruleText(rule)}`, rule.source ?? ''] as const),
    ...settings.map(({ name, value, source }) => [`${name} = ${JSON.stringify(value)}`, source] as const),
    ...hooks.map(({ event, command, source }) => [`on ${event} runs: ${command}`, source] as const),
    ...starting.map(({ name, server: { command, args = [], url }, source }) => {
      return [`server ${name} starts: ${url ?? [command, ...args].join(' ')}`, source] as const
    }),
    ...lenders
      .filter((one) => ofProject(one) && one.allowedTools.length > 0)
      .map(
        ({ kind, name, allowedTools, file }) => [`${kind} ${name} allows ${allowedTools.join(', ')}`, file] as const,
      ),
    ...agents.flatMap(({ name, model, file }) =>
      model === undefined ? [] : [[`agent ${name} uses the model ${model}`, file] as const],
    ),
  ]
  return given.map(([what, file]) => `${inOneLine(what)}  (${inOneLine(file)})`)
}
