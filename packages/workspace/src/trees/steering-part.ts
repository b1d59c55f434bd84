import * as z from 'zod'
import { type EntryChange, readBlobs } from './ask-side.ts'
import type { RawPath } from './raw-path.ts'
import type { SideRepository } from './side-repository.ts'

const Table = z.record(z.string(), z.unknown())

/** Manifests among the changes in which nothing that steers checks is different. */
export async function onlyDependencies(
  side: SideRepository,
  changes: readonly EntryChange[],
): Promise<ReadonlySet<RawPath>> {
  const manifests = changes.flatMap(({ path, before, after }) => {
    const partOf = steeringPartOf(path)
    return partOf === undefined || before === undefined || before.mode !== after?.mode
      ? []
      : [{ path, partOf, before, after }]
  })
  const blobs = await readBlobs(
    side,
    manifests.flatMap(({ before, after }) => [before.blob, after.blob]),
  )
  const unaltered = manifests.filter(({ partOf, before, after }) => {
    const [was, is] = [before, after].map(({ blob }) => {
      const content = blobs.get(blob)
      return content && partOf(content.toString('utf8'))
    })
    return was !== undefined && was === is
  })
  return new Set(unaltered.map(({ path }) => path))
}

/**
 * What of a manifest decides how the project is checked: all but its description and its dependencies, unless one of
 * them is a tool that checks. Undefined for other files, and where that cannot be told for sure.
 */
function steeringPartOf(path: string): ((text: string) => string | undefined) | undefined {
  switch (path.slice(path.lastIndexOf('/') + 1)) {
    case 'package.json':
      return ofPackageJson
    case 'Cargo.toml':
      return (text) => ofToml(text, cargoSections)
    case 'go.mod':
      return ofGoModule
    case 'Pipfile':
      return (text) => ofToml(text, pipenvSections)
    case 'pyproject.toml':
      return (text) => ofToml(text, pythonSections)
    default:
      return undefined
  }
}

const aboutItself = new Set(
  `version description keywords author contributors maintainers license homepage bugs repository funding private
   files man publishConfig`.split(/\s+/),
)
const dependencies = /^(?:dev|peer|optional)?dependencies$/i

/** Whoever replaces one of these replaces what checks. */
const checkingTool =
  /test|spec|jest|mocha|jasmine|chai|sinon|\bava\b|\btape?\b|uvu|cypress|playwright|karma|\bc8\b|nyc|istanbul|coverage|typescript|\btsc?\b|tsx|tsup|lint|prettier|biome|babel|swc|webpack|rollup|vite|esbuild|parcel|turbo|\bnx\b|lerna|tox|nox|ruff|mypy|pyright|flake|black|hypothesis|proptest|criterion|clippy/i

function ofPackageJson(text: string): string | undefined {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const { success, data } = Table.safeParse(manifest)
  if (!success) return undefined
  const steering = Object.entries(data)
    .filter(([name]) => !aboutItself.has(name))
    .map(([name, value]) => [name, steeringValue(name, value)])
  return JSON.stringify(steering.filter(([, value]) => !isEmpty(value)))
}

function steeringValue(name: string, value: unknown): unknown {
  if (dependencies.test(name)) return toolsAmong(value)
  if (name === 'bin') return commandsAmong(value)
  return name === 'scripts' ? withoutServers(value) : value
}

/** A command of the project goes before an installed one of the same name. */
function commandsAmong(value: unknown): unknown {
  const commands = Table.safeParse(value)
  return commands.success ? Object.entries(commands.data).filter(([name]) => checkingTool.test(name)) : []
}

/** Scripts that start the program for people to look at, as long as no other script does so too. */
function withoutServers(value: unknown): unknown {
  const scripts = Table.safeParse(value)
  if (!scripts.success) return value
  const all = Object.entries(scripts.data)
  return all.filter(([name]) => {
    const isNamed = all.some(([other, script]) => other !== name && String(script).includes(name))
    return isNamed || !/^(?:start|dev|serve|preview)$/.test(name)
  })
}

function toolsAmong(value: unknown): unknown {
  const versions = Table.safeParse(value)
  if (!versions.success) return value
  // A name may stand for another package: `"left-pad": "npm:vitest"`.
  return Object.entries(versions.data).filter(
    ([name, version]) => checkingTool.test(name) || typeof version !== 'string' || !/^[\w^~<>=*. |-]+$/.test(version),
  )
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

const cargoSections = /^\[(?:workspace\.|target\.[^\]]+\.)?(?:dev-|build-)?dependencies(?:\.[\w-]+)?\]$/
const pipenvSections = /^\[(?:dev-)?packages\]$/
const pythonSections =
  /^\[(?:project|project\.optional-dependencies|dependency-groups|tool\.poetry\.(?:group\.[\w-]+\.|dev-)?dependencies)\]$/

/**
 * A package from another place, a key of a section further down, or a character that is written out: what comes of these
 * is not seen in the line.
 */
const standsForAnother =
  /\b(?:path|git|package|registry|url|file)\s*=|@\s*(?:file|git|https?)\b|:\/\/|\\|^(?:[\w-]+|(["'])[^"']*\1)\s*\.\s*(?!workspace\b)/

/** What is required from elsewhere is no part of it, unless it is what tests are written with. */
function ofGoModule(text: string): string {
  let requires = false
  const steering = text.split(/\r?\n/).filter((line) => {
    const bare = line.replace(/\/\/.*$/, '').trim()
    if (bare === '' || /^(?:go|toolchain go)[\d. ]+$/.test(bare)) return false
    const begins = /^require\s*\($/.test(bare)
    const isRequired = requires || begins || /^require\s/.test(bare)
    requires = begins || (requires && bare !== ')')
    return !isRequired || checkingTool.test(bare) || /gomega|ginkgo|go-cmp|\bassert\b|mock/.test(bare)
  })
  return steering.join('\n')
}

/** Without the lines of these sections. Where a text may go over lines, a line does not tell what it belongs to. */
function ofToml(text: string, others: RegExp): string | undefined {
  if (/"""|'''/.test(text)) return undefined
  let isOther = false
  const steering = text.split(/\r?\n/).filter((line) => {
    const bare = line.trim()
    if (bare === '' || bare.startsWith('#')) return false
    if (bare.startsWith('[')) isOther = others.test(bare)
    return !isOther || checkingTool.test(bare.replace(others, '')) || standsForAnother.test(bare)
  })
  return steering.join('\n')
}
