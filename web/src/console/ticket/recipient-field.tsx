import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { isSame } from './chosen-recipients.ts'
import { PersonChip } from './person-chip.tsx'
import { usePossibleRecipients } from './possible-recipients.ts'
import styles from './recipient-rows.module.css'
import { type Suggestion, SuggestionList, useSuggestions } from './suggestions.tsx'
import type { Detail } from './thread-types.ts'
import { useTicketColleagues } from './ticket-colleagues.ts'

const address = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+$/

interface RecipientFieldProps {
  label: string
  detail: Detail
  emails: string[]
  nameFor(email: string): string
  stateOf(email: string): ReactNode
  isOutside(email: string): boolean
  /** Why somebody is not added: already there, the client. */
  whyNot(email: string): string | undefined
  /** Why the service has refused one of them. */
  refusal: string | undefined
  input: RefObject<HTMLInputElement | null>
  isDisabled: boolean
  onAdd(people: { email: string; name: string }[]): void
  onRemove(email: string): void
  /** Before the chips. */
  first?: ReactNode
  children?: ReactNode
}

/** One row of addresses: chips, and a field that finds people. */
export function RecipientField(props: RecipientFieldProps) {
  const { label, detail, emails, nameFor, stateOf, isOutside, whyNot, refusal, input, isDisabled } = props
  const { onAdd, onRemove, first, children } = props
  const id = useId()
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const [isClosed, setClosed] = useState(false)
  const found = useFound(detail, typed.trim(), emails)
  const isOpen = typed.trim() !== '' && !isClosed && found.length > 0
  const suggestions = useSuggestions({
    isOpen,
    options: found,
    onChoose: option => take(option),
    onClose: () => setClosed(true)
  })
  const error = fault ?? refusal

  function take(option: Suggestion) {
    const { person } = option as Found
    if (!person) return
    const why = whyNot(person.email)
    if (why) return setFault(why)
    onAdd([person])
    change('')
  }

  function change(text: string) {
    setTyped(text)
    setFault(undefined)
    setClosed(false)
  }

  /** Takes every address of the text. What is none stays, with the reason below. */
  function takeText(text: string): boolean {
    const words = text.split(/[\s,;]+/).filter(word => word.includes('@') || !text.includes('@'))
    const plain = words.map(word => word.replace(/^<|>$/g, '')).filter(word => word !== '')
    const good = plain.filter(word => address.test(word) && whyNot(word) === undefined)
    const bad = plain.filter(word => !good.includes(word))
    const fresh = good.filter((word, at) => good.findIndex(other => isSame(other, word)) === at)
    if (fresh.length > 0) onAdd(fresh.map(email => ({ email, name: '' })))
    setTyped(bad.join(' '))
    const first = bad[0]
    setFault(
      first === undefined
        ? undefined
        : ((address.test(first) ? whyNot(first) : undefined) ?? t('recipients.noAddress', { text: first }))
    )
    return bad.length === 0
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (suggestions.takeKey(event)) return
    if (event.nativeEvent.isComposing) return
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key === 'Enter' && isPlain) {
      event.preventDefault()
      if (typed.trim() !== '') takeText(typed)
    } else if ((event.key === ',' || event.key === ';' || event.key === ' ') && address.test(typed.trim())) {
      event.preventDefault()
      takeText(typed)
    } else if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && typed === '') {
      chipsOf(event.currentTarget).at(-1)?.focus()
    }
  }

  function pressChip(event: KeyboardEvent<HTMLButtonElement>) {
    const chips = chipsOf(event.currentTarget)
    const at = chips.indexOf(event.currentTarget)
    if (event.key === 'ArrowLeft') chips[at - 1]?.focus()
    else if (event.key === 'ArrowRight') (chips[at + 1] ?? input.current)?.focus()
    else return
    event.preventDefault()
  }

  function remove(email: string) {
    onRemove(email)
    input.current?.focus()
  }

  return (
    <div className={styles.row}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.chips}>
        {first}
        {emails.map(email => (
          <PersonChip
            key={email}
            name={nameFor(email)}
            email={email}
            state={stateOf(email)}
            isOutside={isOutside(email)}
            isDisabled={isDisabled}
            onRemove={() => remove(email)}
            onKeyDown={pressChip}
          />
        ))}
        <input
          ref={input}
          id={id}
          className={styles.input}
          type="text"
          role="combobox"
          aria-expanded={isOpen}
          {...suggestions.areaProps}
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={5000}
          readOnly={isDisabled}
          value={typed}
          onChange={({ target }) => change(target.value)}
          onKeyDown={press}
          onBlur={() => {
            setClosed(true)
            if (typed.trim() !== '') takeText(typed)
          }}
          onPaste={event => {
            const text = event.clipboardData.getData('text/plain')
            if (!text.includes('@')) return
            event.preventDefault()
            takeText(`${typed} ${text}`)
          }}
        />
      </div>
      {children}
      {error && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
      {isOpen && (
        <SuggestionList
          id={suggestions.id}
          active={suggestions.active}
          name={t('recipients.people')}
          label={t('recipients.people')}
          options={found}
          emptyText=""
          onChoose={take}
        />
      )}
    </div>
  )
}

interface Found extends Suggestion {
  person?: { email: string; name: string }
}

/** People whose name or address has it: those near the ticket from one letter, clients from two, and colleagues, who need no e-mail. */
function useFound(detail: Detail, typed: string, chosen: string[]): Found[] {
  const search = useDebounced(typed, 120)
  const { data } = useApiQuery(
    '/api/admin/clients/picker',
    { search },
    { enabled: search.length > 1, placeholderData: before => before }
  )
  const people = usePossibleRecipients(detail.ticket.id)?.people ?? []
  const colleagues = useTicketColleagues(detail)
  const { client } = detail.ticket
  const isAsked = (text: string) => text.toLowerCase().includes(typed.toLowerCase())
  const isFree = ({ email }: { email: string }) => !chosen.some(other => isSame(other, email))
  const clients = (typed.length > 1 ? (data?.clients ?? []) : []).filter(
    person => person.id !== client.id && person.is_active === 1
  )
  const isOwn = (person: (typeof clients)[number]) =>
    client.organisation !== null && person.organisation?.id === client.organisation.id
  const near = [...detail.followers, ...people].filter(
    ({ email }, at, all) => all.findIndex(other => isSame(other.email, email)) === at
  )
  const ofTicket = near
    .filter(({ name, email }) => isAsked(`${name} ${email}`))
    .filter(isFree)
    .slice(0, 8)
    .map(({ name, email }, at) => foundPerson({ id: -1e9 - at, name: name || email, email }))
  const others = [...clients.filter(isOwn), ...clients.filter(person => !isOwn(person))]
    .filter(isFree)
    .filter(({ email }) => !near.some(person => isSame(person.email, email)))
    .map(person => foundPerson({ id: person.id, name: nameOf(person), email: person.email }, person.organisation?.name))
  const staff = colleagues
    .filter(({ name }) => typed !== '' && isAsked(name))
    .slice(0, 3)
    .map(({ id, name }) => ({
      id: -id,
      title: name,
      line: t('recipients.colleague'),
      icon: <Avatar person={{ id, name, kind: 'staff' }} size={22} />,
      isLocked: true
    }))
  return typed === '' ? [] : [...ofTicket, ...others.slice(0, 8), ...staff]
}

function foundPerson({ id, name, email }: { id: number; name: string; email: string }, organisation?: string): Found {
  return {
    id,
    title: name,
    line: organisation ? `${email} · ${organisation}` : email,
    icon: <Avatar person={{ id, name, kind: 'client' }} size={22} />,
    person: { email, name }
  }
}

function chipsOf(element: HTMLElement): HTMLButtonElement[] {
  return [...(element.closest(`.${styles.chips}`)?.querySelectorAll<HTMLButtonElement>('[data-chip]') ?? [])]
}
