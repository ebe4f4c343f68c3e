import type { Site, World } from './worlds.ts'

/** Plays on a new installation, which is gone afterwards; a failure tells the last words of its services. */
export async function withSite<T>(
  world: World,
  play: (site: Site) => Promise<T>,
  options?: Parameters<World['open']>[0]
): Promise<T> {
  const site = await world.open(options)
  const killServices = () => {
    for (const service of site.services) service.kill('SIGKILL')
  }
  process.once('exit', killServices)
  try {
    return await play(site)
  } catch (error) {
    if (error instanceof Error && site.words.length > 0) {
      error.message += `\nThe last words of the service:\n${site.words.join('\n')}`
    }
    throw error
  } finally {
    process.off('exit', killServices)
    killServices()
    await site.nothingLeft().catch(() => {})
    await site.remove()
  }
}
