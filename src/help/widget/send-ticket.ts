import { languageAmong } from '../../core/wording/languages.ts'
import { openTicketWithoutAccount } from '../../intake/open-form/endpoints/tickets-open.ts'
import { FormClosed, openWithoutAccount, type Written } from '../../intake/open-form/open-without-account.ts'
import type { RequestInput } from '../../kit/body/request-input.ts'
import type { HttpCaller } from '../../kit/caller.ts'
import { Failure, MissingFields, TooManyAttempts } from '../../kit/errors.ts'
import type { Html } from '../../kit/html.ts'
import { inputPlan, readInput } from '../../kit/input.ts'
import { FieldsRequired } from '../../tickets/forms/required-fields.ts'
import { toldPage } from './find-pages.ts'
import type { FrameContext } from './frame.ts'
import { visitorOf } from './visitor.ts'
import { widgetWords } from './widget-words.ts'
import { type Draft, textIn, writePage } from './write-page.ts'

const plan = inputPlan(openTicketWithoutAccount)

/**
 * Takes what the form of the frame sends. `again`: the form is only shown anew, with what was typed. A visitor whom the site has signed writes with the
 * name and address of that signature, whatever else was sent; everybody else fills in the open form.
 */
export async function sendTicket(
  context: FrameContext,
  typed: RequestInput['fields'],
  caller: HttpCaller
): Promise<{ status: number; page: Html }> {
  const { services, settings, locale } = context
  const words = widgetWords(locale)
  const identity = textIn(typed, 'identity')
  const visitor = identity === '' ? undefined : { identity, is: await visitorOf(services, identity) }
  const again = (status: number, draft: Partial<Draft> = {}) =>
    writePage(context, { typed, visitor: visitor?.is && visitor, ...draft }).then(page => ({ status, page }))
  const isUnknown = visitor !== undefined && !visitor.is
  const told = isUnknown && settings.tickets_without_account === 1 ? words.unknownVisitor : undefined
  if (textIn(typed, 'again') !== '') return await again(200, { told })
  // Nobody is asked to write as somebody else without knowing it.
  if (isUnknown) return await again(401, { told })

  try {
    const given = visitor?.is ? withVisitor(typed, visitor.is) : typed
    const { department_id: deptid, ...written } = readInput(plan, given, undefined) as Sent
    const language = languageAmong(locale) ?? languageAmong(caller.headers['accept-language'])
    await openWithoutAccount(services, { ...written, deptid, language }, caller, { isVouched: visitor !== undefined })
    return { status: 200, page: toldPage(context, words.sent) }
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    if (error.kind === TooManyAttempts) return await again(429, { told: words.tooMany })
    if (error.kind === FormClosed) return await again(403)
    const isMissing = [MissingFields, FieldsRequired].includes(error.kind)
    const fault = isMissing ? words.missing : words.unfit
    const faults = new Map((error.errors ?? []).map(name => [name, fault]))
    return await again(error.status, { faults, told: words.faults })
  }
}

type Sent = Omit<Written, 'deptid' | 'language'> & { department_id: number }

function withVisitor(typed: RequestInput['fields'], { name, email }: { name: string; email: string }) {
  const said = (value: string) => [{ value, isText: true }]
  return new Map([...typed, ['email', said(email)], ['name', said(name.slice(0, 200) || email)]])
}
