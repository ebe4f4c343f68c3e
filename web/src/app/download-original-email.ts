import { toast } from '../ui/toast.tsx'
import { apiClient } from './api-client.ts'
import { failureText } from './failures.ts'

/** Saves the raw message of an e-mail, by a link that the service signs for this session. */
export async function downloadOriginalEmail(id: number): Promise<void> {
  try {
    const { data } = await apiClient.POST('/api/admin/mail/original-link', { body: { id } })
    location.assign(data.url)
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}
