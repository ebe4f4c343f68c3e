import { CornerUpRight, Eye, File as FileIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useMe } from '../../../app/me.ts'
import { emptyDraft } from '../../../lib/drafts.ts'
import { sizeText } from '../../../lib/files.ts'
import { nameOf } from '../../../lib/person-name.ts'
import { t } from '../../../lib/strings.ts'
import { instantOf, timeInText } from '../../../lib/times.ts'
import { announce } from '../../../ui/announce.ts'
import { FileList, FilePicker, useFileDrop } from '../../../ui/attachments.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { takenAsides } from '../../waiting-asides.ts'
import { followReply } from '../../waiting-replies.ts'
import type { Detail } from '../thread-types.ts'
import type { TimelineData } from '../timeline.ts'
import { AddressField, addressesIn } from './address-field.tsx'
import { ForwardPreview } from './forward-preview.tsx'
import { sideFailureText } from './refusal-text.ts'
import styles from './side.module.css'
import { withFiles } from './side-composer.tsx'
import { reloadSide, SideFrame } from './side-pane.tsx'
import { type Forwarding, recipientOf } from './use-side.ts'

interface NewSideProps {
  detail: Detail
  thread: TimelineData
  forwarding: Forwarding
  onClose(): void
  /** Null: it waits, and can be taken back. */
  onBegun(id: number | null): void
}

/** A new side conversation: to whom, what, and what of the ticket goes along. */
export function NewSide({ detail, thread, forwarding, onClose, onBegun }: NewSideProps) {
  const { ticket } = detail
  const { choosing, files: chosenFiles, toggleFile } = forwarding
  const [taken] = useState(() => takenFor(ticket.ticket_number))
  const former = taken?.forwarding
  const [to, setTo] = useState<string[]>(former?.to ?? [])
  const [cc, setCc] = useState(former?.cc.length ? former.cc : undefined)
  const [subject, setSubject] = useState(former?.subject ?? ticket.subject)
  const [message, setMessage] = useState(taken?.message ?? '')
  const [uploads, setUploads] = useState<File[]>(taken?.files ?? [])
  const [waits, setWaits] = useState(former?.waits !== 0)
  const [hidesClient, setHidesClient] = useState(former?.hide_client !== 0)
  const [isPreviewed, setPreviewed] = useState(false)
  const me = useMe()
  useEffect(() => {
    if (taken) takenAsides.set(undefined)
  }, [taken])
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const typed = useRef({ to: '', cc: '' })
  const drop = useFileDrop(more => setUploads(files => [...files, ...more]))
  const client = ticket.client.first_name
  const chosen = thread.messages.filter(({ id }) => choosing.messages.has(id))
  const files = chosen.flatMap(({ attachments }) => attachments)
  const isReady = subject.trim() !== '' && message.trim() !== ''

  /** What is typed and not yet a chip is meant too. */
  const given = () => ({
    id: ticket.id,
    to: [...to, ...addressesIn(typed.current.to)],
    cc: [...(cc ?? []), ...addressesIn(typed.current.cc)],
    subject: subject.trim(),
    message: message.trim(),
    message_ids: chosen.map(({ id }) => id),
    attachment_ids: files.filter(({ id }) => chosenFiles.has(id)).map(({ id }) => id),
    waits: waits ? (1 as const) : (0 as const),
    hide_client: hidesClient ? (1 as const) : (0 as const)
  })

  async function forward() {
    if (!isReady || state.isBusy) return
    setState({ isBusy: true })
    try {
      const body = given()
      const sent = await post('/api/admin/tickets/forward', { ...body, undo: 1 }, withFiles(uploads))
      const { conversation, side_message_id: messageId, undo_until } = sent
      if (messageId && undo_until) {
        const names = recipientOf({ conversation_id: null, forwarding: { ...body } }, [])
        const [number, goesAt] = [ticket.ticket_number, instantOf(undo_until).getTime()]
        const account = `staff:${me.id}`
        const waiting = { messageId, ticketId: ticket.id, number, names, goesAt, account, isAside: true as const }
        void followReply(waiting, { ...emptyDraft(), files: uploads })
      } else announce(t('side.forwarded'))
      reloadSide()
      onBegun(conversation?.id ?? null)
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  return (
    <SideFrame subject={t('side.newOne')} client={client} onClose={onClose}>
      <form
        {...drop}
        className={`${styles.fresh} ${drop.className}`}
        onSubmit={event => {
          event.preventDefault()
          void forward()
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void forward()
        }}
      >
        <AddressField label={t('side.to')} addresses={to} onChange={setTo} onTyped={text => (typed.current.to = text)}>
          {cc === undefined && (
            <Button variant="quiet" size="sm" onClick={() => setCc([])}>
              Cc
            </Button>
          )}
        </AddressField>
        {cc && <AddressField label="Cc" addresses={cc} onChange={setCc} onTyped={text => (typed.current.cc = text)} />}
        <TextField label={t('side.subject')} value={subject} maxLength={255} dir="auto" onChange={setSubject} />
        <textarea
          className={styles.text}
          aria-label={t('side.message')}
          placeholder={t('side.message')}
          value={message}
          dir="auto"
          rows={5}
          onChange={event => setMessage(event.target.value)}
        />
        <FileList files={uploads} onRemove={file => setUploads(uploads.filter(each => each !== file))} />
        <fieldset className={styles.goes}>
          <legend>{t('side.goesAlong')}</legend>
          <Button
            className={styles.preview!}
            size="sm"
            variant="quiet"
            icon={Eye}
            disabled={!isReady}
            reason={isReady ? undefined : t('side.previewWhen')}
            onClick={() => setPreviewed(true)}
          >
            {t('side.preview')}
          </Button>
          {chosen.length === 0 && <p className={styles.small}>{t('side.nothingAlong')}</p>}
          {chosen.map(({ id, message, created_at, ...person }) => (
            <Checkbox
              key={id}
              checked
              label={`${who(person, hidesClient)}, ${timeInText(instantOf(created_at))}: “${message.slice(0, 60)}”`}
              onChange={() => choosing.toggle({ type: 'message', id }, false)}
            />
          ))}
          {files.map(({ id, file_name, file_size }) => (
            <span key={id} className={styles.goesFile}>
              <Checkbox checked={chosenFiles.has(id)} label={file_name} onChange={() => toggleFile(id)} />
              <FileIcon size={12} aria-hidden />
              <span className={styles.small}>{sizeText(file_size)}</span>
            </span>
          ))}
        </fieldset>
        <Checkbox
          checked={hidesClient}
          label={t('side.hideClient', { client })}
          onChange={() => setHidesClient(!hidesClient)}
        />
        <Checkbox checked={waits} label={t('side.waitsForAnswer')} onChange={() => setWaits(!waits)} />
        {isPreviewed && <ForwardPreview given={given()} uploads={uploads} onClose={() => setPreviewed(false)} />}
        {state.error !== undefined && <Banner tone="bad">{sideFailureText(state.error)}</Banner>}
        <div className={styles.foot}>
          <FilePicker onFiles={more => setUploads([...uploads, ...more])} disabled={state.isBusy} />
          <Button
            type="submit"
            className={styles.send!}
            icon={CornerUpRight}
            busy={state.isBusy}
            busyLabel={t('side.sending')}
            disabled={!isReady}
          >
            {t('side.doForward')}
          </Button>
        </div>
      </form>
    </SideFrame>
  )
}

/** What was taken back of what begins a side conversation of this ticket. */
function takenFor(number: string) {
  const taken = takenAsides.get()
  return taken?.number === number && taken.forwarding ? taken : undefined
}

function who(person: { sender_type: string; first_name: string; last_name: string }, hidesClient: boolean): string {
  return person.sender_type === 'customer' && hidesClient ? t('side.client') : nameOf(person)
}
