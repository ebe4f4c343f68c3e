import { Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { SignatureTexts } from '../../core/tables/sending.ts'
import { languages } from '../../core/wording/languages.ts'
import type { Caller } from '../../kit/caller.ts'
import { OutputText } from '../../kit/schemas.ts'
import { requirePlaceholders, storeSignature } from '../../mail/signatures/signatures.ts'

const example = 'Kind regards, {{staff.first_name}} {{staff.last_name}}'

export const SignatureTextsInput = Type.Unsafe<SignatureTexts>({
  type: 'object',
  properties: Object.fromEntries(languages.map(language => [language, { type: 'string', maxLength: 2_000 }])),
  additionalProperties: false,
  examples: [{ en: example }],
  'x-keyed': true,
  'x-invalid': 'texts must be an object with a text of at most 2,000 characters for each language'
})

export const SignatureView = Type.Object({
  texts: Type.Object(
    Object.fromEntries(languages.map(language => [language, Type.Optional(OutputText(example))])) as Record<
      (typeof languages)[number],
      ReturnType<typeof Type.Optional<ReturnType<typeof OutputText>>>
    >
  )
})

/** Replaces the caller's signature. Throws `InvalidFields` for unknown placeholders. */
export async function updateSignature(
  services: ActServices,
  actor: StaffActor,
  given: SignatureTexts,
  caller: Caller
): Promise<SignatureTexts> {
  requirePlaceholders(given, 'texts')
  const texts = Object.fromEntries(Object.entries(given).filter(([, text]) => text.trim() !== '')) as SignatureTexts
  await act(services, { actor, caller }, async act => {
    await storeSignature(act.db, actor.id, texts, act.now)
    const subject = { type: 'staff', id: actor.id } as const
    act.happened({ kind: 'profile.changed', subject, after: { fields: ['signature'] } })
  })
  return texts
}
