import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useFileLimits } from '../../app/file-limits.ts'
import { useMe } from '../../app/me.ts'
import { useDraft } from '../../app/use-draft.ts'
import { useTextPictures } from '../../app/use-text-pictures.ts'
import { draftKey, newSendKey } from '../../lib/drafts.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { FilePicker } from '../../ui/attachments.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import type { PicturesMoved, TextFieldHandle } from '../../ui/rich-field-props.ts'
import { areRefused, ChosenFiles, DropArea } from '../file-field.tsx'
import { FormatButton, FormattedField } from '../formatted-field.tsx'
import { CancelSend, SendFailure, sendFailureText, wasSentBefore } from '../sending-state.tsx'
import { useFormatting } from '../use-formatting.ts'
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
  const field = useRef<TextFieldHandle>(null)
  const formatting = useFormatting(draft)

  const sending = useSending(t('portal-ticket.answerTo', { number }), async ({ signal, onProgress }) => {
    const { text, files, sendKey } = draft.draft
    const fields = { id, message: text, ...formatting.said }
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
  const setFiles = (files: File[]) => draft.change({ files })
  const { pictures, filesAfter, below } = useTextPictures(formatting.isFormatted ? text : '', files, limits, setFiles)

  function write(text: string, moved?: PicturesMoved) {
    setError(undefined)
    formatting.write(text)
    if (moved && moved.gone.length + moved.back.length > 0) setFiles(filesAfter(moved))
  }

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
        <FormattedField
          ref={field}
          formatting={formatting}
          pictures={pictures}
          onFiles={addFiles}
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
          onChange={write}
        />
        <ChosenFiles
          files={below}
          progress={sending.state.kind === 'sending' ? sending.state.share : undefined}
          isBusy={isBusy}
          onChange={shown => setFiles([...files.filter(file => !below.includes(file)), ...shown])}
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
          <FormatButton {...formatting} />
          <CancelSend {...sending} hasFiles={files.length > 0} />
          <span className={styles.kept}>{t('portal-ticket.kept')}</span>
        </div>
      </DropArea>
    </form>
  )
}

function sendByKey(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.closest('form')?.requestSubmit()
}
