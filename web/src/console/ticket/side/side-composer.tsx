import { CornerUpRight } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { failureText } from '../../../app/failures.ts'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { FileList, FilePicker, useFileDrop } from '../../../ui/attachments.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './side.module.css'

/** What is written to the third party. It has a place of its own: no composer ever changes between them and the client. */
export function SideComposer({ id, partner }: { id: number; partner: string }) {
  const [message, setMessage] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const drop = useFileDrop(more => setFiles(files => [...files, ...more]))
  const isEmpty = message.trim() === ''

  async function send() {
    if (isEmpty || state.isBusy) return
    setState({ isBusy: true })
    try {
      await post('/api/admin/tickets/conversations/reply', { id, message: message.trim() }, withFiles(files))
      setMessage('')
      setFiles([])
      setState({ isBusy: false })
      announce(t('side.sentTo', { partner }))
      for (const path of ['list', 'detail'] as const) void reloadQueries(`/api/admin/tickets/conversations/${path}`)
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  return (
    <form
      {...drop}
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
        className={styles.text}
        aria-label={t('side.writeTo', { partner })}
        placeholder={t('side.writeTo', { partner })}
        value={message}
        dir="auto"
        rows={3}
        onChange={event => setMessage(event.target.value)}
      />
      <FileList files={files} onRemove={file => setFiles(files.filter(each => each !== file))} />
      {state.error !== undefined && <Banner tone="bad">{failureText(state.error)}</Banner>}
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
