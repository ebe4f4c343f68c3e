import { failureText } from '../../app/failures.ts'
import { toast } from '../../ui/toast.tsx'

/** Downloads the file of the link that is answered. */
export async function downloadCsv(answering: Promise<object>): Promise<void> {
  try {
    const answer = await answering
    if (!('url' in answer)) return
    // By the address in the bar, which need not be that of the settings.
    const { pathname, search } = new URL(String(answer.url))
    location.assign(pathname + search)
  } catch (error) {
    toast({ text: failureText(error), tone: 'bad' })
  }
}
