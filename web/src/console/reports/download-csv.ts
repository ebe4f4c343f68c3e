import { failureText } from '../../app/failures.ts'
import { toast } from '../../ui/toast.tsx'

/** Downloads the file of the link that is answered. */
export async function downloadCsv(answering: Promise<object>): Promise<void> {
  try {
    const answer = await answering
    if ('url' in answer) location.assign(String(answer.url))
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}
