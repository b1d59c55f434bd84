/**
 * The statements of a writer. Each names the token of its claim, so that a claim which is over changes nothing, and none
 * reads a clock but the database's.
 */

/**
 * $1 tenant, $2 key, $3 token, $4 last seq before, $5 lease in ms, $6 the events, a line of JSON each, $7 how many. JSON as
 * it is written here has no line break inside of it, and lines are taken apart in half the time that an array takes.
 */
export const append = {
  name: 'append',
  text: `
    with ours as (
      update $schema.session
      set head_seq = $4::bigint + $7::int, lease_until = pg_catalog.clock_timestamp() + $5::float8 * interval '1 ms'
      where tenant = $1 and key = $2 and token = $3 and head_seq = $4::bigint and lease_until > pg_catalog.clock_timestamp()
      returning epoch
    )
    insert into $schema.event (tenant, key, seq, epoch, body)
    select $1, $2, $4::bigint + place, epoch, body
    from ours, pg_catalog.string_to_table($6::pg_catalog.text, pg_catalog.chr(10)) with ordinality as added (body, place)`,
}

/** The same for one event, which most appends are: nothing has to be taken apart. */
export const appendOne = {
  name: 'append_one',
  text: `
    with ours as (
      update $schema.session
      set head_seq = $4::bigint + 1, lease_until = pg_catalog.clock_timestamp() + $5::float8 * interval '1 ms'
      where tenant = $1 and key = $2 and token = $3 and head_seq = $4::bigint and lease_until > pg_catalog.clock_timestamp()
      returning epoch
    )
    insert into $schema.event (tenant, key, seq, epoch, body)
    select $1, $2, $4::bigint + 1, epoch, $6 from ours`,
}

/**
 * $3 token, $4 the next token. Waits for whatever is still at the row; from then on a statement with the old token that
 * arrives late changes nothing. Asked twice, it gives the same answer.
 */
export const settle = {
  name: 'settle',
  text: `
    update $schema.session set token = $4
    where tenant = $1 and key = $2 and token in ($3, $4)
    returning head_seq, lease_until > pg_catalog.clock_timestamp() as holds`,
}

/** $3 first seq, $4 how many at most: the events from there on, with the claims that stored them. */
export const storedBodies = {
  name: 'stored_bodies',
  text: `
    select seq, epoch, body from $schema.event
    where tenant = $1 and key = $2 and seq >= $3 order by seq limit $4`,
}

/** $3 token, $4 lease in ms. */
export const renew = {
  name: 'renew',
  text: `
    update $schema.session set lease_until = pg_catalog.clock_timestamp() + $4::float8 * interval '1 ms'
    where tenant = $1 and key = $2 and token = $3 and lease_until > pg_catalog.clock_timestamp()`,
}

/** $3 token, $4 state, $5 its seq. One that arrives late does not replace a newer one. */
export const saveState = {
  name: 'save_state',
  text: `
    update $schema.session set state = $4, state_seq = $5
    where tenant = $1 and key = $2 and token = $3 and lease_until > pg_catalog.clock_timestamp()
      and (state_seq <= $5 or state_seq > head_seq)`,
}

/** $3 token, $4 the epoch of this claim. */
export const setEpoch = {
  name: 'set_epoch',
  text: `
    update $schema.session set epoch = $4
    where tenant = $1 and key = $2 and token = $3 and lease_until > pg_catalog.clock_timestamp()`,
}

/** $6 the row for lists, $7 its place there. */
export const saveStateAndRow = {
  name: 'save_state_and_row',
  text: `
    update $schema.session set state = $4, state_seq = $5, row = $6, listed_at = $7
    where tenant = $1 and key = $2 and token = $3 and lease_until > pg_catalog.clock_timestamp()
      and (state_seq <= $5 or state_seq > head_seq)`,
}

/** $3 token, $4 name, $5 bytes. The row is locked, so that no process deletes the session meanwhile. */
export const putBlob = {
  name: 'put_blob',
  text: `
    with ours as (
      select 1 from $schema.session
      where tenant = $1 and key = $2 and token = $3 and lease_until > pg_catalog.clock_timestamp()
      for key share
    ), added as (
      insert into $schema.blob (tenant, key, name, bytes)
      select $1, $2, $4, $5 from ours
      on conflict do nothing
    )
    select 1 from ours`,
}

/**
 * $3 token, $4 the last seq, $5 names, a line each. The row is locked, so that where a statement with a later token is done, one of
 * this claim that arrives late removes nothing.
 */
export const removeBlobs = {
  name: 'remove_blobs',
  text: `
    with ours as (
      select 1 from $schema.session
      where tenant = $1 and key = $2 and token = $3 and head_seq = $4 and lease_until > pg_catalog.clock_timestamp()
      for update
    )
    delete from $schema.blob using ours where tenant = $1 and key = $2 and name in (
      select pg_catalog.string_to_table($5::pg_catalog.text, pg_catalog.chr(10))
    )`,
}

/** $3 token, $4 the one that it may have been changed to. A session that never got an event was never there. */
export const release = {
  name: 'release',
  text: `
    with gone as (
      delete from $schema.session where tenant = $1 and key = $2 and token in ($3, $4) and head_seq = 0
      returning 1
    ), blobs as (
      delete from $schema.blob using gone where tenant = $1 and key = $2
    )
    update $schema.session set token = null, holder = null, lease_until = null
    where tenant = $1 and key = $2 and token in ($3, $4) and head_seq > 0`,
}
