import './style/page.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { openSource, type Source } from './connection/source.ts'
import { listenForKeys } from './model/keys.ts'
import { followAddress, go, readRoute } from './model/route.ts'
import { Failed } from './ui/parts.tsx'

const page = document.getElementById('page')
if (page !== null) await start(page)

async function start(place: HTMLElement): Promise<void> {
  try {
    const source = await openSource()
    followAddress()
    await openOnly(source)
    listenForKeys(document)
    place.replaceChildren()
    render(<App source={source} problem={null} />, place)
  } catch (error) {
    place.replaceChildren()
    const why = error instanceof Error ? error.message : String(error)
    render(<Failed title="This page cannot show anything." why={why} />, place)
  }
}

/** A page that has one session alone begins with it. */
async function openOnly(source: Source): Promise<void> {
  if (source.kind !== 'export' || readRoute(location.hash).session !== null) return
  const { sessions } = await source.list()
  go({ session: sessions[0]?.id ?? null }, 'replace')
}
