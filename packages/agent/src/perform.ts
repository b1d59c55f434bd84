import type { Step } from '@loader/workflow'
import { askModel } from './perform/ask-model.ts'
import { beginVerification } from './perform/begin-verification.ts'
import { askUser } from './perform/ask-user.ts'
import { compact } from './perform/compact.ts'
import { decide } from './perform/decide.ts'
import { examineCall } from './perform/examine-call.ts'
import { finish } from './perform/finish.ts'
import { observe } from './perform/observe.ts'
import { refuseCall } from './perform/refuse-call.ts'
import { runCalls } from './perform/run-calls.ts'
import { runCheck } from './perform/run-check.ts'
import { runHook } from './perform/run-hook.ts'
import { reconcileCall } from './perform/reconcile-call.ts'
import { takeInput } from './perform/take-input.ts'
import { wait } from './perform/wait.ts'
import type { Stage } from './stage/stage.ts'

/** Performs a step. Before any effect, everything that it depends on must be durable. */
export function perform(step: Exclude<Step, { type: 'rest' }>, stage: Stage): Promise<void> | void {
  switch (step.type) {
    case 'take_input':
      return takeInput(step, stage)
    case 'observe':
      return observe(step, stage)
    case 'ask_model':
      return askModel(step, stage)
    case 'examine_call':
      return examineCall(step, stage)
    case 'run_hook':
      return runHook(step, stage)
    case 'ask_user':
      return askUser(step, stage)
    case 'run_calls':
      return runCalls(step, stage)
    case 'refuse_call':
      return refuseCall(step, stage)
    case 'reconcile_call':
      return reconcileCall(step, stage)
    case 'begin_verification':
      return beginVerification(stage)
    case 'run_check':
      return runCheck(step, stage)
    case 'compact':
      return compact(step, stage)
    case 'decide':
      return decide(step, stage)
    case 'wait':
      return wait(step, stage)
    case 'finish':
      return finish(step, stage)
    default:
      return step satisfies never
  }
}
