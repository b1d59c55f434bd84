import './probe.css'
import { openSource } from '../../../src/page/connection/source.ts'

// A page with the connection of the real one, and nothing else: it tells what it was given, and what it would say.

const told = { seqs: new Array<number>(), batches: 0, lists: 0, connections: new Array<unknown>() }
Object.assign(globalThis, { told })
const source = await openSource()
const id = decodeURIComponent(location.hash.replace('#/s/', ''))
Object.assign(globalThis, { source, hello: await source.hello() })
source.follow(id, 0, {
  events(events) {
    told.batches += 1
    told.seqs.push(...events.map(({ seq }) => seq))
  },
  connection({ phase, way, isLive, outage, missed }) {
    told.connections.push({ phase: phase.kind, way, isLive, outage, missed })
  },
})
