import { type Static, Type } from 'typebox'
import { type Failure, failure } from '../../kit/errors.ts'
import { Nullable, OneOf, OutputText } from '../../kit/schemas.ts'

/** Why something does not go to a third party, as the service says it; pages have sentences of their own. `about`: the address or file. */
const sentences = {
  no_address: about => `"${about}" is no e-mail address`,
  desk: about => `${about}: That is this desk.`,
  client: about => `${about}: This is the client of the ticket. Write a reply instead.`,
  follower: about => `${about}: They follow the ticket. Write a reply instead.`,
  staff: about => `${about}: This is a colleague. Write a note instead.`,
  other_messages: () => 'Only messages of this ticket can go along',
  other_files: () => 'Only files of messages of this ticket can go along',
  file_infected: about => `${about} cannot go along: the virus scanner objects to it`,
  file_unchecked: about => `${about} cannot go along: it is still being checked`,
  files_too_large: about => `All files of an e-mail together have at most ${about}`
} satisfies Record<string, (about: string) => string>

type RefusalCode = keyof typeof sentences

const codes = Object.keys(sentences) as RefusalCode[]

/** What is refused, and whom or what it is about, for a sentence in the reader's language. */
const RefusalData = Type.Object({
  code: OneOf(codes),
  about: Nullable(OutputText('service@sungrid.example'))
})

/** As other invalid fields, and says by a code what is wrong. */
export const ThirdPartyRefused = failure(400, 'invalid_fields', 'This cannot go to these third parties', RefusalData)

/** The failure for one of these reasons; `field` names what was given. */
export function thirdPartyRefused(code: RefusalCode, field: string, about: string | null = null): Failure {
  const data: Static<typeof RefusalData> = { code, about: about?.slice(0, 255) ?? null }
  return ThirdPartyRefused({ message: sentence(data), errors: [field], data })
}

/** Why a message was stopped, as it is kept: a reason of this file, else that of the failure. */
export function whyStopped({ kind, data }: Failure): { code: string; about: string | null } {
  return kind === ThirdPartyRefused ? (data as Static<typeof RefusalData>) : { code: kind.reason, about: null }
}

/** The sentence of a reason that was kept. */
export function stoppedSentence({ code, about }: { code: string; about: string | null }): string {
  return isRefusal(code) ? sentence({ code, about }) : (others[code] ?? 'The message did not go')
}

const others: Partial<Record<string, string>> = {
  forbidden: 'Its writer may not write to third parties any more',
  ticket_not_found: 'Its writer does not see the ticket any more',
  conversation_not_found: 'Its writer does not see the side conversation any more'
}

function isRefusal(code: string): code is RefusalCode {
  return codes.includes(code as RefusalCode)
}

function sentence({ code, about }: Static<typeof RefusalData>): string {
  return sentences[code](about ?? '')
}
