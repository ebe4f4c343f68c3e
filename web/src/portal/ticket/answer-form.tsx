import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useFileLimits } from '../../app/file-limits.ts'
import { useMe } from '../../app/me.ts'
import { useDraft } from '../../app/use-draft.ts'
import { draftKey, newSendKey } from '../../lib/drafts.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { FilePicker } from '../../ui/attachments.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { areRefused, ChosenFiles, DropArea } from '../file-field.tsx'
import { CancelSend, SendFailure, sendFailureText, wasSentBefore } from '../sending-state.tsx'
import { useSending } from '../use-sending.ts'
import styles from './thread.module.css'

interface AnswerFormProps {
  id: number
  number: string
  isClosed: boolean
  /** The first name of the person who answered last. */
  answeredBy: string | undefined
  onSent(): void
}

/** The form for an answer. Text and files are kept on this device until the answer has arrived. */
export function AnswerForm({ id, number, isClosed, answeredBy, onSent }: AnswerFormProps) {
  const me = useMe()
  const draft = useDraft(draftKey(`client:${me.id}`, id, 'reply'))
  const { text, files } = draft.draft
  const [error, setError] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)

  const sending = useSending(t('portal-ticket.answerTo', { number }), async ({ signal, onProgress }) => {
    const { text, files, sendKey } = draft.draft
    const fields = { id, message: text }
    // The saved key makes a retry safe even if this attempt arrives and its response is lost, also after a reload.
    await draft.save()
    try {
      await post('/api/tickets/reply', fields, { files, signal, onProgress, idempotencyKey: sendKey, tries: 1 })
    } catch (error) {
      announce(sendFailureText(error))
      if (wasSentBefore(error)) {
        draft.change({ sendKey: newSendKey() })
        onSent()
      }
      throw error
    }
    await draft.clear()
    announce(t('portal-ticket.answerSent'))
    onSent()
  })
  const isBusy = sending.state.kind === 'sending' || sending.state.kind === 'waiting'

  const limits = useFileLimits()

  function addFiles(more: File[]) {
    if (!isBusy) draft.change({ files: [...files, ...more] })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (text.trim() === '') {
      setError(t(files.length > 0 ? 'portal-ticket.messageForFiles' : 'portal-ticket.answerMissing'))
      field.current?.focus()
      return
    }
    if (areRefused(files, limits)) return setError(t('portal-ticket.filesRefused'))
    setError(undefined)
    void sending.send()
  }

  return (
    <form className={`card ${styles.answer}`} onSubmit={submit} noValidate>
      <DropArea onFiles={addFiles}>
        {draft.isFromOtherTab && <Banner tone="info">{t('portal-ticket.newerElsewhere')}</Banner>}
        <TextArea
          ref={field}
          label={t('portal-ticket.yourAnswer')}
          placeholder={
            isClosed
              ? t('portal-ticket.reopens')
              : answeredBy
                ? t('portal-ticket.writeTo', { name: answeredBy })
                : t('portal-ticket.writeToUs')
          }
          {...(isClosed && { hint: t('portal-ticket.reopens') })}
          value={text}
          rows={4}
          maxLength={500_000}
          error={error}
          readOnly={isBusy}
          onKeyDown={sendByKey}
          onChange={text => {
            setError(undefined)
            draft.change({ text })
          }}
        />
        <ChosenFiles
          files={files}
          progress={sending.state.kind === 'sending' ? sending.state.share : undefined}
          isBusy={isBusy}
          onChange={files => draft.change({ files })}
        />
        <SendFailure {...sending} />
        <div className={styles.answerFoot}>
          <Button
            type="submit"
            variant="primary"
            size="lg"
            busy={isBusy}
            busyLabel={t(sending.state.kind === 'waiting' ? 'portal-ticket.waiting' : 'portal-ticket.sending')}
          >
            {t('portal-ticket.sendAnswer')}
          </Button>
          <FilePicker look="button" label={t('portal-ticket.attach')} disabled={isBusy} onFiles={addFiles} />
          <CancelSend {...sending} hasFiles={files.length > 0} />
          <span className={styles.kept}>{t('portal-ticket.kept')}</span>
        </div>
      </DropArea>
    </form>
  )
}

function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
}
