import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { Services } from '../../core/services.ts'
import { mailReader } from '../../platform/mail-reading/mail-reader.ts'
import { handOverSocket } from './hand-over-socket.ts'
import type { Receipt } from './receipt.ts'
import { receiveMail } from './receive-mail.ts'
import { NoMessage } from './store-mail.ts'

/** Removes the socket of a service that was killed; the data folder is this service's alone. */
export async function removeHandOverSocket({ config }: Pick<Services, 'config'>): Promise<void> {
  await rm(handOverSocket(config.DATA_DIR), { force: true })
}

/**
 * Takes e-mails from `deskline receive` by a socket in the data folder: the command then starts in a twentieth of a second, because it opens neither
 * the database nor anything else. Without the socket, as where the path of the folder is too long for one, the command does the work itself.
 */
export async function takeHandedOver(services: Services): Promise<{ stop(): Promise<void> } | undefined> {
  const reader = mailReader()
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    try {
      answer(200, await take({ ...services, mailReader: reader }, request))
    } catch (error) {
      if (error instanceof NoMessage) return answer(422, { message: error.message })
      services.metrics.inboundMailFailures.inc({ via: 'command' })
      services.log.warn({ err: error }, 'An e-mail could not be accepted: the mail server should retry')
      answer(503, { message: (error as Error).message })
    }
  })
  try {
    server.listen(handOverSocket(services.config.DATA_DIR))
    await once(server, 'listening')
  } catch (error) {
    services.log.info({ err: error }, 'Each "deskline receive" opens the database itself')
    return undefined
  }
  return {
    async stop() {
      await new Promise(resolve => server.close(resolve))
      await reader.close()
    }
  }
}

async function take(services: Services, request: IncomingMessage): Promise<Receipt> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const given = (name: string) => searchParams.get(name) ?? undefined
  return await receiveMail(services, {
    raw: request,
    via: 'command',
    recipient: given('recipient'),
    sender: given('sender'),
    cutsTooLarge: true
  })
}
