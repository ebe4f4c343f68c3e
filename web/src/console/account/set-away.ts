import { post } from '../../app/api-client.ts'
import { failureText } from '../../app/failures.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { reloadMe } from '../../app/session.ts'
import { toast } from '../../ui/toast.tsx'

/** Says until when this person is away; null: they are back. */
export async function setAway(until: string | null): Promise<void> {
  await post('/api/account/away', { until })
  await Promise.all([
    reloadMe(),
    reloadQueries('/api/admin/colleagues/list', '/api/admin/staff/list', '/api/admin/staff/detail')
  ])
}

export async function comeBack(): Promise<void> {
  try {
    await setAway(null)
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}
