import { aClient } from './people.ts'
import { bootReportsDesk } from './reports.ts'

/** A desk that asks clients how its help was, an hour after a closing; the test sets its clock. */
export async function bootRatingsDesk() {
  const reports = await bootReportsDesk()
  const { desk, admin, at, opened, staff, done } = reports
  await done('/api/admin/settings/update', admin, { csat_enabled: 1 })
  let now = Date.parse('2026-03-02T09:00:00Z')
  const later = async (minutes: number) => {
    now += minutes * 60_000
    await at(new Date(now).toISOString())
  }
  await later(0)
  return {
    ...reports,
    today: () => new Date(now).toISOString().slice(0, 10),
    later,
    /** A ticket that grace has answered and closed, of a client of its own; the survey is due in an hour. */
    async closed(given: object = {}) {
      const client = await aClient(desk, { is_email_verified: true, ...given })
      const id = await opened({}, client)
      await staff('reply', { id, message: 'Solved' })
      await staff('status', { id, status: 'Closed' })
      return { id, client }
    },
    /** The links of the newest survey e-mail to this client. */
    async linksFor({ email }: { email: string }) {
      const { emails } = await desk.deliver()
      const mail = emails.findLast(
        ({ to, subject }) => to === email && /How was our help|Wie war unsere Hilfe/.test(subject)
      )
      const links = [...(mail?.text ?? '').matchAll(/http\S+\/rate\/(\S+?)\?rating=(good|bad)/g)]
      return {
        mail,
        token: links[0]?.[1] ?? '',
        paths: links.map(([link]) => new URL(link).pathname + new URL(link).search)
      }
    },
    surveyOf: async (ticket_id: number) => (await done('/api/admin/csat/list', admin, { ticket_id })).surveys,
    rateBy: async (token: string, body: object) => await desk.post('/api/csat/rate', undefined, { token, ...body })
  }
}
