import { ownAddress } from '../lib/own-address.ts'
import { toast } from '../ui/toast.tsx'
import { post } from './api-client.ts'
import { failureText } from './failures.ts'

/** Saves the raw message of an e-mail, by a link that the service signs for this session. */
export async function downloadOriginalEmail(id: number): Promise<void> {
  try {
    const { url } = await post('/api/admin/mail/original-link', { id })
    location.assign(ownAddress(url))
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}
