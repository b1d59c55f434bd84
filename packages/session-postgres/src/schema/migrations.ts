/** One step of the schema. A released step must not change: add a new one. */
interface Migration {
  readonly version: number
  /** Statements with `$schema` where the name of the schema goes. */
  readonly sql: string
}

/**
 * Texts compare byte by byte (`collate "C"`), as they do in every other store. Events are kept as the text they were
 * written as: the database has no opinion about them, and none of its JSON types keeps every string.
 *
 * Sessions change at every append, and nothing that is indexed does; the space that is left free on each page lets the
 * new version of a row stay beside the old one.
 */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      create table $schema.session (
        tenant text collate "C" not null,
        key text collate "C" not null,
        id text not null,
        epoch bigint not null,
        token uuid,
        holder text,
        lease_until timestamptz,
        head_seq bigint not null default 0,
        state text,
        state_seq bigint not null default 0,
        row text,
        listed_at text collate "C",
        primary key (tenant, key)
      ) with (fillfactor = 50);
      create index session_listed on $schema.session (tenant, listed_at desc, id collate "C" desc) where row is not null;
      create index session_unlisted on $schema.session (tenant) where row is null;
      create table $schema.event (
        tenant text collate "C" not null,
        key text collate "C" not null,
        seq bigint not null,
        epoch bigint not null,
        body text not null,
        primary key (tenant, key, seq)
      );
      create table $schema.blob (
        tenant text collate "C" not null,
        key text collate "C" not null,
        name text collate "C" not null,
        bytes bytea not null,
        primary key (tenant, key, name)
      );`,
  },
  // The sessions that wait for workers, and the workers. What is open in a session is in its events, not here.
  {
    version: 2,
    sql: `
      create table $schema.work (
        tenant text collate "C" not null,
        key text collate "C" not null,
        waits_since timestamptz not null,
        seen_seq bigint not null default 0,
        kills int not null default 0,
        taken_by text,
        taken_until timestamptz,
        parked text,
        note text,
        primary key (tenant, key)
      );
      create index work_line on $schema.work (tenant, waits_since, key) where parked is null;
      create table $schema.worker (
        tenant text collate "C" not null,
        id text collate "C" not null,
        about text not null,
        seen_until timestamptz not null,
        primary key (tenant, id)
      );`,
  },
  // Messages for the holder of a session. Deleting the session deletes them, including those put at the same time.
  {
    version: 3,
    sql: `
      create table $schema.message (
        tenant text collate "C" not null,
        key text collate "C" not null,
        name text collate "C" not null,
        place bigint generated always as identity,
        body text not null,
        primary key (tenant, key, name),
        foreign key (tenant, key) references $schema.session on delete cascade
      );`,
  },
]

/** The newest version that this package knows. */
export const schemaVersion = Math.max(...migrations.map(({ version }) => version))
