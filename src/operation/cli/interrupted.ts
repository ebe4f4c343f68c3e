/** The request to stop a command, and its exit code. The same signal a second time ends it at once. */
export interface Interruption {
  signal: AbortSignal
  exitCode(): number
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 }

export function interrupted(): Interruption {
  const controller = new AbortController()
  let exitCode = 0
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      exitCode = exitCodes[name]
      controller.abort()
    })
  }
  return { signal: controller.signal, exitCode: () => exitCode }
}
