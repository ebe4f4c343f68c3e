import { doerOfAccount } from '../history/doer.ts'
import { record } from '../history/record.ts'
import type { Caller } from '../kit/endpoint.ts'
import { failure } from '../kit/errors.ts'
import { transaction } from '../platform/db/open.ts'
import { prepared } from '../platform/db/prepared.ts'
import { sameSecret } from '../platform/secrets/keys.ts'
import type { Services } from '../services.ts'

export const UnknownStopToken = failure(400, 'This link does not end any letters')

const purpose = 'stop letters'

/**
 * The address at which whoever has this client's letters ends them, without an account: they may be a stranger whose address
 * somebody gave as their own. It works for as long as the client has that address.
 */
export function stopUrl({ keys, config }: Pick<Services, 'keys' | 'config'>, client: Addressed): string {
  return `${config.BASE_URL}/api/letters/stop?token=${client.id}.${keys.digest(purpose, signed(client))}`
}

/** Ends the letters about tickets that the token came with; it may come again. Throws `UnknownStopToken`. */
export async function stopLetters(services: Services, token: string, caller: Caller): Promise<void> {
  const { db, keys } = services
  const [, id, digest] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
  if (id === undefined || digest === undefined) throw UnknownStopToken({ errors: ['token'] })

  await transaction(db, async db => {
    const [client] = await heldClient(db, { id: Number(id) })
    const isGenuine = client && keys.digests(purpose, signed(client)).some(genuine => sameSecret(genuine, digest))
    if (!isGenuine) throw UnknownStopToken({ errors: ['token'] })
    if (!client.ticket_letters) return

    await endLetters(db, { id: client.id })
    await record(services, db, doerOfAccount({ ...client, population: 'client' }, caller), {
      action: 'letters.chosen',
      target: { type: 'client', id: client.id },
      before: { ticket_letters: 1 },
      after: { ticket_letters: 0 }
    })
  })
}

interface Addressed {
  id: number
  email: string
}

function signed({ id, email }: Addressed): string {
  return `${id}\n${email.toLowerCase()}`
}

const heldClient = prepared((db, p: { id: number }) =>
  db
    .selectFrom('clients')
    .where('id', '=', p.id)
    .select(['id', 'email', 'first_name', 'last_name', 'ticket_letters'])
    .forNoKeyUpdate()
)

const endLetters = prepared((db, p: { id: number }) =>
  db.updateTable('clients').where('id', '=', p.id).set({ ticket_letters: false })
)
