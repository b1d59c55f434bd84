/**
 * The statements of claims and readings. $1 is the tenant, $2 the key. A claim whose answer was lost is sent again with
 * a new token, and names the first token: the two are one claim. The first copy may still arrive after other writers have
 * had the session. It then holds the session under the first token, which no writer uses, until that lease ends.
 */

/** The names in events, as JSON writes them. One pass over the events, however many blobs there are. */
const namedBlobs = `
      select found[1] from $schema.event,
        pg_catalog.regexp_matches(body, '"blob":"([0-9a-f]{64}[.](?:txt|json))"', 'g') as found
      where tenant = $1 and key = $2 and pg_catalog.strpos(body, '"blob":"') > 0`

/**
 * $3 id, $4 token, $5 holder, $6 lease in ms, $7 the epoch of a claim that is taken though its lease is not over, $8 the token
 * that was asked with before. Gives nothing where there is a session, or another process is making one.
 */
export const claimNew = {
  name: 'claim_new',
  text: `
    insert into $schema.session as found (tenant, key, id, epoch, token, holder, lease_until)
    values ($1, $2, $3, 1, $4, $5, pg_catalog.clock_timestamp() + $6::float8 * interval '1 ms')
    on conflict (tenant, key) do update
    set id = excluded.id, epoch = found.epoch + 1 - coalesce((found.token = $8)::int, 0), token = excluded.token, holder = excluded.holder,
      lease_until = excluded.lease_until, state = null, state_seq = 0, row = null, listed_at = null
    where found.head_seq = 0
      and (found.token is null or found.lease_until <= pg_catalog.clock_timestamp() or found.epoch = $7 or found.token = $8)
    returning id, epoch`,
}

/** $3 token, $4 holder, $5 lease in ms, $6 the epoch and $7 the token as above. What was saved comes along, with what came after,
 * and whether the claim before was given free (statements see the row as it was before they change it). */
export const claimExisting = {
  name: 'claim_existing',
  text: `
    with ours as (
      update $schema.session
      set epoch = epoch + 1 - coalesce((token = $7)::int, 0), token = $3, holder = $4, lease_until = pg_catalog.clock_timestamp() + $5::float8 * interval '1 ms'
      where tenant = $1 and key = $2 and head_seq > 0
        and (token is null or lease_until <= pg_catalog.clock_timestamp() or epoch = $6 or token = $7)
      returning id, epoch, head_seq, state, state_seq
    )
    select id, epoch, head_seq, state, state_seq, array(
      select body from $schema.event where tenant = $1 and key = $2 and seq > ours.state_seq order by seq
    ) as bodies, exists(
      select 1 from $schema.session where tenant = $1 and key = $2 and token is not null
    ) as was_held
    from ours`,
}

/**
 * Deletes a session that has no holder, as it was seen: $3 its epoch, $4 its last seq, $5 whether its holder is known to
 * be dead. An event stored while this waits for the row, or a claim before it arrives, keeps it from deleting.
 */
export const deleteSession = {
  name: 'delete_session',
  text: `
    with gone as (
      delete from $schema.session
      where tenant = $1 and key = $2 and epoch = $3 and head_seq = $4
        and (token is null or lease_until <= pg_catalog.clock_timestamp() or $5)
      returning head_seq
    ), events as (
      delete from $schema.event using gone where tenant = $1 and key = $2
    ), blobs as (
      delete from $schema.blob using gone where tenant = $1 and key = $2
    ), work as (
      delete from $schema.work using gone where tenant = $1 and key = $2
    )
    select head_seq from gone`,
}

/** $1 tenant; $2 and $3 the place behind which the page begins, $4 how many at most. */
export const listRows = {
  name: 'list_rows',
  text: `
    select id, row from $schema.session
    where tenant = $1 and row is not null and head_seq > 0 and (listed_at, id collate "C") < ($2, $3)
    order by listed_at desc, id collate "C" desc limit $4`,
}

/** Sessions that were never saved: their writer was cut off, or is about to save them. */
export const listUnsaved = {
  name: 'list_unsaved',
  text: `select id from $schema.session where tenant = $1 and row is null and head_seq > 0`,
}

export const listIds = {
  name: 'list_ids',
  text: `select id from $schema.session where tenant = $1 and head_seq > 0 and id collate "C" > $2 order by id collate "C" limit $3`,
}

/**
 * $3 id, $4 the last epoch in its events, $5 its last seq, $6 state, $7 the row for lists, $8 its place there. Gives nothing
 * where there is a session, or another process is making one.
 */
export const restoreSession = {
  name: 'restore_session',
  text: `
    insert into $schema.session as found (tenant, key, id, epoch, head_seq, state, state_seq, row, listed_at)
    values ($1, $2, $3, $4, $5, $6, $5, $7, $8)
    on conflict (tenant, key) do update
    set id = excluded.id, epoch = greatest(found.epoch + 1, excluded.epoch), head_seq = excluded.head_seq,
      state = excluded.state, state_seq = excluded.state_seq, row = excluded.row, listed_at = excluded.listed_at,
      token = null, holder = null, lease_until = null
    where found.head_seq = 0 and (found.token is null or found.lease_until <= pg_catalog.clock_timestamp())
    returning epoch`,
}

/** $3 the seq before them, $4 epoch, $5 the events, a line of JSON each. */
export const restoreEvents = {
  name: 'restore_events',
  text: `
    insert into $schema.event (tenant, key, seq, epoch, body)
    select $1, $2, $3::bigint + place, $4::bigint, body
    from pg_catalog.string_to_table($5::pg_catalog.text, pg_catalog.chr(10)) with ordinality as added (body, place)`,
}

export const restoreBlob = {
  name: 'restore_blob',
  text: `insert into $schema.blob (tenant, key, name, bytes) values ($1, $2, $3, $4) on conflict do nothing`,
}

/** $2 key of the origin, which stays until the copy is whole; $3 last seq that is copied, $4 key and $5 id of the fork. */
export const forkSession = {
  name: 'fork_session',
  text: `
    insert into $schema.session as found (tenant, key, id, epoch, head_seq)
    select $1, $4, $5, epoch, $3 + 1 from $schema.session where tenant = $1 and key = $2 and head_seq >= $3
    for key share
    on conflict (tenant, key) do update
    set id = excluded.id, epoch = greatest(found.epoch + 1, excluded.epoch), head_seq = excluded.head_seq,
      state = null, state_seq = 0, row = null, listed_at = null, token = null, holder = null, lease_until = null
    where found.head_seq = 0 and (found.token is null or found.lease_until <= pg_catalog.clock_timestamp())
    returning epoch`,
}

export const forkEvents = {
  name: 'fork_events',
  text: `
    insert into $schema.event (tenant, key, seq, epoch, body)
    select tenant, $4, seq, epoch, body from $schema.event where tenant = $1 and key = $2 and seq <= $3`,
}

/** Only those that the copied events name, $4 being the last of them. */
export const forkBlobs = {
  name: 'fork_blobs',
  text: `
    insert into $schema.blob (tenant, key, name, bytes)
    select tenant, $3, name, bytes from $schema.blob
    where tenant = $1 and key = $2 and name in (${namedBlobs} and seq <= $4)
    on conflict do nothing`,
}

/** The long texts that no event names. */
export const unnamedBlobs = {
  name: 'unnamed_blobs',
  text: `
    select name from $schema.blob
    where tenant = $1 and key = $2 and name not in (${namedBlobs})`,
}

export const addEvent = {
  name: 'add_event',
  text: `insert into $schema.event (tenant, key, seq, epoch, body) values ($1, $2, $3, $4, $5)`,
}

/**
 * $3 name, $4 the message. The row of the session is locked against being deleted, and nothing of it changes. Gives nothing where
 * there is no such session, and else what lay under the name before.
 */
export const putMessage = {
  name: 'put_message',
  text: `
    with there as (
      select 1 from $schema.session where tenant = $1 and key = $2 and head_seq > 0
      for key share
    ), added as (
      insert into $schema.message (tenant, key, name, body)
      select $1, $2, $3, $4 from there
      on conflict do nothing
    )
    select (select body from $schema.message where tenant = $1 and key = $2 and name = $3) as before from there`,
}

/** $5 what lies under the name and cannot be read. */
export const replaceMessage = {
  name: 'replace_message',
  text: `update $schema.message set body = $4 where tenant = $1 and key = $2 and name = $3 and body = $5`,
}

/** $3 name, $4 the epoch of the claim that removes it, above which there must be none; null where no claim is asked for. */
export const removeMessage = {
  name: 'remove_message',
  text: `
    delete from $schema.message where tenant = $1 and key = $2 and name = $3 and ($4::bigint is null or exists (
      select 1 from $schema.session where tenant = $1 and key = $2 and epoch <= $4::bigint
    ))`,
}
