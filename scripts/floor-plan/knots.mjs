/**
 * Folders that import each other in a circle, with the imports that make it one: those first that are the only ones from
 * their room to the other, because these are the likeliest to be out of place.
 *
 * Within each folder, every folder in it counts as one room with all that lies below, and the files that lie in it
 * directly count as one room together. So `index.ts` may import `read/` and `write/`, and `write/` may import `read/`;
 * but once the files beside `index.ts` import a room, no room may import any of them.
 */
export function knotsIn(imports) {
  const plans = new Map()
  for (const one of imports) {
    const { folder, from, to } = roomsOf(one)
    if (from === to) continue
    const plan = plans.get(folder) ?? []
    plan.push({ from, to, by: one })
    plans.set(folder, plan)
  }
  return [...plans].flatMap(([folder, doors]) => circles(doors).map((circle) => ({ folder, ...circle })))
}

/** The innermost folder that has both files in it, and the rooms of it that they lie in. */
function roomsOf({ from, to }) {
  const [a, b] = [from.split('/'), to.split('/')]
  const folders = Math.min(a.length, b.length) - 1
  let shared = 0
  while (shared < folders && a[shared] === b[shared]) shared += 1
  const room = (path) => (shared < path.length - 1 ? `${path[shared]}/` : 'its own files')
  return { folder: a.slice(0, shared).join('/'), from: room(a), to: room(b) }
}

/** Groups of rooms in which each leads to each other one. */
function circles(doors) {
  const rooms = [...new Set(doors.flatMap(({ from, to }) => [from, to]))].sort((one, other) => (one < other ? -1 : 1))
  const reach = new Map(rooms.map((room) => [room, reachedFrom(room, doors)]))
  const tied = (one, other) => reach.get(one).has(other) && reach.get(other).has(one)
  const groups = rooms.map((room) => rooms.filter((other) => tied(room, other))).filter((group) => group.length > 1)
  const distinct = [...new Map(groups.map((group) => [group.join(), group])).values()]
  return distinct.map((group) => ({ rooms: group, imports: importsAmong(group, doors) }))
}

function importsAmong(group, doors) {
  const among = doors.filter(({ from, to }) => group.includes(from) && group.includes(to))
  const alike = (door) => among.filter(({ from, to }) => from === door.from && to === door.to).length
  return among.toSorted((one, other) => alike(one) - alike(other)).map(({ by }) => by)
}

function reachedFrom(start, doors) {
  const reached = new Set()
  const open = [start]
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    for (const { from, to } of doors) {
      if (from !== room || reached.has(to)) continue
      reached.add(to)
      open.push(to)
    }
  }
  return reached
}
