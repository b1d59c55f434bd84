/**
 * The statements of the line in which sessions wait for a worker. $1 is the tenant. They decide which worker looks at which
 * session; only the claim decides who may write to it.
 */

const now = 'pg_catalog.clock_timestamp()'
const isFree = `(s.token is null or s.lease_until <= ${now})`

/** The claim that $2 key is under has the epoch $3, and keeps it until this statement has ended. */
const ours = `
    with ours as (
      select head_seq from $schema.session where tenant = $1 and key = $2 and epoch = $3 and token is not null
      for no key update
    )`

/** By the holder of the session, before it stores the task: a worker that sees the task also finds it in line. */
export const offer = {
  name: 'offer',
  text: `${ours}
    insert into $schema.work as found (tenant, key, waits_since)
    select $1, $2, ${now} from ours
    on conflict (tenant, key) do update set waits_since = least(found.waits_since, ${now}), note = null`,
}

/**
 * $2 the worker, $3 keys that it cannot work on, a line each, $4 after how many kills none is taken, $5 for how long others
 * leave it alone, in ms. The first in line without a holder and with events that no worker has looked at, judged by both rows
 * as they are when they are locked, not when the statement began. It counts as a kill until the worker says otherwise,
 * because a worker that has died cannot report it.
 */
export const takeNext = {
  name: 'take_next',
  text: `
    with next as (
      select w.key, s.id from $schema.work w join $schema.session s on s.tenant = w.tenant and s.key = w.key
      where w.tenant = $1 and w.parked is null and w.kills < $4 and s.head_seq > w.seen_seq and ${isFree}
        and (w.taken_until is null or w.taken_until <= ${now})
        and w.key <> all (pg_catalog.string_to_array($3::pg_catalog.text, pg_catalog.chr(10)))
      order by w.waits_since, w.key limit 1
      for no key update of w, s skip locked
    )
    update $schema.work w set kills = w.kills + 1, taken_by = $2, taken_until = ${now} + $5::float8 * interval '1 ms'
    from next where w.tenant = $1 and w.key = next.key
    returning next.id, w.kills`,
}

/** Those in line whose holder still has a lease. It may be a process of this machine that has ended. */
export const held = {
  name: 'held_in_line',
  text: `
    select w.key, s.id, s.epoch, s.token, s.holder, s.head_seq, true as holds, w.kills
    from $schema.work w join $schema.session s on s.tenant = w.tenant and s.key = w.key
    where w.tenant = $1 and w.parked is null and s.token is not null and s.lease_until > ${now}
      and w.key <> all (pg_catalog.string_to_array($2::pg_catalog.text, pg_catalog.chr(10)))
    order by w.waits_since, w.key limit 200`,
}

/** $2 key, $3 the epoch of its dead holder, $4 the worker, $5 for how long others leave it alone, in ms. */
export const takeFromDead = {
  name: 'take_from_dead',
  text: `
    update $schema.work w set kills = w.kills + 1, taken_by = $4, taken_until = ${now} + $5::float8 * interval '1 ms'
    from $schema.session s
    where w.tenant = $1 and w.key = $2 and s.tenant = $1 and s.key = $2 and s.epoch = $3 and w.parked is null
      and (w.taken_until is null or w.taken_until <= ${now})
    returning s.id, w.kills`,
}

/** $2 the worker, $3 key, $4 for how long others leave it alone from now on, in ms. */
export const keep = {
  name: 'keep_taken',
  text: `
    update $schema.work set taken_until = ${now} + $4::float8 * interval '1 ms'
    where tenant = $1 and taken_by = $2 and key = $3 and taken_until > ${now}`,
}

/** $2 the worker, $3 key: what it took it leaves for others, and was not killed. $4 why. */
export const leave = {
  name: 'leave',
  text: `
    update $schema.work set taken_by = null, taken_until = null, kills = greatest(kills - 1, 0), note = $4
    where tenant = $1 and taken_by = $2 and key = $3`,
}

/** $4 the worker, which holds the session: from here on its lease keeps others away. */
export const begin = {
  name: 'begin_work',
  text: `${ours}
    update $schema.work w set taken_by = $4, taken_until = null, note = null from ours where w.tenant = $1 and w.key = $2`,
}

/** Nothing is open any more. */
export const done = {
  name: 'work_done',
  text: `${ours}
    delete from $schema.work w using ours where w.tenant = $1 and w.key = $2`,
}

/** Work is left, for any worker: $4 whether it goes to the end of the line. */
export const giveBack = {
  name: 'give_back',
  text: `${ours}
    update $schema.work w
    set kills = 0, taken_by = null, taken_until = null, waits_since = case when $4 then ${now} else w.waits_since end
    from ours where w.tenant = $1 and w.key = $2`,
}

/** The same for an end that was not in order, which counts: $4 why. */
export const giveBackFailed = {
  name: 'give_back_failed',
  text: `${ours}
    update $schema.work w set taken_by = null, taken_until = null, waits_since = ${now}, note = $4
    from ours where w.tenant = $1 and w.key = $2`,
}

/** Nothing can be done until something is added to the session: $4 what for. */
export const awaitAnswer = {
  name: 'await_answer',
  text: `${ours}
    update $schema.work w
    set kills = 0, taken_by = null, taken_until = null, seen_seq = ours.head_seq, waits_since = ${now}, note = $4
    from ours where w.tenant = $1 and w.key = $2`,
}

/** $2 after how many kills. Only sessions without a holder: the current attempt may still succeed. */
export const park = {
  name: 'park',
  text: `
    update $schema.work w
    set parked = pg_catalog.concat(w.kills::pg_catalog.text, ' workers in a row ended while they had it',
      case when w.note is null then '' else ': ' || w.note end), taken_by = null, taken_until = null
    from $schema.session s
    where w.tenant = $1 and w.kills >= $2 and w.parked is null and s.tenant = $1 and s.key = w.key and ${isFree}
    returning s.id, w.parked`,
}

export const unpark = {
  name: 'unpark',
  text: `
    update $schema.work set parked = null, kills = 0, note = null, seen_seq = 0, waits_since = ${now}
    where tenant = $1 and key = $2 and parked is not null`,
}

/** $2 worker, $3 what it says of itself, $4 for how long that holds, in ms. */
export const present = {
  name: 'present',
  text: `
    insert into $schema.worker (tenant, id, about, seen_until)
    values ($1, $2, $3, ${now} + $4::float8 * interval '1 ms')
    on conflict (tenant, id) do update set about = excluded.about, seen_until = excluded.seen_until`,
}

export const absent = {
  name: 'absent',
  text: `delete from $schema.worker where tenant = $1 and (id = $2 or seen_until < ${now} - interval '1 day')`,
}

export const workers = {
  name: 'workers',
  text: `
    select id, about, seen_until > ${now} as is_there,
      extract(epoch from ${now} - seen_until)::float8 as gone_for
    from $schema.worker where tenant = $1 order by id`,
}

/** $2 how many at most. */
export const line = {
  name: 'work_in_line',
  text: `
    select s.id, s.row, s.holder, w.taken_by, w.kills, w.parked, w.note, s.head_seq > w.seen_seq as is_open,
      s.token is not null as is_held, s.lease_until > ${now} as holds,
      extract(epoch from s.lease_until - ${now})::float8 as lease_left,
      extract(epoch from ${now} - w.waits_since)::float8 as waits_for
    from $schema.work w join $schema.session s on s.tenant = w.tenant and s.key = w.key
    where w.tenant = $1 order by w.waits_since, w.key limit $2`,
}
