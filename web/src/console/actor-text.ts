import { type Key, t } from '../lib/strings.ts'

interface NamedActor {
  actor_name: string
  actor_token: string | null
}

/** "Mira Özdemir, by Nightly export", by the words of the area that shows it. */
export function actorText(actor: NamedActor, words: Key): string {
  return actor.actor_token === null ? actor.actor_name : t(words, { name: ownerName(actor), token: actor.actor_token })
}

/** The name alone: the service tells it with the token at its end. */
export function ownerName({ actor_name, actor_token }: NamedActor): string {
  return actor_token === null ? actor_name : actor_name.slice(0, -`, by ${actor_token}`.length)
}
