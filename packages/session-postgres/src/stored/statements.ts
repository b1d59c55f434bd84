/** The statements that only read. $1 is the tenant, $2 the key. */

/** $3 first seq, $4 last seq, $5 how many at most. */
export const readEvents = {
  name: 'read_events',
  text: `
    select seq, body from $schema.event
    where tenant = $1 and key = $2 and seq between $3 and $4
    order by seq limit $5`,
}

export const readBlob = {
  name: 'read_blob',
  text: `select bytes from $schema.blob where tenant = $1 and key = $2 and name = $3`,
}

export const readBlobs = {
  name: 'read_blobs',
  text: `select name, bytes from $schema.blob where tenant = $1 and key = $2 and name > $3 order by name limit $4`,
}

export const readMessages = {
  name: 'read_messages',
  text: `select name, body from $schema.message where tenant = $1 and key = $2 order by place`,
}

export const savedState = {
  name: 'saved_state',
  text: `select state from $schema.session where tenant = $1 and key = $2`,
}

/** The claim and the last seq of a session, to say why something was refused. */
export const standing = {
  name: 'standing',
  text: `
    select id, epoch, token, holder, head_seq, lease_until > pg_catalog.clock_timestamp() as holds
    from $schema.session where tenant = $1 and key = $2`,
}
