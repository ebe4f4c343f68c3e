import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const neededBytes = 4 * 2 ** 30

/**
 * Where that lies which need not outlive the tests: in memory, where the system has a folder for that with room. The databases of
 * one run alone are a hundred thousand files.
 */
export function memoryFolder(folder = '/dev/shm'): string {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= neededBytes ? folder : tmpdir()
  } catch {
    return tmpdir()
  }
}
