import { call, line } from '@loader/test-harness'
import { openBrowser, whyNoBrowser } from '@loader/test-browser'
import { sharedServer } from '@loader/test-postgres'
import { tier } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { webOf } from '../e2e/stage/web-of.ts'
import { fleetStage } from './fleet-stage.ts'

const patience = { timeout: 60_000 }

describe.runIf(whyNoBrowser === undefined && tier === 'long')('the fleet in a browser', { timeout: 120_000 }, () => {
  test('a task that the page gives to the workers stands in line, waits for an answer, gets it there, and is done', async () => {
    await using fleet = await fleetStage(
      await sharedServer(),
      line('I ask.', call('ask_user', { question: 'Which colour?' })),
      { ...line('It is blue.'), repeat: 'any' },
    )
    const web = await webOf(fleet.one, ['--port', '0'], fleet.environment)
    await using browser = await openBrowser()
    const page = await browser.newPage()
    await page.goto(web.address)
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByLabel('What shall be done?').fill('Add my favourite colour to hello.txt')
    await page.getByLabel('A worker does it').check()
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByRole('heading', { name: 'Add my favourite colour to hello.txt' }).waitFor(patience)
    await page.keyboard.press('u')
    await page.getByRole('link', { name: 'Fleet' }).click()
    await page.getByText('0 workers: 1 queued').waitFor(patience)
    const worker = fleet.worker()
    await page.getByText('waits for you').waitFor(patience)
    await page.getByText('1 worker: 0 queued').waitFor(patience)
    await page.getByRole('link', { name: 'Add my favourite colour to hello.txt' }).click()
    await page.locator('.question.still').waitFor(patience)
    await page.getByLabel('Your answer').fill('blue')
    await page.keyboard.press('Enter')
    await page.getByText('It is blue.').waitFor(patience)
    await expect.poll(() => page.locator('.session-facts').innerText(), patience).toContain('resting')
    await page.keyboard.press('u')
    await page.keyboard.press('w')
    await page.getByText('Nothing stands in line.').waitFor(patience)
    worker.process.kill('SIGTERM')
    expect((await worker.ended).code).toBe(0)
    await page.close()
  })
})
