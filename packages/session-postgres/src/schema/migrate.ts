import { LoaderError } from '@loader/session-core'
import type { QueryResult, Database, RunStatement } from '../database/database.ts'
import { sqlStateOf, storageError } from '../database/failure.ts'
import { migrations, schemaVersion } from './migrations.ts'

const lock = {
  name: 'migrate_lock',
  text: `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('loader $schema'::pg_catalog.text, 0::bigint))`,
}
const inCatalog = { name: 'migrate_path', text: `set local search_path = pg_catalog` }
const make = { name: 'migrate_make', text: `create schema $schema` }
const makeTable = {
  name: 'migrate_table',
  text: `create table $schema.migration (version int primary key, applied_at timestamptz not null default now())`,
}
const fitness = `
  pg_catalog.current_setting('server_encoding') as encoding, pg_catalog.current_setting('synchronous_commit') as commit`
const isThere = {
  name: 'migrate_there',
  text: `
    select pg_catalog.to_regnamespace('$schema') is not null as schema_is_there,
      pg_catalog.to_regclass('$schema.migration') is not null as table_is_there, ${fitness}`,
}
const look = {
  name: 'migrate_look',
  text: `select coalesce(pg_catalog.max(version), 0) as version, ${fitness} from $schema.migration`,
}
const note = { name: 'migrate_note', text: `insert into $schema.migration (version) values ($1)` }

/**
 * Brings the schema to the version that this package knows, step by step, one process at a time: all steps, or none. A
 * schema that is newer is left alone, and refused.
 */
export async function migrate(database: Database): Promise<void> {
  try {
    if ((await versionNow(database)) !== schemaVersion) await database.bare(migrateAlone)
  } catch (error) {
    throw storageError(error, `bring the schema ${database.schema} to version ${schemaVersion}`)
  }
}

async function migrateAlone(run: RunStatement): Promise<void> {
  // Whatever others have put before it in the path of this user.
  await run(inCatalog, [])
  await run(lock, [])
  const { rows } = await run(isThere, [])
  const [around = {}] = rows
  requireFit(around)
  if (around['schema_is_there'] !== true) await run(make, [])
  if (around['table_is_there'] !== true) await run(makeTable, [])
  const found = versionIn(await run(look, []))
  for (const { version, sql } of migrations.filter((each) => each.version > found)) {
    for (const [index, text] of sql.split(';').entries()) {
      if (text.trim() !== '') await run({ name: `migration_${version}_${index}`, text }, [])
    }
    await run(note, [version])
  }
}

/** Refuses a schema that is not there, or of another version than this package knows. */
export async function requireSchema(database: Database): Promise<void> {
  const found = await versionNow(database).catch((error: unknown) => {
    throw storageError(error, `look at the schema ${database.schema}`)
  })
  if (found === schemaVersion) return
  throw new LoaderError(
    'invalid_config',
    `The schema ${database.schema} has version ${found}, and this version of Loader needs ${schemaVersion}. Run ` +
      'migrate() once, as a user who may change it.',
  )
}

/** There is no such table, or no such schema. */
const nothingThere = new Set(['42P01', '3F000'])

/** The version of the schema, asked for in one statement; 0 where there is none. */
async function versionNow(database: Database): Promise<number> {
  try {
    return versionIn(await database.ask(look))
  } catch (error) {
    if (nothingThere.has(sqlStateOf(error) ?? '')) return 0
    throw error
  }
}

function versionIn({ rows }: QueryResult): number {
  const [found = {}] = rows
  requireFit(found)
  const version = Number(found['version'] ?? 0)
  requireKnown(version)
  return version
}

/** Refuses a database that cannot hold every text, or says that something is committed before it is on the disk. */
function requireFit({ encoding, commit }: Readonly<Record<string, unknown>>): void {
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII') {
    throw new LoaderError(
      'invalid_config',
      `This database has the encoding ${String(encoding)}, which cannot hold every text. Use one with UTF8: ` +
        "create database … encoding 'UTF8' template template0.",
    )
  }
  if (commit === 'off') {
    throw new LoaderError(
      'invalid_config',
      'synchronous_commit is off for this user or database, so what is acknowledged could be lost. Set it on: ' +
        'alter role … set synchronous_commit = on.',
    )
  }
}

function requireKnown(version: number): void {
  if (version <= schemaVersion) return
  throw new LoaderError(
    'format_newer',
    `The tables have version ${version}, and this version of Loader knows ${schemaVersion}. Update Loader; nothing was changed.`,
  )
}
