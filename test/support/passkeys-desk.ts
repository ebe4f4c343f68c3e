import { bootDesk } from './desk.ts'
import type { Person } from './people.ts'

/** A desk, and what its people and its log know of passkeys. */
export async function bootPasskeysDesk() {
  const desk = await bootDesk({ connections: 8 })
  const own = '/api/account/passkeys'
  return {
    ...{ desk, own },
    optionsFor: async (person: Person) => (await desk.post(`${own}/options`, person)).data,
    registered: async (person: Person) => (await desk.post(`${own}/list`, person)).data.passkeys,
    /** The kinds of what somebody has done, in order. */
    async eventsOf(person: Person): Promise<string[]> {
      const rows = await desk.db
        .selectFrom('events')
        .where('actor_id', '=', person.id)
        .select('kind')
        .orderBy('id')
        .execute()
      return rows.map(({ kind }) => kind)
    }
  }
}
