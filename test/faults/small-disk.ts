import { execFile, execFileSync } from 'node:child_process'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Skipped } from './skipped.ts'

/** A file system of its own with little room. */
export interface SmallDisk {
  /** Takes all room but this. */
  fill(leaveBytes: number): Promise<void>
  /** Gives back what `fill` took. */
  free(): Promise<void>
  freeBytes(): Promise<number>
  unmount(): Promise<void>
}

const megabyte = 1024 * 1024

/** Mounts an empty small disk on a folder. Throws `Skipped` where this user, or this machine, may not mount. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true })
  const ballast = join(folder, '.ballast')
  try {
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
  } catch (error) {
    throw new Skipped(
      `a small disk cannot be mounted here (${String((error as Error).message)
        .trim()
        .split('\n')
        .at(-1)})`
    )
  }

  // Whoever still works there keeps it until they end.
  const letGo = () => execFileSync('umount', ['-l', folder])
  process.once('exit', letGo)

  async function freeBytes() {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  }

  return {
    freeBytes,
    async fill(leaveBytes) {
      const file = await open(ballast, 'a')
      try {
        for (let left = await freeBytes(); left > leaveBytes; left = await freeBytes()) {
          await file.appendFile(new Uint8Array(Math.min(megabyte, left - leaveBytes)))
        }
      } catch (error) {
        // Somebody else was quicker: full it is.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        await file.close()
      }
    },
    free: () => rm(ballast, { force: true }),
    async unmount() {
      for (let attempt = 1; ; attempt++) {
        try {
          await promisify(execFile)('umount', [folder])
          process.off('exit', letGo)
          return
        } catch (error) {
          // Whoever still works there is on its way out.
          if (attempt === 50) throw error
          await pause(100)
        }
      }
    }
  }
}
