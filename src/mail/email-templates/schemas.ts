import { type Static, Type } from 'typebox'
import { templateNames } from '../../core/wording/email-templates.ts'
import { languages } from '../../core/wording/languages.ts'
import { placeholderKinds } from '../../core/wording/placeholder-kinds.ts'
import { Flag, LongText, Name, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'

/** Which e-mail, in which language. */
export const whichTemplate = { name: OneOf(templateNames, 'client-ticket'), language: OneOf(languages) }

export const Subject = Name(200, '[{{ticket.number}}] {{ticket.subject}}')
export const Text = LongText(10_000, 'Hello,\n\n{{messages}}\n\nYour support team')

/** A wording that need not be stored; missing fields keep their current text. */
export const draftFields = {
  ...whichTemplate,
  subject: Type.Optional(Subject),
  text: Type.Optional(Text),
  conditions: Type.Optional(
    Type.Array(OutputText('closed'), {
      maxItems: 20,
      description: 'The conditions that apply; the default is typical ones.'
    })
  )
}

const group = OneOf(['account', 'ticket', 'staff'])
const description = OutputText('To a client about a ticket: received, opened, answered, closed')

const state = {
  language: OneOf(languages),
  is_changed: Flag(),
  /** 0 if an admin has changed it and this version of Deskline cannot use it: then the default is sent. */
  is_used: Flag(),
  updated_at: Nullable(Timestamp()),
  version: Version
}

export const TemplateInList = Type.Object({
  name: whichTemplate.name,
  group,
  description,
  wordings: Type.Array(Type.Object({ ...state, subject: OutputText('[{{ticket.number}}] {{ticket.subject}}') }))
})

export const EmailTemplateView = Type.Object({
  name: whichTemplate.name,
  group,
  description,
  ...state,
  subject: OutputText('[{{ticket.number}}] {{ticket.subject}}'),
  text: OutputText('{{messages}}'),
  default_subject: OutputText('[{{ticket.number}}] {{ticket.subject}}'),
  default_text: OutputText('{{messages}}'),
  /** Why a changed wording is not used. */
  faults: Type.Array(OutputText('{{ticket.color}} is unknown here')),
  placeholders: Type.Array(
    Type.Object({
      name: OutputText('ticket.number'),
      kind: OneOf(placeholderKinds),
      description: OutputText('The number of the ticket'),
      is_required: Flag(0),
      is_required_in_subject: Flag(),
      may_be_in_subject: Flag()
    })
  ),
  conditions: Type.Array(
    Type.Object({ name: OutputText('closed'), description: OutputText('The ticket has been closed') })
  )
})
export type EmailTemplateView = Static<typeof EmailTemplateView>
