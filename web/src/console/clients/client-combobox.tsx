import { UserPlus, X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { can } from '../../app/me.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { nameOf } from '../../lib/person-name.ts'
import { t } from '../../lib/strings.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import type { TicketClient } from '../overlay.ts'
import styles from './new-ticket.module.css'

interface ClientComboboxProps {
  client: TicketClient | undefined
  onChoose: (client: TicketClient | undefined) => void
  onAdd: () => void
  error: string | undefined
}

/** Finds a client by name, company or e-mail address; once chosen, shows who it is. */
export function ClientCombobox({ client, onChoose, onAdd, error }: ClientComboboxProps) {
  if (!client) return <SearchClients onChoose={onChoose} onAdd={onAdd} error={error} />
  const name = nameOf(client)
  return (
    <div className="field">
      <span className="lb">{t('clients.client')}</span>
      <div className={styles.chosen}>
        <Avatar person={{ id: client.id, name, kind: 'client' }} size={22} />
        <span className={styles.chosenName}>
          <bdi>{name}</bdi> <bdi className="muted">{client.email}</bdi>
        </span>
        <IconButton icon={X} label={t('clients.changeClient')} onClick={() => onChoose(undefined)} />
      </div>
    </div>
  )
}

function SearchClients({ onChoose, onAdd, error }: Omit<ClientComboboxProps, 'client'>) {
  const list = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const search = useDebounced(typed.trim(), 120)
  const { data } = useApiQuery(
    '/api/admin/clients/picker',
    { search },
    { enabled: search.length > 0, placeholderData: before => before }
  )
  const found = search ? (data?.clients ?? []) : []
  const mayAdd = can('clients.create')
  const isOpen = search !== '' && data !== undefined

  function press(event: KeyboardEvent) {
    const last = found.length - 1 + (mayAdd ? 1 : 0)
    if (!isOpen) return
    if (event.key === 'ArrowDown') setActive(Math.min(last, active + 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(0, active - 1))
    else if (event.key === 'Enter') choose(active)
    else return
    event.preventDefault()
  }

  function choose(at: number) {
    const person = found[at]
    if (person?.is_active) onChoose(person)
    else if (!person && mayAdd) onAdd()
  }

  return (
    <div className={styles.combobox}>
      <Field label={t('clients.client')} error={error}>
        {field => (
          <input
            {...field}
            type="text"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={isOpen ? `${list}-${active}` : undefined}
            autoComplete="off"
            placeholder={t('clients.clientHint')}
            data-autofocus
            value={typed}
            maxLength={255}
            onChange={event => {
              setTyped(event.target.value)
              setActive(0)
            }}
            onKeyDown={press}
          />
        )}
      </Field>
      <div
        id={list}
        role="listbox"
        aria-label={t('clients.clients')}
        className={styles.options}
        hidden={!isOpen}
        tabIndex={-1}
      >
        {found.map((person, at) => (
          <Option
            key={person.id}
            id={`${list}-${at}`}
            isActive={at === active}
            isDisabled={!person.is_active}
            onPress={() => choose(at)}
          >
            <Avatar person={{ id: person.id, name: nameOf(person), kind: 'client' }} size={22} />
            <bdi className={styles.optionName}>{nameOf(person)}</bdi>
            <bdi className="muted">
              {person.is_active ? (person.company_name ?? person.email) : t('clients.clientInactive')}
            </bdi>
          </Option>
        ))}
        {found.length === 0 && !mayAdd && <p className="muted">{t('clients.nobodyFound')}</p>}
        {mayAdd && (
          <Option id={`${list}-${found.length}`} isActive={active === found.length} onPress={onAdd}>
            <UserPlus size={16} aria-hidden />
            <span className={styles.optionName}>{t('clients.addClient')}</span>
            {found.length === 0 && <span className="muted">{t('clients.nobodyFound')}</span>}
          </Option>
        )}
      </div>
    </div>
  )
}

interface OptionProps {
  id: string
  isActive: boolean
  isDisabled?: boolean
  onPress: () => void
  children: React.ReactNode
}

function Option({ id, isActive, isDisabled, onPress, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the focus stays in the field, which chooses by key.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      aria-disabled={isDisabled || undefined}
      className={styles.option}
      onPointerDown={event => event.preventDefault()}
      onClick={onPress}
    >
      {children}
    </div>
  )
}
