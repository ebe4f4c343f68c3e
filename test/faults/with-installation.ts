import type { InstallationFactory, TestInstallation } from './installations.ts'

/** Runs a test on a new installation and removes it; a failure includes the last log lines of its services. */
export async function withInstallation<T>(
  factory: InstallationFactory,
  run: (installation: TestInstallation) => Promise<T>,
  options?: Parameters<InstallationFactory['open']>[0]
): Promise<T> {
  const installation = await factory.open(options)
  const killServices = () => {
    for (const service of installation.services) service.kill('SIGKILL')
  }
  process.once('exit', killServices)
  try {
    return await run(installation)
  } catch (error) {
    if (error instanceof Error && installation.lastLogLines.length > 0) {
      error.message += `\nThe last words of the service:\n${installation.lastLogLines.join('\n')}`
    }
    throw error
  } finally {
    process.off('exit', killServices)
    killServices()
    await installation.assertNothingLeft().catch(() => {})
    await installation.remove()
  }
}
