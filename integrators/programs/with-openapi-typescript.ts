// A program as an integrator writes it on the types that openapi-typescript makes. It is compiled beside them, and run.
import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './generated/openapi-typescript.ts'

type TicketSummary = components['schemas']['TicketSummary']

/** As the program of a client, by their API token: no program needs a password. */
export async function play(baseUrl: string, token: string, email: string): Promise<string[]> {
  const desk = createClient<paths>({ baseUrl })
  desk.use({
    onRequest({ request }) {
      request.headers.set('Authorization', `Bearer ${token}`)
      return request
    }
  })

  const refused = await desk.POST('/api/account/tokens/create', { body: { name: 'Another' } })
  const { data: offered } = await desk.POST('/api/departments')
  const department_id = offered?.data.departments[0]?.id ?? 0
  const wanted = { department_id, subject: 'On fire', message: 'It burns.', priority: 'High' } as const
  await desk.POST('/api/tickets/create', { body: wanted })
  const { data: listed } = await desk.POST('/api/tickets/list', { body: { limit: 10 } })
  return [
    await whoHas(desk, 'nobody@example.com'),
    await whoHas(desk, email),
    refused.error?.reason ?? 'none',
    ...(listed?.data.tickets ?? []).map(told)
  ]
}

function told({ subject, status, created_at_iso }: TicketSummary): string {
  return `${subject} (${status}, ${new Date(created_at_iso).getUTCFullYear() > 2000})`
}

async function whoHas(desk: Client<paths>, email: string): Promise<string> {
  const { data: found } = await desk.GET('/api/user/check-by-email', { params: { query: { email } } })
  if (!found) throw new Error('Nothing was answered')
  return found.data.exists ? found.data.first_name : 'nobody'
}

/** Never called: what must not compile. */
export async function wrong(desk: Client<paths>, id: number): Promise<void> {
  // @ts-expect-error A field is misspelt.
  const reply: components['schemas']['AdminTicketsReplyBody'] = { id, message: 'On my way.', stauts: 'Open' }
  await desk.POST('/api/admin/tickets/reply', { body: reply })
  // @ts-expect-error The same where it is needed.
  await desk.POST('/api/tickets/reply', { body: { id, mesage: 'On my way.' } })
  // @ts-expect-error A required field is missing.
  await desk.POST('/api/tickets/reply', { body: { id } })
  // @ts-expect-error A field is of the wrong type.
  await desk.POST('/api/tickets/reply', { body: { id, message: 7 } })
  // @ts-expect-error No ticket has this status.
  await desk.POST('/api/admin/tickets/list', { body: { status: 'Burning' } })
  // @ts-expect-error The body is missing.
  await desk.POST('/api/tickets/create')
  // @ts-expect-error There is no such address.
  await desk.POST('/api/tickets/burn')
  // @ts-expect-error This address takes no GET.
  await desk.GET('/api/tickets/list')

  const { data: found } = await desk.POST('/api/user/checkUserByEmail', { body: { email: 'ada@example.com' } })
  // @ts-expect-error Who does not exist has no name.
  found?.data.first_name.toUpperCase()
  const { data: next } = await desk.POST('/api/admin/tickets/next', { body: {} })
  // @ts-expect-error There may be no ticket that waits.
  next?.data.ticket.subject.toUpperCase()
  const { data: page } = await desk.POST('/api/admin/colleagues/list', { body: {} })
  // @ts-expect-error Colleagues have no such field.
  page?.data.colleagues[0]?.nickname
}
