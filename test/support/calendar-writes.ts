import type { Scene, Write } from './staff-writes.ts'

const weeks = [{ valid_from: null, hours: { mon: [['09:00', '17:00']] } }]
const days = [{ date: '2030-12-25', name: 'Christmas Day', hours: [] }]
let serial = 0

/** The same for calendars. */
export const calendarWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/admin/calendars/create': async () => ({
    body: newCalendar(),
    refused: { ...newCalendar(), time_zone: '+02:00' }
  }),
  '/api/admin/calendars/update': async scene => ({ body: { id: await calendar(scene), name: `Renamed ${++serial}` } }),
  '/api/admin/calendars/days': async scene => ({ body: { id: await calendar(scene), year: 2030, days } }),
  '/api/admin/calendars/archive': async scene => ({ body: { id: await calendar(scene) } }),
  '/api/admin/calendars/unarchive': async scene => {
    const id = await calendar(scene)
    await scene.desk.post('/api/admin/calendars/archive', scene.admin, { id })
    return { body: { id } }
  },
  '/api/admin/calendars/delete': async scene => ({ body: { id: await calendar(scene) } })
}

function newCalendar() {
  return { name: `Calendar ${++serial}`, time_zone: 'Europe/Berlin', weeks }
}

async function calendar({ desk, admin }: Scene): Promise<number> {
  return (await desk.post('/api/admin/calendars/create', admin, newCalendar())).data.calendar.id
}
