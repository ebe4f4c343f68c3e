import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { preparedForVisible, type TicketVisibility } from './visibility.ts'
import { canSee, loadTickets } from './visible-in-memory.ts'

const desk = await bootDesk()

test('what a ticket at hand tells of who sees it is what the database tells', async () => {
  const proven = { is_email_verified: true, former_emails: ['former@example.com'] }
  const [ada, other, grace] = [await aClient(desk, proven), await aClient(desk), await aSupporter(desk)]
  const ids: number[] = []
  for (const client_id of [ada.id, other.id]) {
    for (const assigned_staff_id of [null, grace.id]) {
      for (const department_id of [1, 4]) {
        for (const trashed_at of [null, desk.clock.now()]) {
          for (const client_email of [null, ada.email, other.email, 'former@example.com', 'claimed@example.com']) {
            const { ticket_id: id } = await aTicket(desk, client_id === ada.id ? ada : other)
            await desk.db
              .updateTable('tickets')
              .set({ assigned_staff_id, department_id, trashed_at, client_email })
              .where('id', '=', id)
              .execute()
            ids.push(id)
          }
        }
      }
    }
  }
  const visibilities: TicketVisibility[] = []
  for (const [column, owner] of [
    ['client_id', ada.id],
    ['client_id', other.id],
    ['assigned_staff_id', grace.id],
    [undefined, grace.id]
  ] as const) {
    for (const departments of [undefined, [4], [1, 4], []]) {
      for (const trash of [undefined, 'too', 'alone'] as const) {
        for (const free of column === 'assigned_staff_id' ? [undefined, true as const] : [undefined]) {
          visibilities.push({ column, owner, departments, ...(trash ? { trash } : {}), ...(free ? { free } : {}) })
        }
      }
    }
  }
  const asked = preparedForVisible(tickets => tickets.select('tickets.id').orderBy('tickets.id'))

  const atHand = [...(await loadTickets(desk.db, ids)).values()].toSorted((one, two) => one.id - two.id)

  assert.equal(atHand.length, 80)
  for (const visibility of visibilities) {
    const told = (await asked(desk.db, visibility, {})).map(({ id }) => id)
    assert.deepEqual(
      atHand.filter(ticket => canSee(visibility, ticket)).map(({ id }) => id),
      told,
      JSON.stringify(visibility)
    )
  }
})

test('what was merged is seen by whoever sees the ticket that it was merged into', async () => {
  const ada = await aClient(desk)
  const [source, target] = [
    (await aTicket(desk, ada)).ticket_id,
    (await aTicket(desk, ada, { department_id: 4 })).ticket_id
  ]
  await desk.db.updateTable('tickets').set({ merged_into_id: target }).where('id', '=', source).execute()

  const ticket = (await loadTickets(desk.db, [source])).get(source)!

  const visibility = { column: undefined, owner: 1 }
  assert.deepEqual(
    [[1], [4], [1, 4]].map(departments => canSee({ ...visibility, departments }, ticket)),
    [false, true, true]
  )
})
