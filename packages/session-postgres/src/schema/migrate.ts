import { LoaderError } from '@loader/session-core'
import type { Database, Run } from '../database/database.ts'
import { told } from '../database/failure.ts'
import { migrations, schemaVersion } from './migrations.ts'

const lock = { name: 'migrate_lock', text: `select pg_advisory_xact_lock(hashtextextended('loader $schema', 0))` }
const make = {
  name: 'migrate_make',
  text: `create schema if not exists $schema`,
}
const makeTable = {
  name: 'migrate_table',
  text: `create table if not exists $schema.migration (version int primary key, applied_at timestamptz not null default now())`,
}
const isThere = { name: 'migrate_there', text: `select to_regclass('$schema.migration') is not null as there` }
const look = { name: 'migrate_look', text: `select coalesce(max(version), 0) as version from $schema.migration` }
const note = { name: 'migrate_note', text: `insert into $schema.migration (version) values ($1)` }

/**
 * Brings the schema to the version that this package knows, step by step, one process at a time: all steps, or none. A
 * schema that is newer is left alone, and refused.
 */
export async function migrate(database: Database): Promise<void> {
  try {
    await database.bare(async (run) => {
      await run(lock, [])
      const found = await versionIn(run)
      if (found === schemaVersion) return
      requireKnown(found, database.schema)
      if (found === 0) {
        await run(make, [])
        await run(makeTable, [])
      }
      for (const { version, sql } of migrations.filter((each) => each.version > found)) {
        for (const [index, text] of sql.split(';').entries()) {
          if (text.trim() !== '') await run({ name: `migration_${version}_${index}`, text }, [])
        }
        await run(note, [version])
      }
    })
  } catch (error) {
    throw told(error, `bring the schema ${database.schema} to version ${schemaVersion}`)
  }
}

/** Refuses a schema that is not there, or of another version than this package knows. */
export async function requireSchema(database: Database): Promise<void> {
  const found = await database.bare(versionIn).catch((error: unknown) => {
    throw told(error, `look at the schema ${database.schema}`)
  })
  requireKnown(found, database.schema)
  if (found === schemaVersion) return
  throw new LoaderError(
    'invalid_config',
    `The schema ${database.schema} has version ${found}, and this version of Loader needs ${schemaVersion}. Run ` +
      'migrate() once, as a user who may change it.',
  )
}

/** The version of the schema; 0 where there is none. */
async function versionIn(run: Run): Promise<number> {
  const { rows: found } = await run(isThere, [])
  if (found[0]?.['there'] !== true) return 0
  const { rows } = await run(look, [])
  return Number(rows[0]?.['version'] ?? 0)
}

function requireKnown(version: number, schema: string): void {
  if (version <= schemaVersion) return
  throw new LoaderError(
    'format_newer',
    `The schema ${schema} has version ${version}, and this version of Loader knows ${schemaVersion}. Update Loader; ` +
      'nothing was changed.',
  )
}
