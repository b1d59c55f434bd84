import type { ProjectFacts } from '@loader/session-core/coding'
import { makeFacts } from './make-facts.ts'
import { type MarkerFiles, markerFiles } from './marker-files.ts'
import { nodeFacts } from './node-facts.ts'
import { pythonFacts } from './python-facts.ts'

/** The facts observed about a project; nothing is guessed. */
export type ObservedFacts = Omit<ProjectFacts, 'instructions'>

/**
 * The facts of the first project kind whose marker files exist; Makefile targets add what that kind does not declare.
 */
export async function projectFacts(root: string): Promise<ObservedFacts> {
  const files = markerFiles(root)
  const make = await makeFacts(files)
  const facts = (await nodeFacts(files)) ?? (await pythonFacts(files)) ?? rustFacts(files) ?? goFacts(files) ?? make
  if (facts === undefined) return {}
  const { commands: own, ...rest } = facts
  const commands = { ...make?.commands, ...own }
  return Object.keys(commands).length > 0 ? { ...rest, commands } : rest
}

function rustFacts(files: MarkerFiles): ObservedFacts | undefined {
  if (!files.has('Cargo.toml')) return undefined
  const lint = files.has('clippy.toml') || files.has('.clippy.toml') ? { lint: 'cargo clippy' } : {}
  const commands = { test: 'cargo test', build: 'cargo build', typecheck: 'cargo check', ...lint }
  return { kind: 'rust', packageManager: 'cargo', commands }
}

function goFacts(files: MarkerFiles): ObservedFacts | undefined {
  if (!files.has('go.mod')) return undefined
  const lint = ['.golangci.yml', '.golangci.yaml', '.golangci.toml'].some(files.has)
    ? { lint: 'golangci-lint run' }
    : {}
  const commands = { test: 'go test ./...', build: 'go build ./...', typecheck: 'go vet ./...', ...lint }
  return { kind: 'go', packageManager: 'go', commands }
}
