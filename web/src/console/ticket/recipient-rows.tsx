import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { instantOf, listText } from '../../lib/times.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Time } from '../../ui/time.tsx'
import { type ChosenRecipients, isSame, shownRecipients } from './chosen-recipients.ts'
import { usePossibleRecipients } from './possible-recipients.ts'
import { RecipientField } from './recipient-field.tsx'
import styles from './recipient-rows.module.css'
import type { Detail } from './thread-types.ts'

interface RecipientRowsProps {
  detail: Detail
  chosen: ChosenRecipients | undefined
  isBusy: boolean
  /** What the service said against them. */
  refusal: { field: 'cc' | 'bcc'; text: string } | undefined
  onChange(chosen: ChosenRecipients): void
  /** Folds the rows, and leads back to the text. */
  onLeave(): void
}

/** To whom a reply goes: the client, those in copy, those nobody sees, and who is left out. */
export function RecipientRows({ detail, chosen = {}, isBusy, refusal, onChange, onLeave }: RecipientRowsProps) {
  const { ticket, followers, client_email } = detail
  const shown = shownRecipients(detail, chosen)
  const { cc, bcc, once } = shown
  const senders = usePossibleRecipients(ticket.id)?.senders ?? []
  const [hasBcc, setHasBcc] = useState(bcc.length > 0)
  const ccInput = useRef<HTMLInputElement>(null)
  const bccInput = useRef<HTMLInputElement>(null)
  useEffect(() => ccInput.current?.focus(), [])

  const includes = (list: string[], email: string) => list.some(other => isSame(other, email))
  const follows = (email: string) => followers.some(follower => isSame(follower.email, email))
  const without = (list: string[], email: string) => list.filter(other => !isSame(other, email))
  const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const { organisation } = ticket.client
  const isOutside = (email: string) =>
    organisation !== null && !follows(email) && domainOf(email) !== domainOf(client_email.email)

  function change(changed: Partial<ChosenRecipients>) {
    // Who only chooses the sender leaves the followers as they are.
    onChange('from' in changed ? { ...chosen, ...changed } : { ...chosen, cc, ...changed })
  }

  function add(list: 'cc' | 'bcc', people: { email: string; name: string }[]) {
    const named = people.filter(({ name }) => name !== '').map(({ email, name }) => [email.toLowerCase(), name])
    const emails = people.map(({ email }) => email)
    change({
      [list]: [...(list === 'cc' ? cc : bcc), ...emails],
      names: { ...chosen.names, ...Object.fromEntries(named) }
    })
    const names = listText(people.map(({ name, email }) => name || email))
    announce(t(list === 'cc' ? 'recipients.addedCc' : 'recipients.addedBcc', { name: names }))
  }

  function whyNot(email: string): string | undefined {
    if (isSame(email, client_email.email) || isSame(email, ticket.client.email)) return t('recipients.isClient')
    return includes([...cc, ...bcc], email) ? t('recipients.isThere', { text: email }) : undefined
  }

  const field = { detail, nameFor: shown.nameOf, isOutside, whyNot, isDisabled: isBusy }
  const leftOut = leftOutOf(detail, [...cc, ...bcc])
  const outside = [...new Set([...cc, ...bcc].filter(isOutside).map(domainOf))]

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
      <Row label={t('recipients.to')}>
        <span className={styles.chip} title={client_email.email}>
          <bdi className={styles.name}>{nameOf(ticket.client)}</bdi>
        </span>
      </Row>
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
      {leftOut.length > 0 && (
        <Row label={t('recipients.not')}>
          {leftOut.map(({ name, email, by, at }) => (
            <span key={email} className={styles.leftOut}>
              <span className={`${styles.chip} ${styles.out}`} title={email}>
                <s>
                  <bdi>{name || email}</bdi>
                </s>
                <span className={styles.state}>
                  {by ? t('recipients.leftOutBy', { name: by }) : t('recipients.leftOutHere')}
                  {at && (
                    <>
                      {' '}
                      <Time at={at} style="date" />
                    </>
                  )}
                </span>
              </span>
              <Button
                size="sm"
                variant="quiet"
                disabled={isBusy}
                aria-label={t('recipients.putBackWho', { name: name || email })}
                onClick={() => {
                  add('cc', [{ email, name }])
                  ccInput.current?.focus()
                }}
              >
                {t('recipients.putBack')}
              </Button>
            </span>
          ))}
        </Row>
      )}
      <p className={styles.line}>
        {sentences()}
        {outside.map(domain => (
          <span key={domain} className={styles.outside}>
            {' '}
            {t('recipients.outside', { domain, organisation: organisation?.name ?? '' })}
          </span>
        ))}
      </p>
    </fieldset>
  )

  /** What each of them sees of the others. */
  function sentences(): string {
    const seen = [ticket.client.first_name || nameOf(ticket.client), ...cc.map(shown.nameOf)]
    const fresh = cc.filter(email => !follows(email) && !includes(once, email)).map(shown.nameOf)
    return [
      seen.length > 1
        ? t('recipients.seeEachOther', { names: listText(seen) })
        : t('recipients.alone', { name: seen[0] ?? '' }),
      fresh.length > 0 && t('recipients.laterOnes', { names: listText(fresh), count: fresh.length }),
      bcc.length > 0 && t('recipients.nobodySees', { names: listText(bcc.map(shown.nameOf)), count: bcc.length })
    ]
      .filter(Boolean)
      .join(' ')
  }
}

/** Why the service has refused somebody, in the reader's language as far as it is known. */
function refusalText(text: string): string {
  if (text.endsWith('is this desk')) return t('recipients.isDesk')
  return /of the staff/.test(text) ? t('recipients.isStaff') : text
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <span className={styles.label}>{label}</span>
      <div className={styles.chips}>{children}</div>
    </div>
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
  for (const { kind, before, actor_name, created_at } of sorted) {
    const follower = (before as { follower?: { name: string; email: string } } | null)?.follower
    if (kind === 'ticket.follower_removed' && follower)
      out.set(follower.email.toLowerCase(), { ...follower, by: actor_name, at: created_at })
  }
  for (const { name, email, undeliverable } of followers) {
    out.delete(email.toLowerCase())
    if (undeliverable === null) out.set(email.toLowerCase(), { name, email })
  }
  for (const email of getting) out.delete(email.toLowerCase())
  return [...out.values()]
}
