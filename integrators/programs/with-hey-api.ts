// The same on the client that @hey-api/openapi-ts makes.
import { type Client, createClient } from './generated/hey-api/client/index.ts'
import * as api from './generated/hey-api/index.ts'

/** As the program of a client, by their API token: no program needs a password. */
export async function play(baseUrl: string, token: string, email: string): Promise<string[]> {
  const client = createClient({ baseUrl, auth: token })
  const refused = await api.accountTokensCreate({ client, body: { name: 'Another' } })

  const { data: offered } = await api.departments({ client })
  const department_id = offered?.data.departments[0]?.id ?? 0
  const wanted = { department_id, subject: 'On fire', message: 'It burns.', priority: 'High' } as const
  await api.ticketsCreate({ client, body: wanted })
  const { data: listed } = await api.ticketsList({ client, body: { limit: 10 } })
  return [
    await whoHas(client, 'nobody@example.com'),
    await whoHas(client, email),
    refused.error?.reason ?? 'none',
    ...(listed?.data.tickets ?? []).map(told)
  ]
}

function told({ subject, status, created_at_iso }: api.TicketSummary): string {
  return `${subject} (${status}, ${new Date(created_at_iso).getUTCFullYear() > 2000})`
}

async function whoHas(client: Client, email: string): Promise<string> {
  const { data: found } = await api.userCheckByEmailWithGet({ client, query: { email } })
  if (!found) throw new Error('Nothing was answered')
  return found.data.exists ? found.data.first_name : 'nobody'
}

/** Never called: what must not compile. */
export async function wrong(client: Client, id: number): Promise<void> {
  // @ts-expect-error A field is misspelt.
  await api.ticketsReply({ client, body: { id, message: 'On my way.', mesage: '' } })
  // @ts-expect-error A required field is missing.
  await api.ticketsReply({ client, body: { id } })
  // @ts-expect-error A field is of the wrong type.
  await api.ticketsReply({ client, body: { id, message: 7 } })
  // @ts-expect-error No ticket has this status.
  await api.adminTicketsList({ client, body: { status: 'Burning' } })
  // @ts-expect-error The body is missing.
  await api.ticketsCreate({ client })
  // @ts-expect-error There is no such operation.
  await api.ticketsBurn({ client })

  const { data: found } = await api.userCheckUserByEmail({ client, body: { email: 'ada@example.com' } })
  // @ts-expect-error Who does not exist has no name.
  found?.data.first_name.toUpperCase()
  const { data: next } = await api.adminTicketsNext({ client, body: {} })
  // @ts-expect-error There may be no ticket that waits.
  next?.data.ticket.subject.toUpperCase()
  const { data: page } = await api.adminColleaguesList({ client, body: {} })
  // @ts-expect-error Colleagues have no such field.
  page?.data.colleagues[0]?.nickname
}
