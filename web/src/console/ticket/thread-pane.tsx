import { ArrowLeft, CornerUpRight, Pencil } from 'lucide-react'
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { can, useMe } from '../../app/me.ts'
import { QueryState } from '../../app/query-state.tsx'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { useParams } from '../../router/react.tsx'
import { useAfterPaint } from '../../ui/after-paint.ts'
import { announce } from '../../ui/announce.ts'
import { Banner } from '../../ui/banner.tsx'
import { useTitle } from '../../ui/page.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { Link, useNavigate } from '../navigation.ts'
import { openComposer } from '../open-composer.ts'
import { type SendChoice, setEventsShown, useEventsShown, useSendChoice } from '../preferences.ts'
import { usePresence } from '../presence/use-presence.ts'
import { rememberTicket } from '../recent-tickets.ts'
import type { SnoozeChoice } from '../snooze/snooze-choice.ts'
import { useIsPhone } from '../use-layout.ts'
import { nextTicketOf } from './adjacent-tickets.ts'
import { BlockedTicket } from './blocked-ticket.tsx'
import { unsplit } from './change-links.ts'
import { macroOf } from './chosen-macro.ts'
import { Composer, ComposerPlace } from './composer.tsx'
import { DetailsAside, useDetailsAside } from './details-aside.tsx'
import detailStyles from './details-pane.module.css'
import type { NamedTicket } from './event-sentence.ts'
import { CloseFields } from './lazy-close-fields.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { useRights } from './properties.tsx'
import { PropertyChips } from './property-chips.tsx'
import { assignmentTo } from './property-pickers.tsx'
import { AutomationDialog } from './rule-parts.ts'
import type { MessageKind } from './send-message.ts'
import { NewSide, SidePane } from './side/lazy-side.ts'
import sideStyles from './side/side.module.css'
import { SideConversations } from './side/side-conversations.tsx'
import { partnerOf, useSide } from './side/use-side.ts'
import { SnoozeBanner } from './snooze-banner.tsx'
import { snoozeTicket, wakeTicket } from './snooze-ticket.ts'
import { SplitPanel } from './split-panel.tsx'
import { ThreadHead } from './thread-head.tsx'
import { ThreadList } from './thread-list.tsx'
import { ThreadNotices } from './thread-notices.tsx'
import styles from './thread-pane.module.css'
import { ThreadSkeleton } from './thread-skeleton.tsx'
import type { Detail } from './thread-types.ts'
import { cachedDetail } from './ticket-cache.ts'
import { staffIn } from './ticket-colleagues.ts'
import { TicketEmails } from './ticket-emails.ts'
import { fieldsPath, fieldsStaleTime } from './ticket-fields.ts'
import type { TimelineData } from './timeline.ts'
import { TrashDialog } from './trash-dialog.tsx'
import { useLastSeenMessage } from './use-last-seen-message.ts'
import { useLiveThread } from './use-live-thread.ts'
import { usePrint } from './use-print.ts'
import { useReadMarks } from './use-read-marks.ts'
import { useSplit } from './use-split.ts'
import { useThread } from './use-thread.ts'
import { useThreadActions } from './use-thread-actions.ts'
import { pressProperty, useThreadShortcuts } from './use-thread-shortcuts.ts'
import { useTicketChange } from './use-ticket-change.ts'

/** The open ticket: its thread, composer and details. */
export function ThreadPane() {
  const { ticket = '' } = useParams<{ ticket?: string }>()
  const number = ticket.toUpperCase()
  const { query, detail, thread, loadEarlier, isLoadingEarlier } = useThread(number)
  useLiveThread(number, detail)
  useTitle(detail ? `${number} ${detail.ticket.subject}` : number)
  useWholeNumber(number, detail?.ticket.ticket_number)
  return (
    <div className={styles.pane}>
      {query.error && !detail && <WayBack />}
      <QueryState query={query} skeleton={<ThreadSkeleton />} heading="h1">
        {detail =>
          thread && (
            <OpenThread
              key={detail.ticket.id}
              number={number}
              detail={detail}
              thread={thread}
              onEarlier={loadEarlier}
              isLoadingEarlier={isLoadingEarlier}
            />
          )
        }
      </QueryState>
    </div>
  )
}

/** The way back if a ticket cannot be shown on a phone, where there is no list beside it. */
function WayBack() {
  const { view = 'all' } = useParams<{ view?: string }>()
  return (
    <Link to="/$view" params={{ view }} search className={`icon-btn ${styles.wayBack}`} aria-label={t('thread.back')}>
      <ArrowLeft size={20} aria-hidden />
    </Link>
  )
}

interface OpenThreadProps {
  number: string
  detail: Detail
  thread: TimelineData
  onEarlier(): Promise<void>
  isLoadingEarlier: boolean
}

function OpenThread({ number, detail, thread, onEarlier, isLoadingEarlier }: OpenThreadProps) {
  const me = useMe()
  const { ticket, watchers } = detail
  // The messages are rendered first; the composer and everything beside the messages come with the next frame.
  const { isPainted, paintAll } = useAfterPaint()
  useReadMarks(isPainted ? detail : undefined)
  const isPhone = useIsPhone()
  const { view = 'all' } = useParams<{ view?: string }>()
  const navigate = useNavigate()
  const [kind, setKind] = useState<MessageKind>('reply')
  const [begunAfter, setBegunAfter] = useState<number>()
  const [keptMacro, setKeptMacro] = useState<string>()
  const macro = useMemo(() => (keptMacro ? macroOf({ fields: { macro: keptMacro } }) : undefined), [keptMacro])
  const [isUnfolded, setUnfolded] = useState(false)
  const [chosenTicket, setOnlyTicket] = useState<number>()
  // The chosen ticket may have been unmerged since.
  const onlyTicket = detail.merged_sources.length > 0 && isPart(detail, chosenTicket) ? chosenTicket : undefined
  const details = useDetailsAside()
  const hasEvents = useEventsShown()
  const seenBefore = useLastSeenMessage(detail)
  useEffect(() => {
    const { ticket_number, subject, status, client } = ticket
    rememberTicket(me.id, { ticket_number, subject, status, client: nameOf(client) })
  }, [ticket, me.id])
  const { change, conflict, blocked, incomplete, keepOpen } = useTicketChange(number)
  const rights = useRights(ticket)
  const split = useSplit(detail, thread)
  const maySplit = rights.mayEdit && split.canSplit
  const side = useSide(detail, isPainted)
  const { forwarding } = side
  const awaited = side.conversations
    .filter(({ is_closed, is_answered }) => is_closed === 0 && is_answered === 0)
    .map(conversation => ({ name: partnerOf(conversation), wakes: conversation.waits === 1 }))
  const choosing = split.choosing ?? forwarding?.choosing
  const forward = rights.mayReply && !choosing ? side.begin : undefined
  // Somebody who writes a note is not replying.
  const { sayTyping, others } = usePresence(ticket.id, isPainted, kind !== 'reply')
  const replying = useMemo(() => others.filter(({ state }) => state === 'replying').map(({ id }) => id), [others])
  const names = useNames(detail)

  const unfold = useCallback(async () => {
    setUnfolded(true)
    if (thread.hasEarlier) await onEarlier()
  }, [thread.hasEarlier, onEarlier])
  const print = usePrint(unfold)
  const { actions, asking, stopAsking } = useThreadActions(ticket, number, print)

  const open = useCallback(
    (ticket: string) => void navigate({ to: '/$view/$ticket', params: { view, ticket }, search: true }),
    [navigate, view]
  )
  /** Opens the next ticket of the list, or the list at its end; returns the ticket. */
  const openNext = useCallback(() => {
    const next = nextTicketOf(number)
    if (next) open(next.ticket_number)
    else void navigate({ to: '/$view', params: { view }, search: true })
    return next
  }, [number, navigate, view, open])
  const sent = useCallback(
    (choice: SendChoice, kind: MessageKind, isHeld: boolean) => {
      if (kind === 'note') return announce(t('thread.noteAdded'))
      if (choice.takes && ticket.assignee === null) void change(assignmentTo({ id: me.id, name: me.name }))
      if (choice.wakes && ticket.snooze) void wakeTicket(ticket)
      if (!choice.opensNext) {
        if (!isHeld) announce(t('thread.sent'))
        return
      }
      const next = openNext()
      if (next && !isHeld) announce(t('thread.sentNext', { number: next.ticket_number, subject: next.subject }))
    },
    [ticket, change, me, openNext]
  )
  const takeBack = useCallback(
    async (target: NamedTicket) => {
      const back = await unsplit(target)
      if (back && target.id === ticket.id) open(back)
    },
    [ticket.id, open]
  )
  const splitLine = useRef<number>(undefined)
  const splitDone = useCallback(() => {
    split.stop()
    splitLine.current = cachedDetail(number)?.events.findLast(({ kind }) => kind === 'ticket.split')?.id
  }, [split.stop, number])
  // The line takes the focus as soon as it is there.
  useLayoutEffect(() => {
    const line = splitLine.current && document.querySelector<HTMLElement>(`[data-split="${splitLine.current}"]`)
    if (!line) return
    splitLine.current = undefined
    line.focus()
  })
  const { opensNext } = useSendChoice(me.id, rights.mayEdit)
  const take = useCallback((text: string, files: readonly File[]) => {
    setKind('reply')
    // The composer of replies is there only then.
    requestAnimationFrame(() => requestAnimationFrame(() => openComposer.get()?.quote(text, files)))
  }, [])
  const snooze = async (choice: SnoozeChoice) => {
    if ((await snoozeTicket(ticket, choice)) && opensNext) openNext()
  }
  useThreadShortcuts({
    ...rights,
    ticket,
    change,
    paintAll,
    onKind: setKind,
    toggleDetails: details.toggle,
    showEmails: actions.emails,
    toggleWatching: () => void actions.watch(!watchers.some(({ id }) => id === me.id)),
    showDetails: details.show,
    mayForward: forward !== undefined,
    onForward: () => forward?.(),
    maySplit: maySplit && !choosing,
    onSplit: () => split.start()
  })
  useShortcut('Escape', t('links.keepTogether'), split.stop, { group: 'ticket', when: split.choosing !== undefined })

  return (
    <>
      <div className={styles.thread}>
        <ThreadHead
          detail={detail}
          actions={actions}
          hasEvents={hasEvents}
          onEvents={() => setEventsShown(!hasEvents)}
          details={details}
          isWatching={watchers.some(({ id }) => id === me.id)}
          others={others}
          view={view}
          onOpen={open}
          onSplit={maySplit && !choosing ? () => split.start() : undefined}
          onForward={forward && (() => forward())}
          awaited={awaited}
          onSnooze={choice => void snooze(choice)}
        >
          {isPhone && <PropertyChips detail={detail} change={change} macro={macro} />}
        </ThreadHead>
        <ThreadNotices
          detail={detail}
          actions={actions}
          conflict={conflict}
          onRepeat={() => conflict && void change(conflict.change)}
          names={names}
          onlyTicket={onlyTicket}
          onOnlyTicket={setOnlyTicket}
        />
        <ThreadList
          detail={detail}
          thread={thread}
          names={names}
          hasEvents={hasEvents}
          isUnfolded={isUnfolded}
          onUnfold={() => void unfold()}
          isLoadingEarlier={isLoadingEarlier}
          seenBefore={seenBefore}
          begunAfter={begunAfter}
          onlyTicket={onlyTicket}
          choosing={choosing}
          onSplit={maySplit ? split.start : undefined}
          onForward={forward}
          side={side.conversations}
          onSide={side.show}
          firstMessage={split.first}
          onUnsplit={target => void takeBack(target)}
        />
        {blocked && (
          <BlockedTicket
            blockers={blocked.blockers}
            onLeave={keepOpen}
            ways={[
              { label: t('links.closeAllTheSame'), onClick: () => void change(blocked.change) },
              { label: t('links.keepOpen'), onClick: keepOpen }
            ]}
          />
        )}
        {incomplete && (
          <Suspense>
            <CloseFields
              detail={detail}
              sends={false}
              onClose={() => void change(incomplete.change)}
              onStay={keepOpen}
              onLeave={keepOpen}
            />
          </Suspense>
        )}
        {split.choosing && (
          <SplitPanel
            detail={detail}
            thread={thread}
            choosing={split.choosing}
            onLeave={split.stop}
            onDone={splitDone}
          />
        )}
        {forwarding && (
          <section className={sideStyles.choose} aria-live="polite">
            <h2>
              <CornerUpRight size={16} aria-hidden />
              {t('side.choose')}
            </h2>
            <p className={sideStyles.small}>{t('side.chooseText', { client: ticket.client.first_name })}</p>
          </section>
        )}
        {rights.mayReply && !split.choosing && (
          <div hidden={forwarding !== undefined}>
            <SnoozeBanner
              ticket={ticket}
              onChange={rights.maySnooze ? () => pressProperty('snooze') : undefined}
              onWake={rights.maySnooze ? () => void wakeTicket(ticket) : undefined}
            />
            <Collision names={others.filter(({ state }) => state === 'replying').map(({ name }) => name)} />
            {isPainted ? (
              <Composer
                detail={detail}
                kind={kind}
                replying={replying}
                onKind={setKind}
                onReplying={sayTyping}
                onBegun={setBegunAfter}
                onMacro={setKeptMacro}
                onSent={sent}
              />
            ) : (
              <ComposerPlace />
            )}
          </div>
        )}
      </div>
      {forwarding ? (
        <Suspense>
          <NewSide
            detail={detail}
            thread={thread}
            forwarding={forwarding}
            onClose={side.stop}
            onBegun={id => {
              side.stop()
              if (id !== null) side.show(id)
            }}
          />
        </Suspense>
      ) : (
        side.open && (
          <Suspense>
            <SidePane
              conversation={side.open}
              waiting={side.waiting.filter(({ conversation_id }) => conversation_id === side.open?.id)}
              ticket={ticket}
              client={ticket.client.first_name}
              mayWrite={rights.mayReply}
              onTake={take}
              onClose={() => side.show(undefined)}
            />
          </Suspense>
        )
      )}
      {!forwarding && !side.open && (
        <DetailsAside
          side={
            <SideConversations
              conversations={side.conversations}
              waiting={side.waiting}
              onOpen={side.show}
              onBegin={forward && (() => forward())}
              className={detailStyles.section!}
            />
          }
          detail={detail}
          change={change}
          macro={macro}
          actions={actions}
          state={details}
          isFilled={isPainted}
        />
      )}
      {asking === 'merge' && <MergeDialog ticket={ticket} onClose={stopAsking} onMerged={open} />}
      {asking === 'automation' && (
        <Suspense>
          <AutomationDialog ticketId={ticket.id} onClose={stopAsking} />
        </Suspense>
      )}
      {asking === 'emails' && (
        <Suspense>
          <TicketEmails ticket={ticket} onClose={stopAsking} />
        </Suspense>
      )}
      {asking === 'trash' && <TrashDialog ticket={ticket} onClose={stopAsking} />}
    </>
  )
}

function isPart({ ticket, merged_sources }: Detail, id: number | undefined): boolean {
  return id === ticket.id || merged_sources.some(source => source.id === id)
}

/** Shown while somebody else is replying. */
function Collision({ names }: { names: string[] }) {
  const [name] = names
  if (!name) return null
  return (
    <div className={styles.collision} data-collision>
      <Banner icon={Pencil}>{t('thread.collision', { name: name.split(' ')[0]!, rest: names.length - 1 })}</Banner>
    </div>
  )
}

function useNames(detail: Detail) {
  const me = useMe()
  const departments = useApiQuery('/api/departments', {}, { staleTime: 300_000, enabled: can('tickets.view_all') })
  const fields = useApiQuery(fieldsPath, undefined, { staleTime: fieldsStaleTime })
  return useMemo(() => {
    const people = staffIn(detail).set(me.id, me.name)
    return {
      me: me.id,
      staff: (id: number) => people.get(id),
      department: (deptid: number) =>
        departments.data?.departments.find(department => department.deptid === deptid)?.name,
      field: (id: number) => fields.data?.fields.find(field => field.id === id)
    }
  }, [detail, me, departments.data, fields.data])
}

/** A ticket that was opened by its id is redirected to its number, which is the key of its cached data. */
function useWholeNumber(asked: string, number: string | undefined) {
  const navigate = useNavigate()
  useEffect(() => {
    if (number && number !== asked)
      void navigate({
        to: '.',
        params: former => ({ ...former, ticket: number }),
        search: former => former,
        replace: true
      })
  }, [asked, number, navigate])
}
