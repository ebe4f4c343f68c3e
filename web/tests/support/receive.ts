import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** As a mail server hands it to the desk. Answers the number of the ticket that it became. */
export async function receive(
  dataDir: string,
  lines: string[],
  settings: Record<string, string> = {}
): Promise<string> {
  const program = join(import.meta.dirname, '../../../bin/deskline.js')
  const command = spawn(process.execPath, [program, 'receive'], {
    env: { ...process.env, ...settings, DATA_DIR: dataDir, NODE_ENV: 'test' },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  let answer = ''
  command.stdout.on('data', chunk => {
    answer += chunk
  })
  command.stdin.end(lines.join('\r\n'))
  await once(command, 'close')
  return (JSON.parse(answer) as { ticket_number: string }).ticket_number
}
