import { t } from '../lib/strings.ts'
import './avatar.css'

export interface Person {
  id: number
  name: string
  kind: 'client' | 'staff' | 'partner'
}

interface AvatarProps {
  /** Undefined for nobody. */
  person: Person | undefined
  size?: 18 | 22 | 28 | 44
  /** Set this if the name is not shown beside the avatar. */
  alone?: boolean
}

/** Clients are round, staff are square in a colour of their own, third parties hexagons, nobody is a dashed square. */
export function Avatar({ person, size = 28, alone }: AvatarProps) {
  const name = person?.name ?? t('ui.nobodyAssigned')
  const shape = person ? (person.kind === 'client' ? '' : person.kind) : 'staff none'
  return (
    <span
      className={`av ${shape} s${size}`}
      data-hue={person?.kind === 'staff' ? hueOf(person.id) : undefined}
      {...(alone ? { role: 'img', 'aria-label': name, title: name } : { 'aria-hidden': true })}
    >
      {person && initialsOf(person.name)}
    </span>
  )
}

/** The first letters of the first and the last name, as a reader would count letters. */
function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .filter(word => /\p{L}|\p{N}/u.test(word))
  const chosen = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return chosen
    .map(word => [...word.normalize('NFC')].find(sign => /\p{L}|\p{N}/u.test(sign)) ?? '')
    .join('')
    .toUpperCase()
}

/** One of twelve colours. Ids are consecutive, so they are hashed to give neighbours different colours. */
function hueOf(id: number): number {
  return (Math.imul(id, 0x9e3779b1) >>> 0) % 12
}
