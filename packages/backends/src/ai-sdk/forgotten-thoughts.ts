import type { Message, ModelRequest } from '@loader/session-core'
import { oncePerMessage } from './same-messages.ts'
import { withoutThoughts } from './unreadable-thoughts.ts'

/**
 * The thoughts that the provider has refused to read. They stay unreadable, so that they are left out of all later
 * requests; what is thought after them is not.
 */
export class ForgottenThoughts {
  readonly #messages = new WeakSet<Message>()
  readonly #withoutThoughts = oncePerMessage(withoutThoughts)

  forget({ messages }: ModelRequest): void {
    for (const message of messages) this.#messages.add(message)
  }

  leftOutOf(request: ModelRequest): ModelRequest {
    const messages = request.messages.map((message) =>
      this.#messages.has(message) ? this.#withoutThoughts(message) : message,
    )
    return { ...request, messages }
  }
}
