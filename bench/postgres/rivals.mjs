// One step of other packages that keep work in PostgreSQL, over the same server and with the same durability: each returns
// when its transaction is committed and flushed. They are installed when they are asked for, and no lock file names them.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installOnDemand } from '@loader/test-postgres'

const packages = {
  '@langchain/core': '1.2.13',
  '@langchain/langgraph-checkpoint': '1.1.5',
  '@langchain/langgraph-checkpoint-postgres': '1.0.5',
  '@dbos-inc/dbos-sdk': '5.3.0',
}

export function loadRivals() {
  return createRequire(join(installOnDemand('bench-postgres', packages), 'rivals.cjs'))
}

/**
 * `put` of LangGraph's saver: a checkpoint and its changed channels. `growing`: the channel holds the messages so far, as in
 * a graph of messages; without it, the last one alone, which is the least that a checkpoint can hold.
 */
export async function langGraph(load, address, sample, { growing }) {
  const { PostgresSaver } = load('@langchain/langgraph-checkpoint-postgres')
  const { emptyCheckpoint, uuid6 } = load('@langchain/langgraph-checkpoint')
  const saver = PostgresSaver.fromConnString(address, { schema: growing ? 'growing' : 'single' })
  await saver.setup()
  let config = { configurable: { thread_id: 'one', checkpoint_ns: '' } }
  let step = 0
  const messages = []
  return {
    step: async () => {
      step += 1
      if (!growing) messages.length = 0
      messages.push(sample(step))
      const versions = { messages: step }
      const values = { messages: growing ? messages : messages[0] }
      const checkpoint = { ...emptyCheckpoint(), id: uuid6(step), channel_values: values, channel_versions: versions }
      config = await saver.put(config, checkpoint, { source: 'loop', step, parents: {} }, versions)
    },
    end: () => saver.end(),
  }
}

/** A step of a workflow of DBOS that returns the sample, which is recorded with its result. */
export async function dbos(load, address, sample) {
  const { DBOS } = load('@dbos-inc/dbos-sdk')
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: address, logLevel: 'error', runAdminServer: false })
  let step = 0
  let begin
  let end
  const turn = () => new Promise((resolve) => (begin = resolve))
  let next = turn()
  const workflow = DBOS.registerWorkflow(
    async () => {
      for (;;) {
        if ((await next) === 'stop') return
        next = turn()
        await DBOS.runStep(async () => sample((step += 1)), { name: 'step' })
        end()
      }
    },
    { name: 'bench' },
  )
  await DBOS.launch()
  const handle = await DBOS.startWorkflow(workflow)()
  return {
    step: () =>
      new Promise((resolve) => {
        end = resolve
        begin()
      }),
    end: async () => {
      begin('stop')
      await handle.getResult()
      await DBOS.shutdown()
    },
  }
}
