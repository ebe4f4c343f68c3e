import type { RequestInput } from '../../kit/body/request-input.ts'
import { type Html, html } from '../../kit/html.ts'
import { activeDepartments } from '../../people/departments/departments.ts'
import { shownItems } from '../../tickets/forms/judge-form.ts'
import { askedForm } from '../../tickets/forms/shown-form.ts'
import { type FrameContext, framePage, framePath } from './frame.ts'
import type { Visitor } from './visitor.ts'
import { type WidgetWords, widgetWords } from './widget-words.ts'

type AskedItem = NonNullable<Awaited<ReturnType<typeof askedForm>>>['items'][number]

/** What was typed, and what is wrong with it. */
export interface Draft {
  typed: RequestInput['fields']
  /** Whom the site's signature names, and the signature as it came. */
  visitor?: { identity: string; is: Visitor | undefined } | undefined
  /** What is told of each field, by its name in the API. */
  faults?: ReadonlyMap<string, string>
  /** What is told of the whole. */
  told?: string | undefined
}

/** The form of a ticket: of a visitor whom the site names, or the open form, if the desk has one. */
export async function writePage(context: FrameContext, draft: Draft): Promise<Html> {
  const { settings, locale } = context
  const words = widgetWords(locale)
  const known = draft.visitor?.is
  const isOpen = known !== undefined || settings.tickets_without_account === 1
  return framePage(context, {
    title: words.write,
    back: framePath(context),
    main: isOpen ? await formOf(context, draft) : signInFirst(context, words)
  })
}

// The script sends it again with the signature of the site, if that has given one.
function signInFirst(context: FrameContext, words: WidgetWords): Html {
  return html`<form method="post" action="${framePath(context, '/write')}" data-write><p>${words.signIn}</p><p class="after"><a class="btn primary" href="/new" target="_blank" rel="noopener">${words.signInButton}</a></p></form>`
}

async function formOf(context: FrameContext, { typed, visitor, faults = new Map(), told }: Draft): Promise<Html> {
  const { services, locale } = context
  const words = widgetWords(locale)
  const text = (name: string) => textIn(typed, name)
  const departments = await activeDepartments(services.db)
  const preset = departments.length === 1 ? departments[0] : departments.find(({ deptid }) => deptid === context.deptid)
  const chosen = preset ?? departments.find(({ deptid }) => String(deptid) === text('department_id'))
  const items = chosen ? ((await askedForm(services.db, chosen.deptid, 'client'))?.items ?? []) : []
  const shown = shownOf(items, typed)
  const controls = new Set(items.flatMap(({ show_if }) => show_if?.field_id ?? []))
  const field = (name: string, label: string, control: (attributes: Html) => Html) =>
    labelled({ name, label, control, isRequired: true, fault: faults.get(name), words })
  const known = visitor?.is
  return html`${told !== undefined && html`<p class="told" role="alert">${told}</p>`}<form method="post" action="${framePath(context, '/write')}" class="write" data-write>
${visitor && html`<input type="hidden" name="identity" value="${visitor.identity}">`}${
  known
    ? html`<p class="muted">${words.writingAs(known.name, known.email)}</p>`
    : html`${field('name', words.name, rest => html`<input ${rest} value="${text('name')}" maxlength="200" autocomplete="name">`)}${field(
        'email',
        words.email,
        rest => html`<input type="email" ${rest} value="${text('email')}" maxlength="255" autocomplete="email">`
      )}`
}${
  preset
    ? html`<input type="hidden" name="department_id" value="${preset.deptid}">`
    : field(
        'department_id',
        words.department,
        rest =>
          html`<select ${rest} data-again><option value="">${words.choose}</option>${departments.map(
            each => html`<option value="${each.deptid}"${each === chosen && html` selected`}>${each.name}</option>`
          )}</select><noscript><button class="btn" name="again" value="1" formnovalidate>${words.showQuestions}</button></noscript>`
      )
}${field('subject', words.subject, rest => html`<input ${rest} value="${text('subject')}" maxlength="255">`)}${field(
  'message',
  words.message,
  rest => html`<textarea ${rest} rows="5">${text('message')}</textarea>`
)}${shown.map(item => {
  const name = nameOf(item)
  const { id, key, kind, label, hint } = item.field
  const rest = { typed, words, isAgain: controls.has(id), fault: faults.get(`fields.${key}`) }
  if (kind === 'multi_select' || kind === 'checkbox') return choicesOf(item, rest)
  const isRequired = item.required === 1
  return labelled({ ...rest, name, label, hint, isRequired, control: attributes => controlOf(item, attributes, rest) })
})}<p class="acts"><button class="btn primary" type="submit">${words.send}</button></p>
</form>`
}

/** The items that are shown with what was typed, by the one judge of forms. */
function shownOf(items: readonly AskedItem[], typed: Draft['typed']): AskedItem[] {
  const byId = new Map(items.map(item => [item.field.id, item]))
  const valueIn = (id: number) => {
    const item = byId.get(id)
    return item && textsIn(typed, nameOf(item)).map(Number)
  }
  const shown = new Set(
    shownItems(
      items.map(item => ({ ...item, field_id: item.field.id })),
      valueIn
    ).map(({ field_id }) => field_id)
  )
  return items.filter(({ field }) => shown.has(field.id))
}

interface Labelled {
  name: string
  label: string
  hint?: string
  control: (attributes: Html) => Html
  isRequired: boolean
  fault: string | undefined
  words: WidgetWords
}

function labelled({ name, label, hint, control, isRequired, fault, words }: Labelled): Html {
  const attributes = html`name="${name}" id="f-${name}"${isRequired && html` required`}${
    fault !== undefined && html` aria-invalid="true" aria-describedby="e-${name}"`
  }`
  return html`<p class="field"><label for="f-${name}">${label}${!isRequired && html` <span class="muted">${words.optional}</span>`}</label>${
    hint && html`<span class="muted">${hint}</span>`
  }${control(attributes)}${faultLine(name, fault)}</p>\n`
}

function faultLine(name: string, fault: string | undefined): Html | undefined {
  return fault === undefined ? undefined : html`<span class="fault" id="e-${name}">${fault}</span>`
}

interface Rest {
  typed: Draft['typed']
  words: WidgetWords
  /** Other fields depend on it: the form is asked for anew when it changes. */
  isAgain: boolean
}

function controlOf({ field }: AskedItem, attributes: Html, { typed, words, isAgain }: Rest): Html {
  const value = textIn(typed, `fields[${field.key}]`)
  const again = isAgain && html` data-again`
  switch (field.kind) {
    case 'long_text':
      return html`<textarea ${attributes} rows="3" maxlength="10000">${value}</textarea>`
    case 'select':
      return html`<select ${attributes}${again}><option value="">${words.choose}</option>${field.options.map(
        ({ id, label }) => html`<option value="${id}"${String(id) === value && html` selected`}>${label}</option>`
      )}</select>`
    case 'date':
      return html`<input type="date" ${attributes} value="${value}">`
    case 'number':
      return html`<input inputmode="decimal" ${attributes} value="${value}" maxlength="20">`
    default:
      return html`<input ${attributes} value="${value}" maxlength="255">`
  }
}

function choicesOf(item: AskedItem, { typed, words, isAgain, fault }: Rest & { fault: string | undefined }): Html {
  const { field, required } = item
  const name = nameOf(item)
  const chosen = textsIn(typed, name)
  const options = field.kind === 'checkbox' ? [{ id: 1, label: field.label }] : field.options
  const boxes = options.map(
    ({ id, label }) =>
      html`<label class="box"><input type="checkbox" name="${name}" value="${id}"${chosen.includes(String(id)) && html` checked`}${
        isAgain && html` data-again`
      }${fault !== undefined && html` aria-invalid="true" aria-describedby="e-${name}"`}>${label}</label>`
  )
  if (field.kind === 'checkbox') return html`<p class="field">${boxes}${faultLine(name, fault)}</p>\n`
  const optional = required === 0 && html` <span class="muted">${words.optional}</span>`
  return html`<fieldset class="field"><legend>${field.label}${optional}</legend>${
    field.hint && html`<span class="muted">${field.hint}</span>`
  }${boxes}${faultLine(name, fault)}</fieldset>\n`
}

/** The name of a custom field in a form. */
function nameOf({ field: { key, kind } }: AskedItem): string {
  return kind === 'multi_select' ? `fields[${key}][]` : `fields[${key}]`
}

export function textIn(typed: Draft['typed'], name: string): string {
  return textsIn(typed, name)[0] ?? ''
}

function textsIn(typed: Draft['typed'], name: string): string[] {
  return (typed.get(name) ?? []).flatMap(({ value }) => (typeof value === 'string' ? [value.toWellFormed()] : []))
}
