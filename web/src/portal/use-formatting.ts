import { useState } from 'react'
import type { OpenDraft } from '../app/use-draft.ts'
import { setLocalSetting, useLocalSetting } from '../lib/local-setting.ts'
import { t } from '../lib/strings.ts'
import { loadEditor, textConversions } from '../ui/rich-field.tsx'
import { toast } from '../ui/toast.tsx'

const storageKey = 'deskline:formats'

/** Whether the text of a draft is formatted. One begins as last time in this browser, first with a plain text; changing keeps the text. */
export function useFormatting({ draft, change }: OpenDraft) {
  const { text, fields } = draft
  const formatsUsually = useLocalSetting(storageKey) === 'on'
  const [isLoading, setLoading] = useState(false)
  const isFormatted = text.trim() === '' ? formatsUsually : fields.format === 'markdown'

  async function format() {
    setLoading(true)
    try {
      const [{ markdownOfPlain }] = await Promise.all([textConversions(), loadEditor()])
      setLocalSetting(storageKey, 'on')
      write(markdownOfPlain(text), true)
    } catch {
      toast({ text: t('portal-ticket.editorFailed'), tone: 'bad' })
    } finally {
      setLoading(false)
    }
  }

  async function unformat() {
    const { plainOfMarkdown } = await textConversions()
    const { text: plain, isLost } = plainOfMarkdown(text)
    setLocalSetting(storageKey, 'off')
    write(plain, false)
    if (!isLost) return
    const undo = () => {
      setLocalSetting(storageKey, 'on')
      write(text, true)
    }
    toast({ text: t('portal-ticket.formattingLost'), undo })
  }

  /** Changes the text. An empty draft says nothing of its format. */
  function write(text: string, formatted = isFormatted) {
    const { format: _, ...others } = fields
    const caret: [number, number] = [text.length, text.length]
    change({ text, caret, fields: { ...others, ...(formatted && text.trim() !== '' && { format: 'markdown' }) } })
  }

  return {
    isFormatted,
    isLoading,
    format: () => void format(),
    unformat: () => void unformat(),
    write,
    /** What the API is told of it. */
    said: isFormatted ? { format: 'markdown' as const } : {}
  }
}

export type Formatting = ReturnType<typeof useFormatting>
