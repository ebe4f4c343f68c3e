import { failureText } from '../../app/failures.ts'
import { ownAddress } from '../../lib/own-address.ts'
import { toast } from '../../ui/toast.tsx'

/** Downloads the file of the link that is answered. */
export async function downloadCsv(answering: Promise<object>): Promise<void> {
  try {
    const answer = await answering
    if ('url' in answer) location.assign(ownAddress(String(answer.url)))
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}
