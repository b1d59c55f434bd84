import { line } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { stage } from './scene/stage.ts'
import { eventsOf } from './scene/whole.ts'

test('another level of thinking holds from the next run on, which records it; without one, nothing is said of it', async () => {
  await using set = await stage([line('One.'), line('Two.'), line('Three.')])
  await set.agent.run('Hello!')
  set.agent.setThinking('high')
  expect(set.agent.config.thinking).toBe('high')
  await set.agent.run('Hello again!')
  set.agent.setThinking(undefined)
  await set.agent.run('And again!')
  const history = await set.place.history()
  expect(eventsOf(history, 'policy.applied').map(({ thinking }) => thinking)).toEqual([undefined, 'high', undefined])
  expect(eventsOf(history, 'model.asked').map(({ thinking }) => thinking)).toEqual([undefined, 'high', undefined])
})
