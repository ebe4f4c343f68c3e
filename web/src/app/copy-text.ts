import { t } from '../lib/strings.ts'
import { toast } from '../ui/toast.tsx'

/** Puts a text on the clipboard, and says whether that worked. Needs the strings of `account`. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ text: t('account.copied') })
  } catch {
    toast({ text: t('account.notCopied'), tone: 'bad' })
  }
}
