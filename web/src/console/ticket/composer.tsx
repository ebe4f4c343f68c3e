import { ChevronDown, Maximize2, Minimize2, Reply, StickyNote } from 'lucide-react'
import { Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { post } from '../../app/api-client.ts'
import { useFileLimits } from '../../app/file-limits.ts'
import { can, useMe } from '../../app/me.ts'
import { useDraft } from '../../app/use-draft.ts'
import { useTextPictures } from '../../app/use-text-pictures.ts'
import { type Draft, draftKey, isEmptyDraft } from '../../lib/drafts.ts'
import { t } from '../../lib/strings.ts'
import { FileList, refusalText, useFileDrop } from '../../ui/attachments.tsx'
import { IconButton } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import type { PicturesMoved } from '../../ui/rich-field-props.ts'
import { openComposer } from '../open-composer.ts'
import { changeSendChoice, type SendChoice, useSendChoice } from '../preferences.ts'
import { BlockedTicket } from './blocked-ticket.tsx'
import { CannotSend } from './cannot-send.tsx'
import { fieldsWith, macroOf, statusSetBy, textWithout, withoutAction } from './chosen-macro.ts'
import { recipientsOf, refusedRecipients } from './chosen-recipients.ts'
import { ClientReach, reachText } from './client-reach.tsx'
import styles from './composer.module.css'
import { ComposerFoot } from './composer-foot.tsx'
import { ComposerNotice } from './composer-notice.tsx'
import { ComposerText, type ComposerTextHandle } from './composer-text.tsx'
import { DraftPanel } from './draft-panel.tsx'
import { CloseFields } from './lazy-close-fields.ts'
import { ReachPanel, RecipientRows, SignatureLine } from './lazy-recipients.ts'
import { MacroNotice } from './macro-notice.tsx'
import { NewMessagesConflict } from './new-messages-conflict.tsx'
import { QuoteNotice } from './quote-notice.tsx'
import { RecipientsLine } from './recipients-line.tsx'
import type { MessageKind } from './send-message.ts'
import { withoutChangedQuote, withoutQuote, withQuote } from './taken-quote.ts'
import type { Detail, Status } from './thread-types.ts'
import { useToastsAbove } from './toasts-above.ts'
import { useKeptDraft } from './use-kept-draft.ts'
import { useSend } from './use-send.ts'
import { useStoppedReply } from './use-stopped-reply.ts'
import { WithoutClient } from './without-client.tsx'

interface ComposerProps {
  detail: Detail
  kind: MessageKind
  /** The colleagues who are replying at this moment. */
  replying: readonly number[]
  onKind(kind: MessageKind): void
  /** Called at each key of a reply, to update the presence. */
  onReplying(): void
  /** The newest message when this text was begun; undefined if there is no text. */
  onBegun(seen: number | undefined): void
  /** Called with the macro that is chosen, as the draft keeps it; undefined if there is none. */
  onMacro(kept: string | undefined): void
  onSent(choice: SendChoice, kind: MessageKind, isHeld: boolean): void
}

/** The composer for replies to the client, and for notes that no client sees. */
export function Composer(props: ComposerProps) {
  const { detail, kind, replying, onKind, onReplying, onBegun, onMacro, onSent } = props
  const me = useMe()
  const { ticket } = detail
  const text = useRef<ComposerTextHandle>(null)
  const [isLarge, setLarge] = useState(false)
  // On phones the composer is one line until it has the focus.
  const [isLow, setLow] = useState(true)
  // Of this ticket: whether the rows of recipients are unfolded, and whether it is shown what reaches whom.
  const [unfolded, setUnfolded] = useState<number>()
  const [reachShown, setReachShown] = useState<number>()
  // It was asked whether the reply goes without the client: of which ticket, and whether that was confirmed.
  const [without, setWithout] = useState<{ ticket: number; isSure: boolean }>()
  const draft = useDraft(draftKey(`staff:${me.id}`, ticket.id, kind))
  const isNote = kind === 'note'
  const kept = useKeptDraft(detail, draft, !isNote)
  const { files, seen } = draft.draft
  const choice = useSendChoice(me.id, can('tickets.edit_status'))
  const sending = useSend({ number: ticket.ticket_number, kind, draft, onSent, settle: kept.settle })
  const { state } = sending
  useStoppedReply(detail, sending.stop)
  const isBusy = state.type === 'busy'
  const limits = useFileLimits()
  const hasRefused = files.some((file, place) => refusalText(file, place, limits) !== undefined)
  const begun = draft.state === 'loading' || draft.state === 'empty' || isNote ? undefined : seen
  useEffect(() => onBegun(begun), [begun, onBegun])
  const keptMacro = isNote ? undefined : draft.draft.fields.macro || undefined
  useEffect(() => {
    onMacro(keptMacro)
    return () => onMacro(undefined)
  }, [keptMacro, onMacro])

  const newest = detail.last_message_id ?? undefined
  const change = useCallback(
    (changed: Partial<Pick<Draft, 'text' | 'caret' | 'files' | 'fields'>>) => {
      // A new text is based on all messages that are shown.
      const seen = isEmptyDraft(draft.draft) ? newest : (draft.draft.seen ?? newest)
      draft.change({ ...changed, ...withoutChangedQuote(draft.draft, changed), seen })
      if (!isNote) onReplying()
    },
    [draft, newest, onReplying, isNote]
  )
  const addFiles = useCallback((added: File[]) => change({ files: [...files, ...added] }), [change, files])
  const drop = useFileDrop(addFiles)
  const setFiles = useCallback((files: File[]) => change({ files }), [change])
  const { pictures, filesAfter, below } = useTextPictures(draft.draft.text, files, limits, setFiles)

  /** The reason why it cannot be sent now. An empty text needs no explanation. */
  const reason =
    state.type === 'stopped' ? t('thread.stoppedReason') : hasRefused ? t('thread.refusedReason') : undefined
  const macro = isNote ? undefined : macroOf(draft.draft)
  const chosen = recipientsOf(draft.draft)
  const refusal = state.type === 'refused' ? refusedRecipients(state.error) : undefined
  const hasRows = !isNote && (unfolded === ticket.id || refusal !== undefined)
  const hasReach = !isNote && reachShown === ticket.id
  const hasText = draft.draft.text.trim() !== ''
  const begunByOthers = isNote ? [] : detail.drafts.filter(({ by }) => by.id !== me.id && !replying.includes(by.id))
  const isEmpty = !hasText && !macro
  function submit(changed: Partial<SendChoice> = {}, insists: { isForced?: true; closesBlocked?: true } = {}) {
    const isStopped = (state.type === 'stopped' && !insists.isForced) || hasRefused
    const isWithoutClient = !isNote && chosen?.withoutClient === true
    if (draft.state === 'loading') return
    if (isEmpty) text.current?.focus()
    else if (isWithoutClient && !(without?.ticket === ticket.id && without.isSure))
      setWithout({ ticket: ticket.id, isSure: false })
    else if (!isBusy && !isStopped) void sending.send({ ...choice, ...changed }, insists)
  }

  function begin(kind: MessageKind) {
    // At once: the next key belongs to the text.
    flushSync(() => {
      setLow(false)
      onKind(kind)
    })
    text.current?.focus()
  }

  const latest = useRef({ draft, change })
  useLayoutEffect(() => {
    latest.current = { draft, change }
  })
  useEffect(() => {
    if (isNote) return
    openComposer.set({
      ticketId: ticket.id,
      deptid: ticket.department.deptid,
      putIn(macro) {
        setLow(false)
        requestAnimationFrame(() => text.current?.putIn(macro))
      },
      quote(taken, files) {
        setLow(false)
        const { draft, change } = latest.current
        change(withQuote(draft.draft, taken, files))
        requestAnimationFrame(() => text.current?.focus())
      }
    })
    return () => openComposer.set(undefined)
  }, [isNote, ticket.id, ticket.department.deptid])

  const form = useRef<HTMLFormElement>(null)
  useToastsAbove(form)

  const classes = [
    styles.composer,
    isNote && styles.note,
    isLarge && styles.large,
    isLow && styles.isLow,
    drop.className
  ]
  return (
    <>
      {state.type === 'stopped' && (
        <NewMessagesConflict
          messages={state.messages}
          onChange={() => {
            draft.change({ seen: state.lastMessageId })
            sending.dismiss()
            begin(kind)
          }}
          onForce={() => submit({}, { isForced: true })}
        />
      )}
      {state.type === 'blocked' && (
        <BlockedTicket
          blockers={state.blockers}
          onLeave={() => {
            sending.dismiss()
            begin(kind)
          }}
          ways={[
            {
              label: t('links.sendAndClose'),
              onClick: () => submit({ status: 'Closed' }, { closesBlocked: true })
            },
            { label: t('links.sendStayOpen'), onClick: () => submit({ status: 'Answered' }) }
          ]}
        />
      )}
      {state.type === 'fields' && (
        <Suspense>
          <CloseFields
            detail={detail}
            sends
            onClose={() => submit({ status: 'Closed' })}
            onStay={() => submit({ status: 'Answered' })}
            onLeave={() => {
              sending.dismiss()
              begin(kind)
            }}
          />
        </Suspense>
      )}
      {without?.ticket === ticket.id && !without.isSure && (
        <WithoutClient
          client={ticket.client.first_name}
          onSend={() => {
            // Asked once, until somebody changes the recipients.
            setWithout({ ticket: ticket.id, isSure: true })
            void sending.send(choice)
          }}
          onPutBack={() => {
            setWithout(undefined)
            const recipients = { ...chosen, withoutClient: undefined }
            change({ fields: { ...draft.draft.fields, recipients: JSON.stringify(recipients) } })
            begin(kind)
          }}
          onLeave={() => {
            setWithout(undefined)
            begin(kind)
          }}
        />
      )}
      {begunByOthers.length > 0 && (
        <DraftPanel
          drafts={begunByOthers}
          onTakeOver={(writer, shown) => {
            // Their writer is told; without the newest text there is the one that is shown.
            const taking = post('/api/admin/tickets/draft/take', { id: ticket.id, staff_id: writer })
            void taking
              .then(
                ({ message }) => message,
                () => shown
              )
              .then(taken => {
                const { draft, change } = latest.current
                const own = draft.draft.text
                const text = own.trim() === '' ? taken : `${own.trimEnd()}\n\n${taken}`
                change({ text, caret: [text.length, text.length] })
                begin('reply')
              })
          }}
        />
      )}
      {hasReach && (
        <Suspense>
          <ReachPanel
            detail={detail}
            chosen={chosen}
            clientText={reachText(detail)}
            onClose={() => setReachShown(undefined)}
          />
        </Suspense>
      )}
      <form
        ref={form}
        {...drop}
        className={classes.filter(Boolean).join(' ')}
        aria-label={isNote ? t('thread.writeNote') : t('thread.writeReply')}
        data-kind={kind}
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        <div className={styles.mode}>
          <SegmentedControl
            label={t('thread.whatToWrite')}
            value={kind}
            disabled={isBusy}
            onChange={onKind}
            options={[
              { value: 'reply', label: t('thread.reply'), icon: Reply },
              { value: 'note', label: t('thread.note'), icon: StickyNote }
            ]}
          />
          {isNote ? (
            <span className={styles.to} id="composer-to">
              {t('thread.noteTo', { name: ticket.client.first_name })}
            </span>
          ) : (
            <RecipientsLine
              detail={detail}
              chosen={chosen}
              isOpen={hasRows}
              onToggle={() => {
                if (refusal) sending.dismiss()
                setUnfolded(hasRows ? undefined : ticket.id)
              }}
            />
          )}
          <span className={styles.larger}>
            <IconButton
              icon={isLarge ? Minimize2 : Maximize2}
              label={isLarge ? t('thread.smallerWindow') : t('thread.largerWindow')}
              onClick={() => setLarge(!isLarge)}
            />
          </span>
          <span className={styles.lower}>
            <IconButton icon={ChevronDown} label={t('thread.closeComposer')} onClick={() => setLow(true)} />
          </span>
        </div>
        {!isNote && <CannotSend ticketId={ticket.id} from={chosen?.from} />}
        {!isNote && (
          <ClientReach
            detail={detail}
            isOpen={hasReach}
            onToggle={() => setReachShown(hasReach ? undefined : ticket.id)}
          />
        )}
        {hasRows && (
          <Suspense>
            <RecipientRows
              detail={detail}
              chosen={chosen}
              isBusy={isBusy}
              refusal={refusal}
              onChange={recipients => {
                if (refusal) {
                  sending.dismiss()
                  setUnfolded(ticket.id)
                }
                change({ fields: { ...draft.draft.fields, recipients: JSON.stringify(recipients) } })
              }}
              onLeave={() => {
                if (refusal) sending.dismiss()
                setUnfolded(undefined)
                text.current?.focus()
              }}
            />
          </Suspense>
        )}
        <ComposerNotice
          state={refusal ? { type: 'idle' } : state}
          draft={draft}
          kind={kind}
          detail={detail}
          kept={kept}
          onAgain={submit}
          onForce={() => submit({}, { isForced: true })}
        />
        {!isNote && draft.draft.fields.taken && (
          <QuoteNotice
            quote={draft.draft.fields.taken}
            client={ticket.client.first_name}
            onTakeOut={() => change(withoutQuote(draft.draft))}
          />
        )}
        {macro && (
          <MacroNotice
            macro={macro}
            detail={detail}
            {...(!isBusy && {
              onLeaveOut: action => {
                change({ fields: fieldsWith(draft.draft, withoutAction(macro, action)) })
                text.current?.focus()
              },
              onTextOnly: macro.text === '' ? undefined : () => change({ fields: fieldsWith(draft.draft, undefined) }),
              onTakeOut: () => {
                const text = textWithout(macro, draft.draft.text)
                change({ text, caret: [text.length, text.length], fields: fieldsWith(draft.draft, undefined) })
              }
            })}
          />
        )}
        <ComposerText
          ref={text}
          detail={detail}
          kind={kind}
          draft={draft}
          isBusy={isBusy}
          pictures={pictures}
          onChange={(changed, moved) => change({ ...changed, ...(isMoved(moved) && { files: filesAfter(moved) }) })}
          onFiles={addFiles}
          onMacro={macro => change({ fields: fieldsWith(draft.draft, macro) })}
          onSubmit={submit}
          onLeave={() => setLow(true)}
        />
        {!isNote && hasText && (
          <Suspense>
            <SignatureLine
              ticketId={ticket.id}
              chosen={chosen}
              onChange={signature =>
                change({ fields: { ...draft.draft.fields, recipients: JSON.stringify({ ...chosen, signature }) } })
              }
            />
          </Suspense>
        )}
        <div className={below.length > 0 ? styles.files : undefined}>
          <FileList
            files={below}
            limits={limits}
            progress={isBusy ? state.share : undefined}
            onRemove={isBusy ? undefined : file => change({ files: files.filter(other => other !== file) })}
          />
        </div>
        <ComposerFoot
          kind={kind}
          ticket={ticket}
          draft={draft}
          kept={kept}
          state={state}
          choice={{ ...choice, status: wayOf(statusSetBy(macro)) ?? choice.status }}
          isEmpty={isEmpty}
          isMacroAlone={macro !== undefined && !hasText}
          reason={reason}
          onChoose={changed => changeSendChoice(me.id, changed)}
          onSend={submit}
          onFiles={addFiles}
          onCancel={sending.cancel}
          onList={() => text.current?.openList()}
          onArticles={() => text.current?.openArticles()}
          onText={() => text.current?.focus()}
        />
        <div className={styles.collapsed}>
          <button type="button" className={styles.begin} data-begin="reply" onClick={() => begin('reply')}>
            {isNote || !hasText ? t('thread.replyToShort', { name: ticket.client.first_name }) : draft.draft.text}
          </button>
          <button type="button" className={styles.beginNote} data-begin="note" onClick={() => begin('note')}>
            <StickyNote size={16} aria-hidden />
            {t('thread.note')}
          </button>
        </div>
      </form>
    </>
  )
}

/** The way to send that sets this status, as a macro does whatever is chosen. */
function wayOf(status: Status | undefined): SendChoice['status'] | undefined {
  return status === 'Answered' || status === 'In Progress' || status === 'Closed' ? status : undefined
}

function isMoved(moved: PicturesMoved | undefined): moved is PicturesMoved {
  return moved !== undefined && moved.gone.length + moved.back.length > 0
}

/** Reserves the space of the composer, so that the messages above do not move when it is rendered. */
export function ComposerPlace() {
  return <div className={`${styles.composer} ${styles.place}`} />
}
