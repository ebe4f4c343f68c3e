import { join } from 'node:path'

/** Where the service takes e-mails from `deskline receive` on this machine. Whoever may write the data folder may connect. */
export function handOverSocket(dataDir: string): string {
  return join(dataDir, 'receive.sock')
}
