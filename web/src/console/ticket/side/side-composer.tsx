import { CornerUpRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useMe } from '../../../app/me.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { emptyDraft } from '../../../lib/drafts.ts'
import { useStore } from '../../../lib/store.ts'
import { t } from '../../../lib/strings.ts'
import { instantOf } from '../../../lib/times.ts'
import { announce } from '../../../ui/announce.ts'
import { FileList, FilePicker, useFileDrop } from '../../../ui/attachments.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { useIsPhone } from '../../use-layout.ts'
import { takenAsides } from '../../waiting-asides.ts'
import { followReply } from '../../waiting-replies.ts'
import type { Detail } from '../thread-types.ts'
import { useToastsAbove } from '../toasts-above.ts'
import { sideFailureText } from './refusal-text.ts'
import styles from './side.module.css'

interface SideComposerProps {
  /** Of the conversation. */
  id: number
  partner: string
  ticket: Pick<Detail['ticket'], 'id' | 'ticket_number'>
}

/** What is written to the third party. It has a place of its own: no composer ever changes between them and the client. */
export function SideComposer({ id, partner, ticket }: SideComposerProps) {
  const [message, setMessage] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const drop = useFileDrop(more => setFiles(files => [...files, ...more]))
  const isEmpty = message.trim() === ''
  const me = useMe()
  const field = useRef<HTMLTextAreaElement>(null)
  const form = useRef<HTMLFormElement>(null)
  // Where there is more room, the composer of the thread is beside this one, and toasts appear above that.
  useToastsAbove(form, useIsPhone())
  const taken = useStore(takenAsides)
  useEffect(() => {
    if (taken?.conversation_id !== id) return
    takenAsides.set(undefined)
    setMessage(written => [taken.message, written].filter(Boolean).join('\n\n'))
    setFiles(taken.files)
    field.current?.focus()
  }, [taken, id])

  async function send() {
    if (isEmpty || state.isBusy) return
    setState({ isBusy: true })
    try {
      const body = { id, message: message.trim(), undo: 1 as const }
      const sent = await post('/api/admin/tickets/conversations/reply', body, withFiles(files))
      const { side_message_id: messageId, undo_until } = sent
      if (messageId && undo_until) {
        const { id: ticketId, ticket_number: number } = ticket
        const goesAt = instantOf(undo_until).getTime()
        const account = `staff:${me.id}`
        const waiting = { messageId, ticketId, number, names: partner, goesAt, account, isAside: true as const }
        void followReply(waiting, { ...emptyDraft(), files })
      } else announce(t('side.sentTo', { partner }))
      setMessage('')
      setFiles([])
      setState({ isBusy: false })
      for (const path of ['list', 'detail'] as const) void reloadQueries(`/api/admin/tickets/conversations/${path}`)
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  return (
    <form
      {...drop}
      ref={form}
      className={`${styles.composer} ${drop.className}`}
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={event => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        void send()
      }}
    >
      <p className={styles.to}>
        <span>{t('side.to')}</span> <bdi>{partner}</bdi>
      </p>
      <textarea
        ref={field}
        className={styles.text}
        aria-label={t('side.writeTo', { partner })}
        placeholder={t('side.writeTo', { partner })}
        value={message}
        dir="auto"
        rows={3}
        onChange={event => setMessage(event.target.value)}
      />
      <FileList files={files} onRemove={file => setFiles(files.filter(each => each !== file))} />
      {state.error !== undefined && <Banner tone="bad">{sideFailureText(state.error)}</Banner>}
      <div className={styles.foot}>
        <FilePicker onFiles={more => setFiles([...files, ...more])} disabled={state.isBusy} />
        <Button
          type="submit"
          className={styles.send!}
          icon={CornerUpRight}
          busy={state.isBusy}
          busyLabel={t('side.sending')}
          disabled={isEmpty}
        >
          {t('side.sendTo', { partner: partner.split(/[\s@]/)[0] ?? partner })}
        </Button>
      </div>
    </form>
  )
}

/** The files of a request; without any it is sent as JSON. */
export function withFiles(files: File[]): { files?: File[] } {
  return files.length > 0 ? { files } : {}
}
