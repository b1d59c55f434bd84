import { spawn } from 'node:child_process'
import { anyInstallation } from './installations.ts'
import { Server } from './server.ts'

let shared: Promise<Server> | undefined

/**
 * One server for all test files of this process, which neither end nor pause it. It ends with the process, however that
 * ends, and leaves no folder.
 */
export function sharedServer(): Promise<Server> {
  shared ??= start()
  return shared
}

async function start(): Promise<Server> {
  const server = await Server.start(anyInstallation())
  // The input of the guard ends when this process does. SIGQUIT ends a server at once, with all that it is doing.
  const guard = 'cat > /dev/null; kill -QUIT "$0"; while kill -0 "$0"; do sleep 0.05; done; rm -rf "$1"'
  const child = spawn('sh', ['-c', guard, String(server.pid), server.directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  ;(child.stdin as typeof child.stdin & { unref(): void }).unref()
  server.unref()
  return server
}
