import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * The ids of other processes that bear the name of this folder in their words or their environment, or work in it: a worker or a
 * database server that outlived its service, say. None where the system has no /proc to tell.
 */
export async function processesOn(folder: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '')
    const place = await readlink(`/proc/${name}/cwd`).catch(() => '')
    if (command.includes(folder) || environment.includes(folder) || place.startsWith(folder)) found.push(Number(name))
  }
  return found
}
