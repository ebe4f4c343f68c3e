import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestInstallation } from './installations.ts'

const program = resolve(import.meta.dirname, '../../bin/deskline.js')

/** Passes an e-mail to `deskline receive` while the service of an installation runs. */
export async function receive(
  installation: TestInstallation,
  raw: string
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program, 'receive'], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      DESKLINE_ENV_FILE: '',
      MAIL_DNS_SERVERS: 'off',
      ...installation.environment
    },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  child.stdin.on('error', () => {})
  child.stdin.end(raw)
  const [output, failure, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, output: output + failure }
}
