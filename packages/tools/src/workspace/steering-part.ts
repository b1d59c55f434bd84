import * as z from 'zod'

const Table = z.record(z.string(), z.unknown())

/**
 * What of a manifest decides how the project is checked: all but its description and its dependencies, unless one of
 * them is a tool that checks. Undefined for other files, and where that cannot be told for sure.
 */
export function steeringPartOf(path: string): ((text: string) => string | undefined) | undefined {
  switch (path.slice(path.lastIndexOf('/') + 1)) {
    case 'package.json':
      return ofPackageJson
    case 'Cargo.toml':
      return (text) => ofToml(text, cargoSections)
    case 'pyproject.toml':
      return (text) => ofToml(text, pythonSections)
    default:
      return undefined
  }
}

const aboutItself = new Set(
  `version description keywords author contributors maintainers license homepage bugs repository funding private
   files bin man publishConfig`.split(/\s+/),
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
    .map(([name, value]) => [name, dependencies.test(name) ? toolsAmong(value) : value])
  return JSON.stringify(steering.filter(([, value]) => !isEmpty(value)))
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
const pythonSections =
  /^\[(?:project|project\.optional-dependencies|dependency-groups|tool\.poetry\.(?:group\.[\w-]+\.|dev-)?dependencies)\]$/

/** Without the lines of these sections. Where a text may go over lines, a line does not tell what it belongs to. */
function ofToml(text: string, others: RegExp): string | undefined {
  if (/"""|'''/.test(text)) return undefined
  let isOther = false
  const steering = text.split(/\r?\n/).filter((line) => {
    const bare = line.trim()
    if (bare === '' || bare.startsWith('#')) return false
    if (bare.startsWith('[')) isOther = others.test(bare)
    return !isOther || checkingTool.test(bare.replace(others, ''))
  })
  return steering.join('\n')
}
