import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Every test of the two systems that the project grew from, by its name there. */
const seeds = [
  'test_session_persists_and_resumes_across_agent_restart',
  'test_agent_clear_history_rebuilds_a_fresh_runtime_session',
  'test_session_rotation_kicks_in_at_size_cap',
  'test_session_compaction_persists_summary_and_recent_messages',
  'test_session_persists_permission_policy_metadata',
  'test_resume_session_updates_runtime_owner_metadata',
  'test_session_prefers_canonical_workflow_timeline_for_completion_trace',
  'test_session_projects_live_completion_trace_from_workflow_timeline',
  'test_session_persists_workflow_ledger_state',
  'test_session_persists_prompt_history_state',
  'test_turn_summary_usage_rolls_up_into_session_totals',
  'test_save_writes_json_file',
  'test_save_with_skip_index_writes_json',
  'test_save_with_skip_index_skips_index_rebuild',
  'test_save_without_skip_index_creates_index',
  'test_skip_index_then_full_save_updates_index',
  'test_skip_index_save_with_touch_updated_at_false',
  'test_checkpoint_fires_on_activity_counter_increment',
  'test_checkpoint_does_not_fire_without_activity',
  'test_checkpoint_stops_on_signal',
  'test_pending_message_survives_simulated_restart',
  'test_activity_checkpoint_persists_updated_at',
  'test_checkpoint_stop_initialised_before_any_raiseable_code',
  'test_finally_path_when_early_exception_does_not_unbound_error',
]

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/seeds.md', root), 'utf8')
const rows = page
  .split('\n')
  .map((line) => /^\| `(test_\w+)` +\| `([\w./-]+)` +\| (.+?) +\|$/.exec(line))
  .flatMap((row) => (row === null ? [] : [{ seed: row[1] ?? '', file: row[2] ?? '', title: row[3] ?? '' }]))

test('each of the 24 seeds has a counterpart, and nothing else is named', () => {
  expect(seeds).toHaveLength(24)
  expect([...new Set(rows.map(({ seed }) => seed))]).toEqual(seeds)
})

test.each(rows)('$seed: "$title" is a test of $file', ({ file, title }) => {
  expect(existsSync(new URL(file, root))).toBe(true)
  const source = readFileSync(new URL(file, root), 'utf8')
  expect(source).toMatch(/\btest(?:\.\w+\([^)]*\))?\(/)
  expect(source).toContain(`('${title}'`)
})
