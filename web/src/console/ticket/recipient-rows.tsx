import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { instantOf, listText } from '../../lib/times.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Time } from '../../ui/time.tsx'
import { actorText } from '../actor-text.ts'
import { type ChosenRecipients, isSame, recipientsBody, shownRecipients } from './chosen-recipients.ts'
import { PersonChip } from './person-chip.tsx'
import { usePossibleRecipients, useWhoSeesWhom } from './possible-recipients.ts'
import { RecipientField } from './recipient-field.tsx'
import styles from './recipient-rows.module.css'
import type { Detail } from './thread-types.ts'

interface RecipientRowsProps {
  detail: Detail
  chosen: ChosenRecipients | undefined
  isBusy: boolean
  /** What the service said against them. */
  refusal: { field: 'to' | 'cc' | 'bcc'; text: string } | undefined
  onChange(chosen: ChosenRecipients): void
  /** Folds the rows, and leads back to the text. */
  onLeave(): void
}

/** To whom a reply goes: the client, those in copy, those nobody sees, and who is left out. */
export function RecipientRows({ detail, chosen = {}, isBusy, refusal: given, onChange, onLeave }: RecipientRowsProps) {
  const { ticket, followers, client_email } = detail
  const shown = shownRecipients(detail, chosen)
  const { to, cc, bcc, once } = shown
  const senders = usePossibleRecipients(ticket.id)?.senders ?? []
  const [hasBcc, setHasBcc] = useState(bcc.length > 0)
  const ccInput = useRef<HTMLInputElement>(null)
  const bccInput = useRef<HTMLInputElement>(null)
  const toInput = useRef<HTMLInputElement>(null)
  useEffect(() => ccInput.current?.focus(), [])
  const body = recipientsBody({ fields: { recipients: JSON.stringify(chosen) } }, client_email.email)
  const { from: _, ...asked } = body
  const { text: whoSeesWhom, refusal = given } = useWhoSeesWhom({ id: ticket.id, ...asked })

  const includes = (list: string[], email: string) => list.some(other => isSame(other, email))
  const follows = (email: string) => followers.some(follower => isSame(follower.email, email))
  const without = (list: string[], email: string) => list.filter(other => !isSame(other, email))
  const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const { organisation } = ticket.client
  const isOutside = (email: string) =>
    organisation !== null && !follows(email) && domainOf(email) !== domainOf(client_email.email)

  function change(changed: Partial<ChosenRecipients>) {
    // Whoever only chooses the sender or to whom it is addressed leaves the followers as they are.
    const isOfCopies = 'cc' in changed || 'bcc' in changed || 'once' in changed
    onChange(isOfCopies ? { ...chosen, cc, ...changed } : { ...chosen, ...changed })
  }

  function add(list: 'to' | 'cc' | 'bcc', people: { email: string; name: string }[]) {
    const named = people.filter(({ name }) => name !== '').map(({ email, name }) => [email.toLowerCase(), name])
    const emails = people.map(({ email }) => email)
    change({
      [list]: [...{ to, cc, bcc }[list], ...emails],
      names: { ...chosen.names, ...Object.fromEntries(named) }
    })
    const names = listText(people.map(({ name, email }) => name || email))
    const said = { to: 'recipients.addedTo', cc: 'recipients.addedCc', bcc: 'recipients.addedBcc' } as const
    announce(t(said[list], { name: names }))
  }

  function whyNot(email: string): string | undefined {
    if (isSame(email, client_email.email) || isSame(email, ticket.client.email)) return t('recipients.isClient')
    return includes([...to, ...cc, ...bcc], email) ? t('recipients.isThere', { text: email }) : undefined
  }

  const field = { detail, nameFor: shown.nameOf, isOutside, whyNot, isDisabled: isBusy }
  const leftOut = leftOutOf(detail, [...to, ...cc, ...bcc])
  const outside = [...new Set([...to, ...cc, ...bcc].filter(isOutside).map(domainOf))]

  return (
    <fieldset
      aria-label={t('recipients.recipients')}
      className={styles.rows}
      onKeyDown={event => {
        if (event.key !== 'Escape' || (event.target as HTMLElement).closest('[popover]')) return
        event.preventDefault()
        event.stopPropagation()
        onLeave()
      }}
    >
      {senders.length > 1 && (
        <Row label={t('recipients.from')}>
          <Menu
            items={senders.map(({ address, name, is_usual }) => ({
              label: name ? `${name} <${address}>` : address,
              kind: 'checkbox' as const,
              checked: chosen.from ? isSame(chosen.from, address) : is_usual === 1,
              onSelect: () => change({ from: is_usual ? undefined : address })
            }))}
            trigger={props => (
              <button {...props} type="button" className={styles.chip} disabled={isBusy}>
                <bdi className={styles.name}>{chosen.from ?? senders[0]!.address}</bdi>
                <ChevronDown size={14} aria-hidden />
              </button>
            )}
          />
        </Row>
      )}
      <RecipientField
        {...field}
        label={t('recipients.to')}
        emails={to}
        input={toInput}
        refusal={refusal?.field === 'to' ? refusalText(refusal.text) : undefined}
        stateOf={() => undefined}
        onAdd={people => add('to', people)}
        onRemove={email => change({ to: without(to, email) })}
        first={
          !chosen.withoutClient && (
            <PersonChip
              name={nameOf(ticket.client)}
              email={client_email.email}
              isDisabled={isBusy}
              onRemove={() => {
                change({ withoutClient: true })
                toInput.current?.focus()
              }}
            />
          )
        }
      />
      <RecipientField
        {...field}
        label={t('recipients.cc')}
        emails={cc}
        input={ccInput}
        refusal={refusal?.field === 'cc' ? refusalText(refusal.text) : undefined}
        stateOf={email =>
          follows(email) ? (
            <span className={styles.state}>{t('recipients.follows')}</span>
          ) : (
            <NewState
              name={shown.nameOf(email)}
              isOnce={includes(once, email)}
              onChange={isOnce => change({ once: isOnce ? [...once, email] : without(once, email) })}
            />
          )
        }
        onAdd={people => add('cc', people)}
        onRemove={email => change({ cc: without(cc, email), once: without(once, email) })}
      >
        {!hasBcc && (
          <Button
            size="sm"
            variant="quiet"
            onClick={() => {
              setHasBcc(true)
              requestAnimationFrame(() => bccInput.current?.focus())
            }}
          >
            {t('recipients.bcc')}
          </Button>
        )}
      </RecipientField>
      {hasBcc && (
        <RecipientField
          {...field}
          label={t('recipients.bcc')}
          emails={bcc}
          input={bccInput}
          refusal={refusal?.field === 'bcc' ? refusalText(refusal.text) : undefined}
          stateOf={() => undefined}
          onAdd={people => add('bcc', people)}
          onRemove={email => change({ bcc: without(bcc, email) })}
        />
      )}
      {(leftOut.length > 0 || chosen.withoutClient) && (
        <Row label={t('recipients.not')}>
          {chosen.withoutClient && (
            <LeftOutChip
              name={nameOf(ticket.client)}
              email={client_email.email}
              state={t('recipients.leftOutHere')}
              isDisabled={isBusy}
              onPutBack={() => {
                change({ withoutClient: undefined })
                toInput.current?.focus()
              }}
            />
          )}
          {leftOut.map(({ name, email, by, at }) => (
            <LeftOutChip
              key={email}
              name={name || email}
              email={email}
              state={
                <>
                  {by ? t('recipients.leftOutBy', { name: by }) : t('recipients.leftOutHere')}
                  {at && (
                    <>
                      {' '}
                      <Time at={at} style="dateInText" />
                    </>
                  )}
                </>
              }
              isDisabled={isBusy}
              onPutBack={() => {
                add('cc', [{ email, name }])
                ccInput.current?.focus()
              }}
            />
          ))}
        </Row>
      )}
      <p className={styles.line}>
        {whoSeesWhom}
        {outside.map(domain => (
          <span key={domain} className={styles.outside}>
            {' '}
            {t('recipients.outside', { domain, organisation: organisation?.name ?? '' })}
          </span>
        ))}
      </p>
    </fieldset>
  )
}

/** Why the service has refused somebody, in the reader's language as far as it is known. */
function refusalText(text: string): string {
  if (text.endsWith('is this desk')) return t('recipients.isDesk')
  if (/of the staff/.test(text)) return t('recipients.isStaff')
  if (text.endsWith('which reads nothing')) return t('recipients.isProgram')
  return / gets no e-mails /.test(text) ? t('recipients.isUndelivered') : text
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <span className={styles.label}>{label}</span>
      <div className={styles.chips}>{children}</div>
    </div>
  )
}

interface LeftOutChipProps {
  name: string
  email: string
  state: ReactNode
  isDisabled: boolean
  onPutBack(): void
}

/** Somebody who does not get this answer, and may be taken in again. */
function LeftOutChip({ name, email, state, isDisabled, onPutBack }: LeftOutChipProps) {
  return (
    <span className={styles.leftOut}>
      <span className={`${styles.chip} ${styles.out}`} title={email}>
        <s>
          <bdi>{name}</bdi>
        </s>
        <span className={styles.state}>{state}</span>
      </span>
      <Button
        size="sm"
        variant="quiet"
        disabled={isDisabled}
        aria-label={t('recipients.putBackWho', { name })}
        onClick={onPutBack}
      >
        {t('recipients.putBack')}
      </Button>
    </span>
  )
}

/** Whether somebody new gets later answers too. */
function NewState({ name, isOnce, onChange }: { name: string; isOnce: boolean; onChange(isOnce: boolean): void }) {
  return (
    <Menu
      items={[
        { label: t('recipients.andLater'), kind: 'checkbox', checked: !isOnce, onSelect: () => onChange(false) },
        { label: t('recipients.onlyThis'), kind: 'checkbox', checked: isOnce, onSelect: () => onChange(true) }
      ]}
      trigger={props => (
        <button
          {...props}
          type="button"
          className={styles.state}
          aria-label={`${name}: ${t(isOnce ? 'recipients.onlyThis' : 'recipients.new')}`}
        >
          {t(isOnce ? 'recipients.onlyThis' : 'recipients.new')}
        </button>
      )}
    />
  )
}

interface LeftOut {
  name: string
  email: string
  by?: string
  at?: string
}

/** Who followed and was left out, by whom and when; and who follows but does not get this answer. */
function leftOutOf({ events, followers }: Detail, getting: string[]): LeftOut[] {
  const out = new Map<string, LeftOut>()
  const sorted = events.toSorted(
    (one, other) => instantOf(one.created_at).getTime() - instantOf(other.created_at).getTime()
  )
  for (const event of sorted) {
    const { kind, before, created_at } = event
    const follower = (before as { follower?: { name: string; email: string } } | null)?.follower
    if (kind === 'ticket.follower_removed' && follower)
      out.set(follower.email.toLowerCase(), { ...follower, by: actorText(event, 'thread.byToken'), at: created_at })
  }
  for (const { name, email, undeliverable } of followers) {
    out.delete(email.toLowerCase())
    if (undeliverable === null) out.set(email.toLowerCase(), { name, email })
  }
  for (const email of getting) out.delete(email.toLowerCase())
  return [...out.values()]
}
